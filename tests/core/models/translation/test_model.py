"""Translating, against transformers' generate and torch's loss; and odd requests."""

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.catalog.checkpoints import EMBEDDED_MODELS
from core.models.translation import model as translation
from core.models.translation.model import MOST_ERASED, NEW_TOKENS_LIMIT
from tests.tiny import TRANSLATORS, WORDS

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat on a street ."
TARGET = "a dog ran ."
EMBEDDED = EMBEDDED_MODELS / "transformer-en-de"
ON_BOARD = pytest.mark.skipif(not (EMBEDDED / "config.json").exists(), reason="not on board")


def end_logit(model, bias: float) -> None:
    """Random weights hardly ever say the end: a bias lets hypotheses finish sooner or later."""
    if hasattr(model.module, "final_logits_bias"):
        model.module.final_logits_bias[0, 3] = bias


@pytest.fixture(scope="module")
def translator(tiny_checkpoint: Checkpoint):
    made = {}

    def of(family: str):
        if family not in made:
            made[family] = core.load(tiny_checkpoint(family))
        end_logit(made[family], 1.5)
        return made[family]

    return of


def generated(model, found, **given):
    """transformers' own search with the same limit."""
    return model.module.generate(
        input_ids=torch.tensor(found.source.ids)[None],
        do_sample=False,
        max_length=None,
        max_new_tokens=found.settings.limit,
        early_stopping=False,
        # transformers sizes T5's cache by the encoder's layers
        use_cache="T5" not in type(model.module).__name__,
        return_dict_in_generate=True,
        output_scores=True,
        **given,
    )


def ids_of(model, tokens):
    return model.tokenizer.convert_tokens_to_ids(list(tokens))


