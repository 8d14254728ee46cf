"""What is kept of trainings, read once and told where it can't be."""

from dataclasses import replace

import numpy as np
import pytest

from app.services import training_history
from core.catalog import CATALOG, Origin
from core.errors import InputError

TRAINED = [card for card in CATALOG if card.origin == Origin.EMBEDDED]


def test_moments_are_read_once(tmp_path, monkeypatch):
    card = TRAINED[0]
    monkeypatch.setattr(training_history, "EMBEDDED_MODELS", tmp_path)
    assert training_history.moments(card, "filters") is None
    (tmp_path / card.id).mkdir()
    path = tmp_path / card.id / "snapshots.npz"
    np.savez(path, filters=np.ones((2, 28, 1, 1, 3)), steps=[1, 2], fractions=[0.5, 1.0])
    found = training_history.moments(card, "filters")
    assert found is not None
    assert found.values.shape == (2, 28, 1, 1, 3)
    assert training_history.moments(card, "filters") is found
    assert training_history.moments(card, "positions") is None
    with pytest.raises(InputError, match="can't be read"):
        training_history.course(card)


def test_every_model_trained_here_can_be_watched():
    assert {card.id for card in TRAINED} <= {card.id for card in training_history.cards()}
    for card in TRAINED:
        course = training_history.course(card)
        assert len(course.metrics.values) == len(course.metrics.steps) == 8
        assert course.metrics.values.shape[1] == len(course.metric_names)
        assert course.metrics.fractions[-1] == 1.0
        assert 300 <= len(course.loss_curve) <= 400
        assert training_history.course(card) is course


def test_models_that_were_not_trained_here_are_not_offered():
    offered = training_history.cards()
    assert replace(TRAINED[0], id="/nowhere") not in offered
    assert all(card.origin != Origin.HUB for card in offered)
