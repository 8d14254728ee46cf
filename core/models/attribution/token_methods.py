"""Evidence of a text model for a token, by any method of `token_registry`."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
from jaxtyping import Float32

from core.errors import InputError
from core.explain.attribution.registry import evidence_method
from core.explain.attribution.token_registry import TOKEN_EVIDENCE
from core.explain.flow.attention_flow import flow_row
from core.explain.flow.relevance import relevance_row
from core.explain.flow.rollout import fused_maps, one_hot, row_of_maps, rows_to_one
from core.interventions import BlockEdge, Intervention
from core.models.attribution.context_mixing import value_zeroing_maps, written_maps
from core.models.attribution.token_question import TokenQuestion
from core.models.attribution.word_gradients import gradient_input, integrated_gradients
from core.outputs.token_evidence import TokenEvidence


def token_evidence(question: TokenQuestion, method: str) -> TokenEvidence:
    """One number a token. Raises InputError where a method can't be used."""
    chosen = evidence_method(method, TOKEN_EVIDENCE)
    if not 0 <= question.target.position < len(question.source):
        raise InputError(
            f"There is no position {question.target.position}: the text has "
            f"{len(question.source)} tokens, counted from 0."
        )
    found = MAKERS[chosen.id](question)
    return found if isinstance(found, TokenEvidence) else TokenEvidence(found)


def _random(question: TokenQuestion) -> np.ndarray:
    """Drawn anew for every text, always the same for one."""
    seed = zlib.crc32(question.source.ids.tobytes())
    return np.random.default_rng(seed).random(len(question.source), dtype=np.float32)


def _leave_one_out(question: TokenQuestion) -> np.ndarray:
    """How much of the token's probability goes when one word is hidden; special tokens stay.

    Li, Monroe & Jurafsky 2016, https://arxiv.org/abs/1612.08220, with a stand-in for the word
    instead of nothing, so that the others keep their places.
    """
    return _lost(question, [(question.hiding([int(word)]),) for word in question.words])


def _leave_one_out_edges(question: TokenQuestion) -> np.ndarray:
    """The same with the word in its place and nobody looking at it, in any layer and head.

    Attention knockout, Geva et al. 2023, https://arxiv.org/abs/2304.14767, in all layers. The
    text stays one that the model knows; the place that answers loses nothing of
    itself.
    """
    words, n_tokens = question.words, len(question.source)
    layers = [range(question.trace().attention(layer, kind=question.kind).n_heads)
              for layer in range(question.model.promised_maps()[question.kind])]  # fmt: skip
    edges = [
        tuple(
            BlockEdge(layer, head, query, int(word), question.kind)
            for layer, heads in enumerate(layers)
            for head in heads
            for query in range(n_tokens)
            if query != word
        )
        for word in words
    ]
    return _lost(question, edges)


def _lost(question: TokenQuestion, changes: Sequence[tuple[Intervention, ...]]) -> np.ndarray:
    """How much of the token's probability goes under each word's change."""
    found = question.measure([(), *changes])
    lost = np.zeros(len(question.source), dtype=np.float32)
    lost[question.words] = found[0] - found[1:]
    return lost


def _relevance(question: TokenQuestion) -> np.ndarray:
    return relevance_row(question.trace(gradient_of=question.target), _start(question))


def _value_zeroing(question: TokenQuestion) -> np.ndarray:
    """The layers' maps multiplied; each already holds what a token keeps of itself."""
    maps = value_zeroing_maps(question.model, question.source, question.kind)
    return row_of_maps([rows_to_one(each) for each in maps], _start(question), residual=0)


def _written_rollout(question: TokenQuestion) -> np.ndarray:
    maps = written_maps(question.model, question.trace())
    return row_of_maps([rows_to_one(each) for each in maps], _start(question))


def _rollout(question: TokenQuestion) -> np.ndarray:
    return row_of_maps(fused_maps(question.trace()), _start(question))


def _flow(question: TokenQuestion) -> np.ndarray:
    return flow_row(fused_maps(question.trace()), _start(question))


def _start(question: TokenQuestion) -> Float32[np.ndarray, " position"]:
    return one_hot(len(question.source), question.target.position)


MAKERS: Final[Mapping[str, Callable[[TokenQuestion], np.ndarray | TokenEvidence]]] = {
    "random": _random,
    "leave-one-out": _leave_one_out,
    "leave-one-out-edges": _leave_one_out_edges,
    "integrated-gradients": integrated_gradients,
    "gradient-input": gradient_input,
    "relevance": _relevance,
    "value-zeroing": _value_zeroing,
    "written-rollout": _written_rollout,
    "rollout": _rollout,
    "flow": _flow,
}
