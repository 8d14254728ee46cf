"""What encoders of every family answer, against transformers' own; and what they refuse."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers
from tokenizers import AddedToken, ByteLevelBPETokenizer

import core
from core.explain.embeddings.embedding_sum import embedding_sum
from core.explain.predictions.token_distribution import token_distribution
from tests.tiny import BERT_LIKE, ENCODERS, tiny_tokenizer

Checkpoint = Callable[[str], Path]
TEXT = "the cat sat on a street ."
MASK = 4  # the tiny vocabulary's [MASK]


@pytest.fixture(scope="module")
def bert_mini():
    return core.load("bert-mini")


@pytest.fixture(scope="module")
def pipeline():
    folder = Path(core.__file__).parent.parent / "assets" / "models" / "bert-mini"
    model = transformers.BertForMaskedLM.from_pretrained(folder)
    return transformers.pipeline(
        "fill-mask", model=model, tokenizer=str(folder), device="cpu", top_k=20
    )


class TestBertMini:
    """The model on board, against transformers' own fill-mask pipeline and heads."""

    @pytest.mark.parametrize(
        ("text", "places"),
        [
            ("The native language of Victor Hugo is French.", (9,)),
            ("Paris is the capital of France.", (1, 4, 6)),
            ("She opened the door and walked into the room.", (4,)),
        ],
    )
    def test_masked_tokens_are_predicted_as_by_the_pipeline(
        self, bert_mini, pipeline, text: str, places: tuple[int, ...]
    ):
        profile = bert_mini.profile()
        edits = tuple((place, profile.mask_id) for place in places)
        trace = bert_mini.trace_edited(text, edits=edits)
        words = bert_mini.tokenizer.convert_tokens_to_string(list(trace.tokens[1:-1]))
        expected = pipeline(words)
        for place, rows in zip(places, expected if len(places) > 1 else [expected], strict=True):
            found = token_distribution(trace.logits[place])
            assert [row["token"] for row in rows] == list(found.top(20))
            np.testing.assert_allclose(
                [row["score"] for row in rows],
                [found.probability(row["token"]) for row in rows],
                rtol=1e-4,
            )
            assert [found.rank(row["token"]) for row in rows] == list(range(1, 21))

    def test_masks_are_written_and_edited_alike(self, bert_mini):
        written = bert_mini.trace("Paris is the [MASK] of [MASK].")
        edited = bert_mini.trace_edited("Paris is the capital of France.", edits=((4, 4), (6, 4)))
        assert edited.tokens == written.tokens
        assert edited.encoding.special.tolist() == written.encoding.special.tolist()
        np.testing.assert_allclose(edited.logits, written.logits, atol=1e-5)

    def test_filling_one_mask_moves_the_other(self, bert_mini):
        text = "Paris is the capital of France."
        capital, france = (int(i) for i in bert_mini.trace(text).encoding.ids[[4, 6]])
        both = bert_mini.trace_edited(text, edits=((4, MASK), (6, MASK)))
        one = bert_mini.trace_edited(text, edits=((4, capital), (6, MASK)))
        before = token_distribution(both.logits[6]).probability(france)
        after = token_distribution(one.logits[6]).probability(france)
        assert after > 2 * before

    def test_next_sentence_is_worked_out_exactly(self, bert_mini):
        found = bert_mini.next_sentence_worked("The man went to the store.", "He bought milk.")
        np.testing.assert_allclose(
            found.weight @ found.pooled + found.bias, found.logits, atol=1e-5
        )
        assert np.abs(found.pooled).max() < 1
        assert found.probability == pytest.approx(
            bert_mini.next_sentence("The man went to the store.", "He bought milk.")
        )