class TestEqualsGenerate:
    @pytest.mark.parametrize("family", TRANSLATORS)
    @pytest.mark.parametrize("beams", [1, 4, 7])
    def test_on_random_models(
        self, family: str, beams: int, translator, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(translation, "NEW_TOKENS_LIMIT", 12)
        model, chance = translator(family), random.Random(beams)
        for bias in (0.0, 1.0, 1.8, 3.0):
            end_logit(model, bias)
            text = " ".join(chance.choices(WORDS, k=chance.randint(1, 9)))
            alpha = chance.choice([-0.5, 0.0, 0.6, 1.0, 2.0])
            found = model.translate(text, beams=beams, length_penalty=alpha)
            expected = generated(model, found, num_beams=beams, length_penalty=alpha)
            assert ids_of(model, found.tokens) == expected.sequences[0, 1:].tolist()
            if beams > 1:
                score = -float(expected.sequences_scores[0])
                assert found.normalised == pytest.approx(score, rel=1e-5, abs=1e-4)

    @ON_BOARD
    @pytest.mark.parametrize("beams", [1, 4])
    def test_on_the_embedded_model(self, beams: int):
        model = core.load(EMBEDDED.name)
        for text in ("I am here.", "She gave me the book yesterday.", "Tom has three brothers."):
            found = model.translate(text, beams=beams)
            expected = generated(model, found, num_beams=beams, length_penalty=0.6)
            assert ids_of(model, found.tokens) == expected.sequences[0, 1:].tolist()

    def test_forced_and_forbidden_tokens(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("marian"))
        end_logit(model, 1.5)
        rules = model.module.generation_config
        rules.forced_eos_token_id, rules.bad_words_ids = 3, [[20], [31]]
        found = model.translate(TEXT, beams=3)
        expected = generated(model, found, num_beams=3, length_penalty=0.6)
        assert ids_of(model, found.tokens) == expected.sequences[0, 1:].tolist()
        said = {one.token_id for step in found.steps for one in step.hypotheses}
        assert not said & {20, 31}


class TestTranslation:
    def test_tree_and_result_agree(self, translator):
        found = translator("marian").translate(TEXT, beams=3)
        by_node = {one.node: one for step in found.steps for one in step.hypotheses}
        best = by_node[found.finished[0].node]
        assert (found.score, found.normalised) == (best.score, best.normalised)
        total, node = 0.0, best
        tokens = []
        while True:
            total, tokens = total + node.word_score, [node.token, *tokens]
            if node.parent == 0:
                break
            node = by_node[node.parent]
        assert tuple(tokens) == found.tokens
        assert found.score == pytest.approx(total, rel=1e-5)
        penalty = found.steps[len(tokens) - 1].penalty
        assert found.normalised == pytest.approx(found.score / penalty, rel=1e-6)

    def test_wus_penalty_is_another(self, translator):
        model = translator("marian")
        for name, expected in (("length", 3**0.6), ("wu", (8 / 6) ** 0.6)):
            found = model.translate(TEXT, beams=2, normalisation=name)
            assert found.steps[2].penalty == pytest.approx(expected)

    def test_at_most_fifty_tokens_more_than_the_input(self, translator):
        found = translator("marian").translate(TEXT)
        assert found.settings.limit == len(found.source) + NEW_TOKENS_LIMIT
        assert len(found.steps) <= found.settings.limit

    def test_a_silenced_head_changes_the_scores(self, translator):
        model = translator("marian")
        silenced = [core.SilenceHead(0, head, core.AttentionKind.CROSS) for head in range(4)]
        plain = model.translate(TEXT, beams=1)
        changed = model.translate(TEXT, beams=1, interventions=silenced)
        first = [found.steps[0].hypotheses[0].score for found in (plain, changed)]
        assert first[0] != pytest.approx(first[1], abs=1e-4)
        blocked = core.BlockEdge(0, 0, 0, 0, core.AttentionKind.CROSS)
        with pytest.raises(core.InputError, match="heads can be silenced; other changes need a"):
            model.translate(TEXT, interventions=[blocked])

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"beams": 0}, r"0 beams: take 1 \(greedy\) to 16"),
            ({"beams": 17}, "17 beams: take 1"),
            ({"length_penalty": 5.5}, "length penalty of 5.5: take −5 to 5; 0 leaves"),
            ({"length_penalty": float("nan")}, "length penalty of nan"),
            ({"normalisation": "none"}, "called “none”: take length or wu"),
            ({"word_margin": -1.0}, "word margin of -1 nats: take 0 or more"),
            ({"hypothesis_margin": float("nan")}, "hypothesis margin of nan nats"),
        ],
    )
    def test_settings_out_of_range(self, given, message, translator):
        with pytest.raises(core.InputError, match=message):
            translator("marian").translate(TEXT, **given)

    def test_texts_that_cannot_be_translated(self, translator):
        model = translator("marian")
        with pytest.raises(core.InputError, match="The text is empty"):
            model.translate("  ")
        with pytest.raises(core.InputError, match=r"101 tokens; this model takes up to 64"):
            model.translate("cat " * 100)
        assert model.translate("😀🎉 漢字").steps  # unknown to the vocabulary, but a text


