"""Next tokens and generation, against transformers' own; caches, limits, odd settings."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.explain.predictions.sampling import Sampling, distribution
from tests.tiny import tiny_config

Checkpoint = Callable[[str], Path]
DECODERS = ("gpt2", "llama", "opt", "gpt_neox")
TEXT = "the cat sat on a street"


@pytest.fixture(params=DECODERS)
def model(request: pytest.FixtureRequest, tiny_checkpoint: Checkpoint):
    return core.load(tiny_checkpoint(request.param))


def ids_by_transformers(model, text: str, **settings) -> list[int]:
    given = model.tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        made = model.module.generate(given, **settings)
    return made[0, given.shape[1] :].tolist()


def test_greedy_equals_generate(model):
    made = model.generate(TEXT, max_new_tokens=30, temperature=0)
    expected = ids_by_transformers(model, TEXT, max_new_tokens=30, do_sample=False)
    assert [step.id for step in made.steps] == expected
    assert all(step.rank == 1 and step.probability == 1 for step in made.steps)
    assert made.text == model.tokenizer.decode(expected)


def test_the_embedded_model_says_what_generate_says():
    model = core.load("gpt-mini")
    for text in ("Background music from a", "The river Rhine is", "Once upon a time there was"):
        made = model.generate(text, max_new_tokens=15, temperature=0)
        expected = ids_by_transformers(model, text, max_new_tokens=15, do_sample=False)
        assert [step.id for step in made.steps] == expected


def test_a_word_piece_writer_writes_on_with_spaces_and_ends():
    model = core.load("minilm-clm")
    made = model.generate("He had a cup of", max_new_tokens=40, temperature=0)
    expected = ids_by_transformers(
        model, "He had a cup of", max_new_tokens=40, do_sample=False, pad_token_id=0
    )
    assert [step.id for step in made.steps] == expected
    assert made.text.startswith(" ")
    assert (made.stopped, made.steps[-1].token) == ("end", "[SEP]")


def test_the_writing_model_copies_where_the_small_gpt_does_not():
    """As the lesson on GPT says."""
    said = [
        core.load(name).next_token("Mary lives in London. Mary lives in", top_k=1)[0].token
        for name in ("minilm-clm", "gpt-mini")
    ]
    assert said == ["london", "Ġa"]


def test_what_a_tokenizer_sets_before_a_prompt_is_no_part_of_what_was_read():
    model = core.load("minilm-clm")
    after = model.ids_of(" the lighthouses")
    step = model.next_step("We saw", continuation=after)
    assert (step.prompt, step.continuation) == ("we saw", " the lighthouses")
    assert step.encoding.tokens == ("[CLS]", "we", "saw", "the", "lighthouse", "##s")
    assert step.encoding.words.tolist() == [-1, 0, 1, 2, 3, 3]


def test_a_sampled_step_chooses_from_what_generate_would(model):
    """The processed scores that transformers itself sampled from, step by step."""
    settings = {"temperature": 0.7, "top_k": 20, "top_p": 0.8}
    made = model.generate(TEXT, max_new_tokens=8, seed=3, **settings)
    ids = [step.id for step in made.steps]
    prompt = model.tokenizer(TEXT)["input_ids"]
    for index, step in enumerate(made.steps):
        given = torch.tensor([[*prompt, *ids[:index]]])
        with torch.no_grad():
            output = model.module.generate(
                given,
                max_new_tokens=1,
                do_sample=True,
                output_scores=True,
                return_dict_in_generate=True,
                **settings,
            )
        expected = output.scores[0][0].softmax(-1).numpy()
        final = distribution(step.logits, Sampling(0.7, 20, 0.8)).final
        np.testing.assert_allclose(final, expected, atol=1e-5)
        assert step.probability == pytest.approx(expected[step.id], abs=1e-5)


def test_a_cached_step_equals_a_whole_pass(model):
    made = model.generate(TEXT, max_new_tokens=12, seed=1)
    for index, step in enumerate(made.steps):
        ids = tuple(one.id for one in made.steps[:index])
        whole = model.next_step(TEXT, continuation=ids)
        np.testing.assert_allclose(step.logits, whole.logits, atol=1e-5)
        np.testing.assert_allclose(step.attention, whole.attention, atol=1e-5)
        chosen = [one.raw_probability for one in made.steps[:index]]
        np.testing.assert_allclose(np.exp(whole.log_probabilities), chosen, rtol=1e-4)
        assert whole.ranks == tuple(one.rank for one in made.steps[:index])
        assert whole.bits == pytest.approx(-np.log2(chosen).sum(), rel=1e-4)


def test_a_step_is_the_last_row_of_the_trace(model):
    step, trace = model.next_step(TEXT), model.trace(TEXT)
    np.testing.assert_allclose(step.logits, trace.logits[-1], atol=1e-5)
    for layer, rows in enumerate(step.attention):
        np.testing.assert_allclose(rows, trace.attention(layer).weights[:, -1], atol=1e-6)
    assert step.encoding.tokens == trace.tokens
    assert (step.prompt, step.continuation) == (TEXT, "")


def test_a_trace_of_ids_is_the_trace_of_their_text(model):
    trace = model.trace(TEXT)
    again = model.trace_ids(tuple(trace.encoding.ids.tolist()))
    np.testing.assert_allclose(again.logits, trace.logits, atol=1e-6)


def test_seeds_repeat_and_differ(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    texts = [model.generate(TEXT, max_new_tokens=10, seed=seed).text for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_next_tokens_are_a_tempered_softmax(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    logits = torch.tensor(model.trace(TEXT).logits[-1])
    expected = (logits / 0.5).softmax(-1).topk(5)
    made = model.next_token(TEXT, top_k=5, temperature=0.5)
    assert [one.token for one in made] == model.tokenizer.convert_ids_to_tokens(expected.indices)
    np.testing.assert_allclose([one.probability for one in made], expected.values, rtol=1e-4)
    every = model.next_token(TEXT, top_k=10_000)
    assert len(every) == tiny_config("gpt2").vocab_size
    assert model.next_token(TEXT, temperature=0)[0].probability == 1


@pytest.mark.parametrize("settings", [{"top_p": 0}, {"top_k": 1}, {"temperature": 0}])
def test_three_ways_to_be_greedy(settings: dict, tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    expected = ids_by_transformers(model, TEXT, max_new_tokens=9, do_sample=False)
    assert [s.id for s in model.generate(TEXT, max_new_tokens=9, **settings).steps] == expected


@pytest.mark.parametrize("wrong", [{"temperature": -1}, {"top_p": 2}, {"top_k": -1}])
def test_settings_out_of_range_are_refused(wrong: dict, tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match="give"):
        core.load(tiny_checkpoint("gpt2")).generate(TEXT, **wrong)


def test_an_end_token_ends_it(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    greedy = model.generate(TEXT, max_new_tokens=6, temperature=0)
    assert greedy.stopped == "length"
    end = greedy.steps[2].id
    first = [step.id for step in greedy.steps].index(end)
    model.module.generation_config.eos_token_id = [end]
    made = model.generate(TEXT, max_new_tokens=6, temperature=0)
    assert made.stopped == "end"
    assert len(made.steps) == first + 1


def test_a_prompt_at_the_context_limit_has_one_next_token(model):
    text = "cat " * model.token_limit
    assert model.next_step(text).is_full
    made = model.generate(text, max_new_tokens=5)
    assert (len(made.steps), made.stopped) == (1, "context")
    with pytest.raises(core.InputError, match=r"have 65 tokens; .* reads up to 64\. Take some"):
        model.next_step(text, continuation=(5,))
    with pytest.raises(core.InputError, match="has 65 tokens; this model takes up to 64"):
        model.generate(text + "cat")


def test_a_token_that_is_not_there_is_told(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    with pytest.raises(core.InputError, match=r"no token 99999: .* has 52, counted from 0"):
        model.next_step(TEXT, continuation=(99999,))
    with pytest.raises(core.InputError, match="no token 52"):
        model.trace_ids((1, 52))


def test_it_writes_up_to_the_limit(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    model.module.generation_config.eos_token_id = None
    made = model.generate("cat " * 60, max_new_tokens=50)
    assert (len(made.steps), made.stopped) == (5, "context")


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_prompt_is_refused(text: str, tiny_checkpoint: Checkpoint):
    with pytest.raises(core.InputError, match=r"The text is empty\. Type at least one word"):
        core.load(tiny_checkpoint("gpt2")).next_token(text)


def test_emoji_go_in_and_tokens_come_out(tiny_checkpoint: Checkpoint):
    made = core.load(tiny_checkpoint("gpt2")).generate("the 😀 cat 👩‍👩‍👧", max_new_tokens=3)
    assert len(made.steps) == 3


def test_a_silenced_head_changes_what_comes(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    whole = model.next_step(TEXT)
    cut = model.next_step(TEXT, interventions=(core.SilenceHead(0, 1),))
    assert np.abs(whole.logits - cut.logits).max() > 1e-3
    with pytest.raises(core.InputError, match="no layer 9"):
        model.next_step(TEXT, interventions=(core.SilenceHead(9, 1),))


def test_a_continuation_scores_as_the_loss_says(model):
    before, after = model.ids_of(TEXT), model.ids_of("was too tired")
    score = model.score_continuation(TEXT, "was too tired")
    ids = torch.tensor([[*before, *after]])
    labels = ids.clone()
    labels[:, : len(before)] = -100
    with torch.no_grad():
        loss = float(model.module(ids, labels=labels).loss)
    assert -score.log_probabilities.mean() == pytest.approx(loss, rel=1e-5)
    assert score.probability == pytest.approx(np.exp(-loss * len(after)), rel=1e-4)
    assert score.tokens == ("was", "too", "tired")
    assert score.prompt_length == 6
    assert score.first_choice == int(model.trace(TEXT).logits[-1].argmax())
    with pytest.raises(core.InputError, match="answer makes no token"):
        model.score_continuation(TEXT, "")


def test_an_inventory_leaves_special_tokens_out(tiny_checkpoint: Checkpoint):
    model = core.load(tiny_checkpoint("gpt2"))
    made = model.inventory()
    assert made.plain == tuple(range(5, 52))
    assert (made.start, made.limit) == (3, 64)  # no start token: the end of the text before