@pytest.mark.parametrize("family", ENCODERS)
def test_the_input_is_the_sum_that_the_model_makes(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    found = model.embedding_parts(TEXT, pair="it was tired .")
    total = embedding_sum(
        tuple(part.rows for part in found.parts),
        gain=found.gain,
        offset=found.offset,
        epsilon=found.epsilon,
        models_own=found.normalised,
    )
    assert total.error < 2e-6
    first = model.trace(TEXT, pair="it was tired .").hidden_states()[0]
    if family in ("albert", "electra"):  # a linear map stands between
        assert found.normalised.shape[1] == 16
        assert found.d_model == first.shape[1] == 32
    else:
        np.testing.assert_allclose(total.normalised, first, atol=2e-6)
    index = {part.name: part.index.tolist() for part in found.parts}
    assert index["token"] == found.encoding.ids.tolist()
    start = 1 if family == "roberta" else 0  # behind the padding index
    assert index["position"] == list(range(start, start + len(found.encoding)))
    expected = None if family in ("distilbert", "deberta") else found.encoding.segments.tolist()
    assert index.get("segment") == expected


def test_parts_are_rows_of_the_models_own_tables(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    tables = model.module.bert.embeddings
    found = model.embedding_parts(TEXT)
    for part, table in zip(
        found.parts,
        (tables.word_embeddings, tables.position_embeddings, tables.token_type_embeddings),
        strict=True,
    ):
        weight = table.weight.detach().numpy()
        assert part.table == weight.shape
        np.testing.assert_array_equal(part.rows, weight[part.index])


@pytest.mark.parametrize("family", ENCODERS)
def test_edited_tokens_are_what_the_model_reads(family: str, tiny_checkpoint: Checkpoint):
    folder = tiny_checkpoint(family)
    model = core.load(folder)
    trace = model.trace_edited(TEXT, edits=((2, MASK), (6, MASK)))
    assert trace.tokens[2] == trace.tokens[6] == "[MASK]"
    expected = transformers.pipeline("fill-mask", model=str(folder), device="cpu")(
        "the [MASK] sat on a [MASK] .", top_k=3
    )
    for place, rows in zip((2, 6), expected, strict=True):
        found = token_distribution(trace.logits[place])
        assert list(found.top(3)) == [row["token"] for row in rows]
        np.testing.assert_allclose(
            [found.probability(row["token"]) for row in rows],
            [row["score"] for row in rows],
            rtol=1e-4,
        )


@pytest.mark.parametrize("family", ENCODERS)
def test_layers_of_edited_tokens_end_in_the_models_answer(family: str, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint(family))
    trace = model.trace_edited(TEXT, edits=((2, MASK),))
    layers = model.layer_logits(TEXT, positions=(2,), edits=((2, MASK),))
    assert layers.logits.shape[0] == 4
    np.testing.assert_allclose(layers.logits[-1, 0], trace.logits[2], atol=1e-4)


@pytest.mark.parametrize("family", ENCODERS)
def test_profiles_tell_what_a_family_can(family: str, tiny_checkpoint: Checkpoint):
    profile = core.load(tiny_checkpoint(family)).profile()
    assert profile.masked_lm
    assert profile.next_sentence == (family == "bert")
    assert profile.mask_token == "[MASK]"
    assert profile.mask_id == MASK
    assert profile.special_ids == {0, 1, 2, 3, 4}


@pytest.fixture(scope="module")
def discriminator(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("discriminator")
    config = transformers.ElectraConfig(**BERT_LIKE, embedding_size=16)
    transformers.ElectraForPreTraining(config).save_pretrained(folder)
    tiny_tokenizer("electra").save_pretrained(folder)
    return core.load(folder)


class TestElectrasDiscriminator:
    """It gives one number a token, which must not be taken for predictions."""

    def test_it_has_no_masked_lm_and_says_so(self, discriminator):
        assert not discriminator.profile().masked_lm
        with pytest.raises(core.InputError, match="has no masked-LM head; choose a model"):
            discriminator.fill_mask("the [MASK] sat")
        with pytest.raises(core.InputError, match="no head over the vocabulary"):
            discriminator.layer_logits("the cat sat")

    def test_its_input_and_states_are_there(self, discriminator):
        assert len(discriminator.embedding_parts(TEXT).parts) == 3
        assert len(discriminator.trace_edited(TEXT).hidden_states()) == 4


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("roberta-bytes")
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        ["the cat sat on a street", "a dog ran to the cat"] * 4,
        vocab_size=300,
        special_tokens=[
            *("<s>", "<pad>", "</s>", "<unk>"),
            AddedToken("<mask>", lstrip=True, special=True),  # as published
        ],
        show_progress=False,
    )
    trained.save(str(folder / "bytes.json"))
    tokenizer = transformers.RobertaTokenizer(tokenizer_file=str(folder / "bytes.json"))
    tokenizer.save_pretrained(folder)
    sizes = BERT_LIKE | {"vocab_size": len(tokenizer), "max_position_embeddings": 40}
    config = transformers.RobertaConfig(
        **(sizes | {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}),
        type_vocab_size=1,
    )
    torch.manual_seed(0)
    transformers.RobertaForMaskedLM(config).save_pretrained(folder)
    return core.load(folder)


class TestRealRobertasShape:
    """<mask>, Ġ, one segment row for all, positions from 2: as the published checkpoint."""

    def test_its_mask_and_its_limit(self, roberta):
        profile = roberta.profile()
        assert profile.mask_token == "<mask>"
        assert profile.segments == 1
        assert profile.token_limit == 38
        assert not profile.next_sentence

    def test_a_written_mask_and_an_edited_token_agree(self, roberta):
        written = roberta.trace("the <mask> sat")
        plain = roberta.trace("the cat sat")
        assert plain.tokens[2].startswith("Ġ")
        edited = roberta.trace_edited("the cat sat", edits=((2, roberta.profile().mask_id),))
        assert edited.tokens == written.tokens
        (answer,) = roberta.fill_mask("the <mask> sat", top_k=3)
        found = token_distribution(edited.logits[2])
        names = roberta.tokenizer.convert_ids_to_tokens(list(found.top(3)))
        assert names == [one.token for one in answer.candidates]

    def test_its_segment_row_is_one_for_all(self, roberta):
        found = roberta.embedding_parts("the cat sat", pair="a dog ran")
        parts = {part.name: part for part in found.parts}
        assert parts["segment"].table[0] == 1
        assert set(parts["segment"].index.tolist()) == {0}
        assert parts["position"].index[0] == 2


class TestBadEdits:
    def test_places_and_ids_that_are_not_there(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("bert"))
        with pytest.raises(core.InputError, match="no position 40: the text has 9 tokens"):
            model.trace_edited(TEXT, edits=((40, MASK),))
        with pytest.raises(core.InputError, match="no token 5000: ids run from 0 to 51"):
            model.trace_edited(TEXT, edits=((2, 5000),))

    def test_a_special_token_keeps_its_place(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("bert"))
        with pytest.raises(core.InputError, match=r"Position 0 holds \[CLS\], which the model"):
            model.trace_edited(TEXT, edits=((0, MASK),))

    def test_a_typed_mask_can_be_filled(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("bert"))
        trace = model.trace_edited("the [MASK] sat", edits=((2, 7),))
        assert trace.tokens == ("[CLS]", "the", "cat", "sat", "[SEP]")
        assert not trace.encoding.special[2]

    def test_edits_leave_the_models_other_answers_alone(self, tiny_checkpoint: Checkpoint):
        model = core.load(tiny_checkpoint("bert"))
        before = model.trace(TEXT).logits
        model.trace_edited(TEXT, edits=((2, MASK),))
        np.testing.assert_array_equal(model.trace(TEXT).logits, before)


def test_a_model_whose_input_is_no_sum_says_so(tmp_path: Path):
    config = transformers.ModernBertConfig(
        vocab_size=BERT_LIKE["vocab_size"], hidden_size=32, num_hidden_layers=2,
        num_attention_heads=4, intermediate_size=48, max_position_embeddings=64, pad_token_id=0,
        cls_token_id=2, sep_token_id=3, bos_token_id=2, eos_token_id=3,
    )  # fmt: skip
    transformers.ModernBertForMaskedLM(config).save_pretrained(tmp_path)
    tiny_tokenizer("bert").save_pretrained(tmp_path)
    with pytest.raises(core.InputError, match="does not add embeddings and normalise the sum"):
        core.load(tmp_path).embedding_parts(TEXT)


def test_a_text_of_masks_alone_is_a_text(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    assert [one.position for one in model.fill_mask("[MASK] [MASK]")] == [1, 2]
