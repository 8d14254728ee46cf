import numpy as np
import pytest

from app import embedding
from app.looking import token_on
from core.catalog import CATALOG, Origin
from core.trace import PatchGrid


@pytest.mark.parametrize(
    ("token", "expected"),
    [(None, None), (0, 0), (1, None), (2, 1), (2 + 15, 4)],  # [CLS], a register, patches
)
def test_a_token_is_found_on_a_layers_own_grid(token, expected):
    picture, layer = PatchGrid(4, 4, 2), PatchGrid(2, 2, 1)
    assert token_on(layer, token, picture) == expected


def test_filters_of_a_training_are_read_once(tmp_path, monkeypatch):
    card = next(card for card in CATALOG if card.origin == Origin.EMBEDDED)
    monkeypatch.setattr(embedding, "EMBEDDED_MODELS", tmp_path)
    assert embedding.filter_moments(card) is None
    (tmp_path / card.id).mkdir()
    path = tmp_path / card.id / "snapshots.npz"
    np.savez(path, filters=np.ones((2, 28, 1, 1, 3)), steps=[1, 2], fractions=[0.5, 1.0])
    found = embedding.filter_moments(card)
    assert found is not None
    assert found.values.shape == (2, 28, 1, 1, 3)
    assert embedding.filter_moments(card) is found
