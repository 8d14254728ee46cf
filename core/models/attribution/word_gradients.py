"""Evidence from gradients with respect to the words' vectors, summed over each vector."""

from typing import Final

import numpy as np
import torch
from torch import Tensor

from core.capture.word_embeddings import WordVectors
from core.errors import InputError
from core.long_work import checkpoint
from core.models.attribution.token_question import TokenQuestion
from core.outputs.token_evidence import TokenEvidence

STEPS: Final = 64  # points of the integral: fewer leave a residue that shows
AT_ONCE: Final = 8  # of them in one forward


def gradient_input(question: TokenQuestion) -> TokenEvidence:
    """∂logit/∂x_j · x_j, of the word's vector alone, without position and segment.

    Denil, Demiraj & de Freitas 2014, https://arxiv.org/abs/1412.6815.
    """
    with WordVectors(question.model.module) as seen:
        (answer,) = question.answers(question.forward(question.source))
    vectors = _vectors(seen)
    (gradient,) = torch.autograd.grad(answer, [vectors])
    return TokenEvidence(_summed(gradient[0] * vectors[0]))


def integrated_gradients(question: TokenQuestion, steps: int = STEPS) -> TokenEvidence:
    """Words' shares in the logit's change from the text with every word hidden to the text.

    Sundararajan, Taly & Yan 2017, https://arxiv.org/abs/1703.01365, equation 1, by Gauss and
    Legendre's rule. A word is hidden as everywhere here (`replaced_tokens.stand_in`); special
    tokens, positions and segments stay, and get nothing. `TokenEvidence.residual` is what the
    rule missed.
    """
    start, end = _looked_up(question, hidden=True), _looked_up(question, hidden=False)
    points, weights = np.polynomial.legendre.leggauss(steps)
    along = torch.as_tensor((points + 1) / 2, dtype=end.dtype, device=end.device)
    shares = torch.as_tensor(weights / 2, dtype=end.dtype, device=end.device)
    total = torch.zeros_like(end)
    for first in range(0, steps, AT_ONCE):
        checkpoint()
        part = along[first : first + AT_ONCE]
        vectors = start + part[:, None, None] * (end - start)
        with WordVectors(question.model.module, vectors):
            logits = question.forward(question.source, rows=len(part))
        answer = torch.stack(question.answers(logits)).sum()
        (slopes,) = torch.autograd.grad(answer, [vectors])
        total += torch.einsum("r,rtd->td", shares[first : first + AT_ONCE], slopes)[None]
    found = (_logit(question, hidden=False), _logit(question, hidden=True))
    return TokenEvidence(_summed((end - start)[0] * total[0]), *found)


def _logit(question: TokenQuestion, *, hidden: bool) -> float:
    source = question.hidden() if hidden else question.source
    with torch.no_grad():
        (answer,) = question.answers(question.forward(source))
    return float(answer)


def _looked_up(question: TokenQuestion, *, hidden: bool) -> Tensor:
    """(1, token, width): the vectors of the text's words, or of what stands for them."""
    source = question.hidden() if hidden else question.source
    with WordVectors(question.model.module) as seen, torch.no_grad():
        question.forward(source)
    return _vectors(seen).detach()


def _vectors(seen: WordVectors) -> Tensor:
    if seen.vectors is None:
        raise InputError(
            "This model looks its words up in another way than a table of embeddings, so no "
            "gradient can be taken there. Choose leave-one-out, which needs none."
        )
    return seen.vectors


def _summed(products: Tensor) -> np.ndarray:
    """(token,) of (token, width)."""
    return products.detach().sum(-1).float().cpu().numpy()
