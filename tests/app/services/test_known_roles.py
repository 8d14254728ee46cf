"""The roles that lie beside the models on board are the models' own, or they are not used.

Where a model, the texts or a role's definition changed, make the files anew:
`.venv/bin/python -m tests.app.services.test_known_roles`.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from app.services import head_roles, models
from app.services.head_roles import ByKind
from core.data import known_roles
from core.data.known_roles import FOLDER, Layers, keep_roles, measured_with
from core.data.sentences import repeated_words, sentences
from core.data.treebank import parsed_sentences
from core.explain.attention.head_roles import ENOUGH, MARGIN, MARGINS, NO_ROLE

TEXTS = [one.id for one in models.cards(*models.TEXTS) if models.is_complete(one)]
PICTURES = [one.id for one in models.cards(*models.PICTURES) if not models.needs_network(one)]
ON_BOARD = [*TEXTS, *PICTURES]


def measured(model_id: str) -> ByKind:
    return head_roles.measured(model_id, lambda _: None)


def every_head(roles: ByKind) -> Iterator[tuple[str, Layers]]:
    for kind, found in roles.items():
        yield f"{kind} by weight", found.weights
        if found.written is not None:
            yield f"{kind} by what is written", found.written


def numbers(layers: Layers) -> Mapping[tuple[int, int, str], tuple[float, ...]]:
    return {
        (one.layer, one.head, role): (
            *(score.mass, score.baseline, score.n_inputs),
            *(score.above.mean, score.above.low, score.above.high),
        )
        for layer in layers
        for one in layer
        for role, score in one.scores.items()
    }


@pytest.mark.parametrize("model_id", ON_BOARD)
def test_every_model_on_board_has_a_file_of_its_present_weights_and_texts(model_id: str):
    roles = known_roles.known_roles(model_id)
    assert roles is not None
    card = models.card_of(model_id)
    assert card is not None
    for name, layers in every_head(roles):
        if model_id in TEXTS:  # Swin has more heads in later stages
            assert [len(layer) for layer in layers] == [card.heads] * card.layers, name
        for one in (head for layer in layers for head in layer):
            if one.label != NO_ROLE:
                score = one.scores[one.label]
                assert score.n_inputs >= ENOUGH
                assert score.above.low > MARGINS.get(one.label, MARGIN)


def test_there_is_no_file_but_of_models_on_board():
    assert {path.stem for path in FOLDER.iterdir()} == set(ON_BOARD)


@pytest.mark.parametrize("other", ["weights", "inputs", "definitions"])
def test_a_file_of_other_weights_texts_or_definitions_is_not_used(
    other: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    roles = known_roles.known_roles("bert-mini")
    assert roles is not None
    keep_roles("bert-mini", roles, tmp_path)
    assert known_roles.known_roles("bert-mini", tmp_path) == roles
    now = measured_with("bert-mini") | {other: "another"}
    monkeypatch.setattr(known_roles, "measured_with", lambda _: now)
    assert known_roles.known_roles("bert-mini", tmp_path) is None


def test_one_more_sentence_is_another_input(monkeypatch: pytest.MonkeyPatch):
    before = measured_with("bert-mini")
    monkeypatch.setattr(known_roles, "sentences", lambda: (*sentences(), "One more."))
    after = measured_with("bert-mini")
    assert [name for name in before if before[name] != after[name]] == ["inputs"]


def test_pictures_models_are_told_by_their_pictures(monkeypatch: pytest.MonkeyPatch):
    before = measured_with("vit-mini")
    monkeypatch.setattr(known_roles, "squares_hash", lambda: "other pictures")
    after = measured_with("vit-mini")
    assert [name for name in before if before[name] != after[name]] == ["inputs"]


def test_an_update_is_told_by_the_weights_it_updates_too():
    own, base = measured_with("minilm-mlm")["weights"].split()
    assert base == measured_with("minilm-l6")["weights"]
    assert own != base
    assert measured_with("minilm-clm")["weights"].split()[1:] == [own, base]


@pytest.mark.parametrize("strange", ["gpt2", "../models/bert-mini", "no such model", ""])
def test_what_is_not_on_board_has_no_file(strange: str):
    assert known_roles.known_roles(strange) is None


def test_a_broken_file_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    (tmp_path / "bert-mini.npz").write_bytes(b"PK but nothing more")
    assert known_roles.known_roles("bert-mini", tmp_path) is None
    assert "bert-mini.npz is no set of head roles" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("model_id", ON_BOARD)
def test_they_are_what_the_model_does(model_id: str):
    kept = known_roles.known_roles(model_id)
    assert kept is not None
    live = dict(every_head(measured(model_id)))
    for name, layers in every_head(kept):
        expected, found = numbers(live[name]), numbers(layers)
        assert expected.keys() == found.keys()
        np.testing.assert_allclose(
            list(found.values()), list(expected.values()), atol=2e-4, err_msg=name
        )
        labels = [[one.label for one in layer] for layer in layers]
        assert labels == [[one.label for one in layer] for layer in live[name]]


@pytest.mark.slow
def test_they_are_measured_over_all_texts():
    (roles,) = measured("minilm-l6").values()
    scores = roles.weights[0][0].scores
    assert scores["previous"].n_inputs == len(sentences())
    assert scores["induction"].n_inputs >= len(repeated_words())
    assert scores["syntactic relation"].n_inputs == len(parsed_sentences())


if __name__ == "__main__":
    for model in ON_BOARD:
        keep_roles(model, measured(model))
