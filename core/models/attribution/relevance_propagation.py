"""LRP through a ViT: how much of the answer's relevance lies on every head's every weight.

Chefer, Gur & Wolf 2021 (CVPR), https://arxiv.org/abs/2012.09838, equations 13 and 14, with R of
`core.capture.relevance_rules` where generic relevance has the weights themselves:

    Ā_l = mean over heads of (∇A_l ⊙ R_l)⁺        C = (I + Ā_L) · … · (I + Ā_1)

As in the authors' code and unlike rollout's, rows are not divided by their sums.
"""

import numpy as np
from jaxtyping import Float32

from core.capture.attention_call import AttentionCall
from core.capture.gradients import with_gradients
from core.capture.recorder import Recorder
from core.capture.relevance_mode import RelevanceMode
from core.errors import InputError
from core.explain.flow.relevance import gained_row, positive_mean
from core.models.attribution.question import Question
from core.models.vision.pooling import answer_weights
from core.targets import ClassContrast
from core.trace import AttentionKind, AttentionLayer

Heads = Float32[np.ndarray, "head query key"]


def lrp_of(question: Question) -> Float32[np.ndarray, "row column"]:
    """C at the answer's tokens, over the patches; an attention pool, after the blocks, reads on."""
    relevance = [_relevance(call) for call in relevance_of_maps(question)]
    trace = question.trace(gradient_of=question.target)
    layers = trace.layers[AttentionKind.ENCODER]
    maps = list(map(_positive, layers, relevance))
    shares = answer_weights(question.title, question.module, question.patches)
    if shares is not None:
        row = gained_row(maps, shares)
    else:
        if trace.pool is None:
            raise ValueError(f"{trace.model_id} pools by attention, but its trace has no pool")
        start = _positive(trace.pool, relevance[len(layers)])[0]
        row = start + gained_row(maps, start)
    return row[question.patches.prefix_tokens :].reshape(question.shape)


def relevance_of_maps(question: Question) -> list[AttentionCall]:
    """A forward's attention calls, each with R of its weights where gradients stand otherwise.

    R starts as 1 on the class (equation 6). Raises InputError for two classes, and for a model
    that computes something for which the paper has no rule.
    """
    if isinstance(question.target, ClassContrast):
        raise InputError(
            "LRP starts with relevance 1 on one class; on a second one it would be −1, together "
            "zero, and its sums would share out nothing. Ask without “rather than”, or choose "
            "another method."
        )
    recorder = Recorder(question.paths, lambda _: AttentionKind.ENCODER, explicit=True)
    with RelevanceMode(question.title, question.paths), recorder:
        logits = question.module(question.pixels.detach())
    if any(call.weights is None or call.weights.is_leaf for call in recorder.calls[:1]):
        raise InputError(
            f"{question.title} cuts its picture into patches in a place that isn't known here, so "
            "LRP has no tokens to begin at. Choose another method."
        )
    return with_gradients(recorder.calls, logits[0], question.target)


def _relevance(call: AttentionCall) -> Heads:
    if call.gradients is None:
        raise ValueError("every call was given its relevance")
    return call.gradients[0].float().cpu().numpy()


def _positive(layer: AttentionLayer, relevance: Heads) -> Float32[np.ndarray, "query key"]:
    if layer.gradients is None:
        raise ValueError("the trace was asked for with gradients")
    return positive_mean(layer.gradients, relevance)