class TestDecoding:
    @pytest.mark.parametrize("family", TRANSLATORS)
    @pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
    def test_losses_equal_torchs(self, family: str, smoothing: float, translator):
        found = translator(family).decode(TEXT, target=TARGET, smoothing=smoothing)
        logits, labels = torch.tensor(found.trace.logits), torch.tensor(found.label_ids)
        for own, epsilon in ((found.losses.plain, 0.0), (found.losses.smoothed, smoothing)):
            expected = torch.nn.functional.cross_entropy(
                logits, labels, label_smoothing=epsilon, reduction="none"
            )
            np.testing.assert_allclose(own, expected.numpy(), rtol=1e-5, atol=1e-5)

    def test_the_target_is_shifted_right(self, translator):
        found = translator("marian").decode(TEXT, target=TARGET)
        assert found.labels == ("a", "dog", "ran", ".", "[SEP]")
        assert found.trace.target_tokens == ("[PAD]", "a", "dog", "ran", ".")
        assert found.ended
        assert found.text == "a dog ran ."

    @pytest.mark.parametrize("family", TRANSLATORS)
    def test_greedy_labels_are_the_most_probable(self, family: str, translator):
        found = translator(family).decode(TEXT)
        assert [row[0].token for row in found.candidates] == list(found.labels)
        assert found.losses.ranks.tolist() == [1] * len(found.labels)
        probabilities = torch.tensor(found.trace.logits).softmax(-1)
        for row, own in zip(probabilities, found.candidates, strict=True):
            assert own[0].probability == pytest.approx(float(row.max()), rel=1e-5)

    def test_a_prefix_is_said_and_the_rest_is_greedy(self, translator):
        model = translator("marian")
        prefix = tuple(ids_of(model, ["dog", "sat"]))
        found = model.decode(TEXT, prefix=prefix)
        assert found.label_ids[:2].tolist() == list(prefix)
        assert found.losses.ranks[2:].tolist() == [1] * (len(found.labels) - 2)
        ended = model.decode(TEXT, prefix=(*prefix, 3, 20))
        assert ended.labels == ("dog", "sat", "[SEP]")
        with pytest.raises(core.InputError, match=r"ids are 0 to 51\. Start again"):
            model.decode(TEXT, prefix=(52,))

    def test_unknown_tokens_are_counted(self, translator):
        assert translator("marian").decode(TEXT, target="a 漢 dog 🎉").unknown == 2

    def test_bad_targets(self, translator):
        model = translator("marian")
        with pytest.raises(core.InputError, match="The target is empty"):
            model.decode(TEXT, target=" ")
        with pytest.raises(core.InputError, match="The target has 101 tokens"):
            model.decode(TEXT, target="dog " * 100)
        with pytest.raises(core.InputError, match="smoothing of 1: take 0 to less than 1"):
            model.decode(TEXT, target=TARGET, smoothing=1.0)


class TestMachine:
    @pytest.mark.parametrize("family", ["marian", "t5"])
    def test_input_is_embeddings_times_scale_plus_positions(self, family: str, translator):
        built = translator(family).machine(TEXT)
        for one in built.inputs.values():
            np.testing.assert_allclose(one.total, one.result, atol=1e-6)
            assert (one.positions is None) == (family == "t5")

    def test_barts_table_of_positions_begins_at_two(self, translator):
        model = translator("bart")
        one = model.machine(TEXT).inputs[core.AttentionKind.ENCODER]
        norm = model.module.get_encoder().layernorm_embedding
        assert one.normed
        np.testing.assert_allclose(norm(torch.tensor(one.total)), one.result, atol=1e-5)

    def test_profiles(self, translator):
        kinds = {family: translator(family).machine(TEXT).profile for family in TRANSLATORS}
        assert [kinds[f].positions.value for f in TRANSLATORS] == [
            "sinusoidal",
            "learned",
            "relative",
        ]
        for one in kinds.values():
            assert (one.encoder_layers, one.decoder_layers, one.heads) == (2, 3, 4)
            assert (one.d_model, one.d_head, one.d_ff, one.vocabulary) == (32, 8, 48, 52)


class TestErasure:
    @pytest.mark.parametrize("family", TRANSLATORS)
    def test_equals_a_mask_over_one_token(self, family: str, translator):
        model = translator(family)
        found = model.erasure(TEXT, target=TARGET)
        whole = model.decode(TEXT, target=TARGET)
        np.testing.assert_allclose(-found.log_p, whole.losses.plain, atol=1e-4)
        mask = torch.ones(1, len(whole.trace.tokens), dtype=torch.long)
        mask[0, 2] = 0
        fed = torch.tensor(whole.trace.target_encoding.ids)[None]
        source = torch.tensor(whole.trace.encoding.ids)[None]
        with torch.no_grad():
            logits = model.module(
                input_ids=source, attention_mask=mask, decoder_input_ids=fed
            ).logits
        log_p = logits[0].log_softmax(-1)[torch.arange(5), torch.tensor(whole.label_ids)]
        expected = found.log_p - log_p.numpy()
        np.testing.assert_allclose(found.drops[:, 2], expected, atol=1e-4)

    def test_long_texts_are_refused(self, translator):
        with pytest.raises(core.InputError, match=f"up to {MOST_ERASED} can be hidden"):
            translator("t5").erasure("cat " * MOST_ERASED)
