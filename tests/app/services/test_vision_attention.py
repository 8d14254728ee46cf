import pytest

from app.services.vision_attention import token_on
from core.trace import PatchGrid


@pytest.mark.parametrize(
    ("token", "expected"),
    [(None, None), (0, 0), (1, None), (2, 1), (2 + 15, 4)],  # [CLS], a register, patches
)
def test_a_token_is_found_on_a_layers_own_grid(token, expected):
    picture, layer = PatchGrid(4, 4, 2), PatchGrid(2, 2, 1)
    assert token_on(layer, token, picture) == expected
