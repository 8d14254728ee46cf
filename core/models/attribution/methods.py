"""Evidence of a picture model for a class, by any method of `core.explain.attribution.registry`.

Methods that follow from attention maps are here; those that look into layers or change pixels
are in `evidence_layers` and `evidence_pixels`.
"""

import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import numpy as np
from jaxtyping import Float32

from core.capture.gradients import refuse_missing_class
from core.errors import InputError
from core.explain.attribution import cams
from core.explain.attribution.registry import EvidenceMethod, evidence_method
from core.explain.flow.gradient_rollout import gradient_rollout_row
from core.explain.flow.relevance import positive_map, relevance_row
from core.explain.flow.rollout import fuse_heads, fused_maps, row_of_maps
from core.models.attribution.layer_methods import cam_of, legrad_of
from core.models.attribution.pixel_methods import integrated_gradients, occlusion
from core.models.attribution.question import Question
from core.models.attribution.relevance_propagation import lrp_of
from core.models.vision.pooling import answer_weights
from core.trace import Trace, read_only


def evidence(question: Question, method: str) -> Float32[np.ndarray, "row column"]:
    """One number a patch, on `Trace.patches`. Raises InputError where a method can't be used."""
    chosen = evidence_method(method)
    refuse_missing_class(question.target, int(getattr(question.module, "num_classes", 0)))
    _refuse_without_maps(question, chosen)
    return read_only(MAKERS[chosen.id](question))


def _random(question: Question) -> np.ndarray:
    """Drawn anew for every picture, always the same for one."""
    seed = zlib.crc32(question.pixels.cpu().numpy().tobytes())
    return np.random.default_rng(seed).random(question.shape, dtype=np.float32)


def _uniform(question: Question) -> np.ndarray:
    rows, columns = question.shape
    return np.full((rows, columns), 1 / (rows * columns), dtype=np.float32)


def _raw_attention(question: Question) -> np.ndarray:
    trace = question.trace()
    shares = _shares(question)
    if shares is None:
        return _on_patches(question, _pooling(trace))
    last = trace.attention(trace.n_layers() - 1)
    return _on_patches(question, shares @ fuse_heads(last.weights))


def _rollout(question: Question) -> np.ndarray:
    trace = question.trace()
    shares = _shares(question)
    start = _pooling(trace) if shares is None else shares
    return _on_patches(question, row_of_maps(fused_maps(trace), start))


def _gradient_rollout(question: Question) -> np.ndarray:
    trace = question.trace(gradient_of=question.target)
    shares = _shares(question)
    start = _positive_pooling(trace) if shares is None else shares
    return _on_patches(question, gradient_rollout_row(trace, start))


def _relevance(question: Question) -> np.ndarray:
    """Without a class token the patches' rows of R − I; an attention pool reads R on."""
    trace = question.trace(gradient_of=question.target)
    shares = _shares(question)
    if shares is not None:
        return _on_patches(question, relevance_row(trace, shares))
    start = _positive_pooling(trace)
    return _on_patches(question, start + relevance_row(trace, start))


def _shares(question: Question) -> np.ndarray | None:
    return answer_weights(question.title, question.module, question.patches)


def _pooling(trace: Trace) -> Float32[np.ndarray, " position"]:
    """Where an attention pool looks, heads averaged."""
    if trace.pool is None:
        raise ValueError(f"{trace.model_id} pools by attention, but its trace has no pool")
    return fuse_heads(trace.pool.weights)[0]


def _positive_pooling(trace: Trace) -> Float32[np.ndarray, " position"]:
    """Ā of an attention pool."""
    if trace.pool is None:
        raise ValueError(f"{trace.model_id} pools by attention, but its trace has no pool")
    return positive_map(trace.pool)[0]


def _on_patches(question: Question, row: np.ndarray) -> np.ndarray:
    return row[question.patches.prefix_tokens :].reshape(question.shape)


def _refuse_without_maps(question: Question, method: EvidenceMethod) -> None:
    if method.needs_attention and not hasattr(question.module, "blocks"):
        raise InputError(
            "This follows attention from the answer back to the patches through maps over one "
            f"grid; {question.title} looks within windows, on grids that shrink. Use GradCAM, "
            "integrated gradients or occlusion, which need no maps."
        )


MAKERS: Final[Mapping[str, Callable[[Question], np.ndarray]]] = {
    "random": _random,
    "uniform": _uniform,
    "raw-attention": _raw_attention,
    "rollout": _rollout,
    "gradient-rollout": _gradient_rollout,
    "relevance": _relevance,
    "lrp": lrp_of,
    "gradcam": partial(cam_of, cams.gradcam),
    "gradcam-plus-plus": partial(cam_of, cams.gradcam_plus_plus),
    "xgradcam": partial(cam_of, cams.xgradcam),
    "layercam": partial(cam_of, cams.layercam),
    "hirescam": partial(cam_of, cams.hirescam),
    "eigencam": partial(cam_of, cams.eigencam),
    "legrad": legrad_of,
    "integrated-gradients": integrated_gradients,
    "occlusion": occlusion,
}
