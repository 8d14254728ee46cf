"""One text under many changes: probabilities, logits and contrasts are the traces' own."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import core
from core.interventions import SilenceHead
from core.models.text import variants as fitting
from core.targets import LogitContrast, LogitTarget
from tests.tiny import VOCABULARY

TEXT = "the cat sat on a street ."
Checkpoint = Callable[[str], Path]
CHANGES = ((), (SilenceHead(1, 2),), (SilenceHead(0, 0), SilenceHead(2, 3)))


@pytest.mark.parametrize("family", ["bert", "gpt2", "deberta"])
def test_logits_under_each_change_are_the_traces(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    found = model.logits_at(TEXT, CHANGES, 3)
    traced = [model.trace(TEXT, interventions=change).logits[3] for change in CHANGES]
    np.testing.assert_allclose(found, traced, atol=1e-5)
    logit = model.measure(TEXT, CHANGES, LogitContrast(3, 8))
    np.testing.assert_allclose(logit, [row[8] for row in traced], atol=1e-5)
    contrast = model.measure(TEXT, CHANGES, LogitContrast(3, 8, 11))
    np.testing.assert_allclose(contrast, [row[8] - row[11] for row in traced], atol=1e-5)


def test_of_a_translator_the_target_answers(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("marian"))
    silent = (SilenceHead(1, 2, core.AttentionKind.CROSS),)
    found = model.logits_at(TEXT, ((), silent), 2, target="a dog ran")
    expected = model.trace(TEXT, target="a dog ran", interventions=silent).logits[2]
    np.testing.assert_allclose(found[1], expected, atol=1e-5)


def test_a_translators_own_words_are_fed_as_ids(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("marian"))
    decoded = model.decode(TEXT, prefix=(9, 11))
    silent = (SilenceHead(1, 2, core.AttentionKind.DECODER),)
    said = tuple(decoded.label_ids.tolist())
    found = model.logits_at(TEXT, ((), silent), 3, prefix=said)
    np.testing.assert_allclose(found[0], decoded.trace.logits[3], atol=1e-5)
    assert np.abs(found[1] - found[0]).max() > 1e-4
    assert model.vocabulary()[9] == decoded.labels[0]
    with pytest.raises(core.InputError, match="takes no pair"):
        model.logits_at(TEXT, ((),), 0, pair="a dog")


def test_masks_can_be_put_into_the_text(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    edits = ((2, VOCABULARY["[MASK]"]),)
    found = model.logits_at(TEXT, ((),), 2, edits=edits)[0]
    np.testing.assert_allclose(found, model.trace_edited(TEXT, edits=edits).logits[2], atol=1e-5)
    chance = model.measure(TEXT, ((),), LogitTarget(2, 8), edits=edits)
    shares = np.exp(found - found.max())
    assert chance[0] == pytest.approx(shares[8] / shares.sum(), abs=1e-6)


def test_many_changes_run_in_batches_whose_logits_fit(
    tiny_checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
):
    model = core.load(tiny_checkpoint("gpt2"))
    whole = model.logits_at(TEXT, CHANGES, 3)
    monkeypatch.setattr(fitting, "LOGITS_AT_ONCE", 4 * 7 * len(VOCABULARY) + 1)  # one row
    assert fitting.rows_that_fit(model.module, 7, most=16) == 1
    np.testing.assert_allclose(model.logits_at(TEXT, CHANGES, 3), whole, atol=1e-5)
    assert model.measure(TEXT, (), LogitTarget(0, 0)).shape == (0,)


def test_what_is_not_there_is_refused(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    with pytest.raises(core.InputError, match="no position 9: positions count from 0 to 8"):
        model.logits_at(TEXT, ((),), 9)
    with pytest.raises(core.InputError, match=r"no token 99: tokens count from 0 to \d+"):
        model.measure(TEXT, ((),), LogitContrast(1, 2, 99))
    with pytest.raises(core.InputError, match="layers 0 to 2 and heads 0 to 3"):
        model.logits_at(TEXT, ((SilenceHead(3, 0),),), 1)
