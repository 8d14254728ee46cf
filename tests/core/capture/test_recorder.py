"""The captured weights are the model's own: equal to transformers' eager implementation."""

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import core
from core.trace import AttentionKind
from tests.tiny import DECODERS, ENCODERS, TRANSLATORS, tiny_model

TEXT = "the animal did n't cross the street because it was too tired ."
TARGET = "a dog ran to the cat , it was tired !"
TOLERANCE = 1e-5


def eager_maps(folder: Path, family: str, tensors: dict[str, torch.Tensor]) -> dict[str, tuple]:
    model = type(tiny_model(family)).from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        output = model(**tensors, output_attentions=True)
    if family in TRANSLATORS:
        return {
            "encoder": output.encoder_attentions,
            "decoder": output.decoder_attentions,
            "cross": output.cross_attentions,
        }
    return {"encoder" if family in ENCODERS else "decoder": output.attentions}


@pytest.mark.parametrize("family", [*ENCODERS, *DECODERS, *TRANSLATORS])
def test_weights_equal_eager_attention(family: str, tiny_checkpoint: Callable[[str], Path]):
    folder = tiny_checkpoint(family)
    model = core.load(folder)
    given = {"target": TARGET} if family in TRANSLATORS else {}
    trace = model.trace(TEXT, **given)
    tensors = model.tensors([model.prepare(TEXT, **given)])
    for kind, maps in eager_maps(folder, family, tensors).items():
        assert trace.n_layers(AttentionKind(kind)) == len(maps)
        for index, expected in enumerate(maps):
            layer = trace.attention(index, kind=AttentionKind(kind))
            np.testing.assert_allclose(layer.weights, expected[0], atol=TOLERANCE)
            np.testing.assert_allclose(layer.row(2), expected[0, :, 2], atol=TOLERANCE)


@pytest.mark.parametrize("family", ["bert", "llama", "t5"])
def test_a_trace_leaves_the_models_answer_as_it_is(family: str, tiny_checkpoint):
    model = core.load(tiny_checkpoint(family))
    given = {"target": TARGET} if family == "t5" else {}
    bare = model.module(**model.tensors([model.prepare(TEXT, **given)]))
    logits = bare.get("logits", bare.get("prediction_logits"))
    np.testing.assert_array_equal(model.trace(TEXT, **given).logits, logits[0].numpy())


def test_a_causal_mask_hides_the_future(tiny_checkpoint):
    layer = core.load(tiny_checkpoint("gpt2")).trace(TEXT).attention(1)
    assert np.all(np.triu(layer.weights, 1) == 0)
    np.testing.assert_array_equal(layer.allowed().sum(1), np.arange(1, layer.weights.shape[1] + 1))


def test_one_token_of_grouped_keys_is_told_from_packed_heads(tiny_checkpoint):
    layer = core.load(tiny_checkpoint("llama")).trace("cat").attention(0)
    assert layer.weights.shape == (4, 1, 1)
    np.testing.assert_array_equal(layer.weights, 1)


def test_two_tokens_of_grouped_keys(tiny_checkpoint):
    layer = core.load(tiny_checkpoint("llama")).trace("cat sat").attention(0)
    assert layer.weights.shape == (4, 2, 2)
    assert layer.grouped_keys is not None
    assert layer.grouped_keys.shape[0] in (2, 4)
    assert layer.keys is not None
    assert layer.keys.shape[0] == 4


def test_padding_is_as_if_it_were_not_there(tiny_checkpoint):
    """The recorder reads a padded row's mask: what is masked gets exactly no weight."""
    from core.capture import Recorder

    model = core.load(tiny_checkpoint("bert"))
    short = torch.tensor([[2, 5, 6, 3, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 0, 0]])
    recorder = Recorder(model.paths, model.kind_of)
    with torch.inference_mode(), recorder:
        model.module(input_ids=short, attention_mask=mask)
    padded = recorder.calls[0].layer_of(0, {})
    recorder = Recorder(model.paths, model.kind_of)
    with torch.inference_mode(), recorder:
        model.module(input_ids=short[:, :4])
    bare = recorder.calls[0].layer_of(0, {})
    assert np.all(padded.weights[:, :, 4:] == 0)
    np.testing.assert_allclose(padded.weights[:, :4, :4], bare.weights, atol=TOLERANCE)
    assert padded.allowed().sum(1).tolist() == [4] * 6


