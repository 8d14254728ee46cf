"""What text models answer, against transformers' own; and what they are given that is odd."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
import torch
import transformers

import core
from core import AttentionKind
from core.limits import CHARACTERS
from tests.tiny import DECODERS, ENCODERS, TRANSLATORS, tiny_config

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat on a street ."
MASKED = "the [MASK] sat on a [MASK] ."
ANIMAL = "The animal didn't cross the street because it was too tired."


@pytest.fixture(scope="module")
def minilm():
    return core.load("minilm-l6")


class TestMiniLM:
    """The real model of the first screen; `make test` installs its package."""

    def test_two_heads_know_what_it_is(self, minilm):
        trace = minilm.trace(ANIMAL)
        it, animal = trace.tokens.index("it"), trace.tokens.index("animal")
        assert round(float(trace.attention(3).weights[1, it, animal]), 3) == 0.677
        assert round(float(trace.attention(5).weights[11, it, animal]), 3) == 0.673
        assert trace.attention(3).row(it)[1, animal] == pytest.approx(0.677, abs=5e-4)

    def test_its_card_tells_the_truth(self, minilm):
        card = minilm.card
        assert (card.layers, card.heads, card.d_model) == (6, 12, 384)
        assert card.parameters == sum(p.numel() for p in minilm.module.parameters())

    def test_tokens_know_their_place_in_the_text(self, minilm):
        encoding = minilm.trace(ANIMAL, pair="It slept unbelievably.").encoding
        texts = (ANIMAL, "It slept unbelievably.")
        for token, (start, end), segment, special in zip(
            encoding.tokens, encoding.offsets, encoding.segments, encoding.special, strict=True
        ):
            if not special:
                assert texts[segment][start:end].lower() == token.removeprefix("##")
        assert encoding.tokens[0] == "[CLS]"
        assert encoding.special.sum() == 3
        assert encoding.segments.tolist() == sorted(encoding.segments.tolist())
        pieces = [t for t, w in zip(encoding.tokens, encoding.words, strict=True) if w == 2]
        assert "".join(pieces[-3:]).endswith("##bly")

    def test_it_has_no_heads_and_says_so(self, minilm):
        with pytest.raises(core.InputError, match="has no masked-LM head; choose a model that"):
            minilm.fill_mask("Paris is the [MASK] of France.")
        with pytest.raises(core.InputError, match="has no next-sentence head; choose a BERT"):
            minilm.next_sentence("A sentence.", "Another.")


@pytest.mark.parametrize("family", ENCODERS)
def test_fill_mask_equals_transformers_pipeline(family: str, tiny_checkpoint: Checkpoint):
    folder = tiny_checkpoint(family)
    model = core.load(folder)
    made = model.fill_mask(MASKED, top_k=3)
    pipeline = transformers.pipeline("fill-mask", model=str(folder), device="cpu")
    expected = pipeline(MASKED, top_k=3)
    assert [one.position for one in made] == [2, 6]
    for mask, candidates in zip(made, expected, strict=True):
        assert [one.token for one in mask.candidates] == [one["token_str"] for one in candidates]
        np.testing.assert_allclose(
            [one.probability for one in mask.candidates],
            [one["score"] for one in candidates],
            rtol=1e-4,
        )


def test_next_sentence_equals_the_bare_head(tiny_checkpoint: Checkpoint):
    folder = tiny_checkpoint("bert")
    head = transformers.BertForNextSentencePrediction.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    first, second = "the cat sat .", "it was tired ."
    given = tokenizer(first, second, return_tensors="pt", return_token_type_ids=True)
    with torch.no_grad():
        expected = float(head(**given).logits[0].softmax(-1)[0])
    assert given["token_type_ids"].sum() == 5
    assert core.load(folder).next_sentence(first, second) == pytest.approx(expected, rel=1e-5)


def test_more_candidates_than_there_are_tokens(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    (mask,) = model.fill_mask("the [MASK] sat", top_k=1000)
    assert len(mask.candidates) == tiny_config("bert").vocab_size
    assert sum(one.probability for one in mask.candidates) == pytest.approx(1, abs=1e-5)


def test_a_text_without_a_mask(tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match=r"no \[MASK\]\. Put it where a word is missing"):
        core.load(tiny_checkpoint("bert")).fill_mask("the cat sat")


@pytest.mark.parametrize("family", ENCODERS)
def test_a_pair_is_two_segments(family: str, tiny_checkpoint: Checkpoint):
    trace = core.load(tiny_checkpoint(family)).trace("the cat sat .", pair="it was tired .")
    assert trace.encoding.segments.tolist() == [0] * 6 + [1] * 5
    assert trace.encoding.words.tolist() == [-1, 0, 1, 2, 3, -1, 0, 1, 2, 3, -1]
    assert trace.n_layers() == 3


def test_what_a_family_cannot_take_is_refused(tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match="gpt20 takes no pair: leave it empty"):
        core.load(tiny_checkpoint("gpt2")).trace("the cat", pair="a dog")
    with pytest.raises(core.InputError, match="bert0 takes no target: leave it empty"):
        core.load(tiny_checkpoint("bert")).trace("the cat", target="a dog")
    with pytest.raises(core.InputError, match="t50 takes no pair"):
        core.load(tiny_checkpoint("t5")).trace("the cat", pair="a dog")
    assert core.load(tiny_checkpoint("gpt2")).trace("the cat", pair=None).n_layers() == 3


@pytest.mark.parametrize("family", [*ENCODERS, *DECODERS, *TRANSLATORS])
def test_the_longest_text_fits_and_one_more_token_is_told(family: str, tiny_checkpoint: Checkpoint):
    """RoBERTa counts positions from its padding index + 1, so one place of 64 is never used."""
    model = core.load(tiny_checkpoint(family))
    limit = {"roberta": 63, "t5": 512}.get(family, 64)
    assert model.token_limit == limit
    special = 2 if family in ENCODERS else family in TRANSLATORS
    given = {"target": "a dog"} if family in TRANSLATORS else {}
    longest = "cat " * (limit - special)
    assert len(model.trace(longest, **given).tokens) == limit
    with pytest.raises(
        core.InputError, match=f"has {limit + 1} tokens; this model takes up to {limit}"
    ):
        model.trace(longest + "cat", **given)


def test_a_pair_past_the_limit(tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match="has 83 tokens; this model takes up to 64"):
        core.load(tiny_checkpoint("bert")).trace("cat " * 40, pair="dog " * 40)


@pytest.mark.parametrize("family", ["bert", "gpt2", "marian"])
class TestOddTexts:
    @pytest.mark.parametrize("text", ["", " ", "\n\t \u3000"])
    def test_nothing_is_refused(self, text: str, family: str, tiny_checkpoint: Checkpoint):
        with pytest.raises(core.InputError, match=r"The text is empty\. Type at least one word"):
            core.load(tiny_checkpoint(family)).trace(text)

    def test_half_a_surrogate_pair_is_refused(self, family: str, tiny_checkpoint: Checkpoint):
        with pytest.raises(core.InputError, match="half of a surrogate pair at character 4"):
            core.load(tiny_checkpoint(family)).trace("cat \ud83d sat")

    def test_ten_thousand_characters(self, family: str, tiny_checkpoint: Checkpoint):
        with pytest.raises(core.InputError, match=r"has 250\d tokens; this model takes up to 64"):
            core.load(tiny_checkpoint(family)).trace("cat " * 2500)

    def test_a_novel(self, family: str, tiny_checkpoint: Checkpoint):
        with pytest.raises(core.InputError, match=r"has 20,001 characters; up to 20,000 are read"):
            core.load(tiny_checkpoint(family)).trace("c" * (CHARACTERS + 1))

    @pytest.mark.parametrize(
        "text",
        [
            "the cat 😀 sat 👩‍👩‍👧 on a 🇫🇷 street",
            "القط جلس على the שלום cat",
            "the \x00 cat \x07\x1b[31m sat\u200b \u202e tac",
            "</script><img src=x onerror=alert(1)> cat",
            "中文 cat 日本語",
            "cat " + "x" * 500,
        ],
    )
    def test_any_other_text_is_shown(self, text: str, family: str, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint(family))
        trace = model.trace(text, **({"target": text} if family == "marian" else {}))
        encoding = trace.encoding
        assert "cat" in trace.tokens
        for (start, end), special in zip(encoding.offsets, encoding.special, strict=True):
            assert special or 0 <= start < end <= len(text)
        for kind in trace.kinds:
            assert np.isfinite(trace.attention(0, kind=kind).weights).all()


def test_a_text_of_which_no_token_is_left(tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match="makes no token of this text"):
        core.load(tiny_checkpoint("gpt2")).trace("\x00\x07")


def test_an_empty_second_text_is_named(tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match="The second text is empty"):
        core.load(tiny_checkpoint("bert")).trace("the cat", pair=" ")


@pytest.mark.parametrize("family", TRANSLATORS)
class TestTranslators:
    def test_greedy_decoding_equals_generate(self, family: str, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint(family))
        trace = model.trace(TEXT)
        ids = model.tokenizer(TEXT, return_tensors="pt")["input_ids"]
        made = model.module.generate(
            ids,
            num_beams=1,
            do_sample=False,
            max_length=None,
            max_new_tokens=58,
            use_cache=family != "t5",
        )[0].tolist()
        if made[-1] == 3:
            made = made[:-1]
        assert trace.target_encoding.ids.tolist() == made
        best = trace.logits.argmax(-1)
        assert best[:-1].tolist() == made[1:], "each token is the most probable after those before"

    def test_a_given_target_is_shifted_by_its_start(self, family: str, tiny_checkpoint: Checkpoint):
        trace = core.load(tiny_checkpoint(family)).trace(TEXT, target="a dog ran")
        assert trace.target_tokens == ("[PAD]", "a", "dog", "ran")
        assert trace.target_encoding.special.tolist() == [True, False, False, False]
        cross = trace.attention(0, kind=AttentionKind.CROSS)
        assert cross.weights.shape == (4, 4, 8)
        assert trace.logits.shape == (4, tiny_config(family).vocab_size)

    def test_an_empty_target_is_named(self, family: str, tiny_checkpoint: Checkpoint):
        with pytest.raises(core.InputError, match="The target is empty"):
            core.load(tiny_checkpoint(family)).trace(TEXT, target=" ")


@pytest.fixture(scope="module")
def slow_marian(tiny_checkpoint: Checkpoint, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Marian with its own sentencepiece tokenizer, which has no fast form."""
    folder = tmp_path_factory.mktemp("slow-marian")
    for name in ("config.json", "generation_config.json", "model.safetensors"):
        (folder / name).write_bytes((tiny_checkpoint("marian") / name).read_bytes())
    sentences = ["the cat sat on the street", "a dog ran to the cat", "it was too tired"] * 3
    for side in ("source", "target"):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences), model_prefix=str(folder / side), vocab_size=40,
            hard_vocab_limit=False, minloglevel=2,
        )  # fmt: skip
        (folder / f"{side}.model").rename(folder / f"{side}.spm")
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    names = [pieces.id_to_piece(i) for i in range(pieces.get_piece_size())]
    ordinary = [name for name in names if name not in ("<s>", "</s>", "<unk>")]
    vocabulary = ["<pad>", "<unk>", "<s>", "</s>", *ordinary]
    (folder / "vocab.json").write_text(json.dumps({name: i for i, name in enumerate(vocabulary)}))
    settings = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "xx"}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder


@pytest.mark.filterwarnings("ignore:Recommended. pip install sacremoses")
def test_a_slow_tokenizer_gives_words_without_places(slow_marian: Path):
    model = core.load(slow_marian)
    assert not model.tokenizer.is_fast
    trace = model.trace("the cat sat", target="a dog")
    encoding = trace.encoding
    assert "".join(encoding.tokens[:-1]).replace("▁", " ").strip() == "the cat sat"
    assert (encoding.offsets == -1).all()
    assert encoding.words[~encoding.special].max() == 2
    assert encoding.tokens[-1] == "</s>"
    assert encoding.words[-1] == -1
    assert trace.target_tokens[0] == "<pad>"
    assert trace.n_layers(AttentionKind.CROSS) == 3