def test_a_batch_gives_each_row_its_own_maps(tiny_checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    texts = ["the cat sat .", "a dog ran !", "it was too tired to cross"]
    for text, trace in zip(texts, model.trace_many(texts), strict=True):
        alone = model.trace(text)
        assert trace.tokens == alone.tokens
        np.testing.assert_allclose(
            trace.attention(2).weights, alone.attention(2).weights, atol=TOLERANCE
        )


def test_threads_that_share_a_model_never_mix(tiny_checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    texts = ["the cat sat", "a dog ran", "it was tired", "the street was too"]
    expected = {text: model.trace(text).attention(1).weights for text in texts}
    wrong: list[str] = []

    def many(text: str) -> None:
        for _ in range(15):
            weights = model.trace(text).attention(1).weights
            if not np.array_equal(weights, expected[text]):
                wrong.append(text)

    threads = [threading.Thread(target=many, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_arrays_are_read_only_and_keep_nothing_else_alive(tiny_checkpoint):
    """A result changes hands without a copy only if it is alone in its memory."""
    model = core.load(tiny_checkpoint("bert"))
    alone, batched = model.trace(TEXT), model.trace_many([TEXT, TEXT])[0]
    for trace in (alone, batched):
        layer = trace.attention(0)
        for array in (layer.queries, layer.keys, layer.values, layer.weights, trace.logits):
            assert array is not None
            assert not array.flags.writeable
            base = getattr(array.base, "base", None)  # of the whole batch's
            assert base is None or base.untyped_storage().nbytes() == array.nbytes


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "deberta", "t5"])
def test_a_trace_stays_as_it_is_while_the_model_works_on(family: str, tiny_checkpoint):
    model = core.load(tiny_checkpoint(family))
    given = {"target": TARGET} if family == "t5" else {}
    trace = model.trace(TEXT, **given)
    arrays = [array for states in trace.states.values() for array in states]
    layers = [layer for of_kind in trace.layers.values() for layer in of_kind]
    arrays += [layer.weights for layer in layers]
    arrays += [layer.queries for layer in layers if layer.queries is not None]
    before = [array.copy() for array in arrays]
    for text in (TARGET, TEXT.replace("animal", "dog"), TARGET):
        model.trace(text, **given)
    for now, then in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_a_missing_map_is_an_error_that_says_so(tiny_checkpoint):
    model = core.load(tiny_checkpoint("bert"))
    layer = model.module.bert.encoder.layer[1].attention.self
    original = type(layer).forward
    layer.forward = lambda hidden, *_, **__: (hidden, None)  # a layer that never attends
    with pytest.raises(core.InputError, match=r"2 encoder attention maps were seen, .* promises 3"):
        model.trace(TEXT)
    assert original is type(layer).forward


def test_a_softmax_over_something_else_is_an_error(tiny_checkpoint):
    """A map that is no distribution over keys is never shown as one."""
    model = core.load(tiny_checkpoint("deberta"))
    attention = model.module.deberta.encoder.layer[0].attention.self
    whole = attention.forward

    def over_heads(hidden: torch.Tensor, *rest: object, **options: object) -> object:
        torch.softmax(torch.zeros(1, 4, 5, 5), dim=1)
        return whole(hidden, *rest, **options)

    attention.forward = over_heads
    attention.attention = over_heads
    with pytest.raises(core.InputError, match="rows don't sum to one"):
        model.trace(TEXT)


@pytest.mark.gpu
def test_weights_on_the_gpu_equal_those_on_the_cpu(tiny_checkpoint):
    folder = tiny_checkpoint("bert")
    on_cpu = core.load(folder, device="cpu").trace(TEXT).attention(2).weights
    on_gpu = core.load(folder, device="cuda").trace(TEXT).attention(2).weights
    np.testing.assert_allclose(on_gpu, on_cpu, atol=TOLERANCE)
