"""Unigram: training by EM and pruning, lattices, n-best cuttings and sampling."""

from core.tokenization.unigram.model import (
    Cutting,
    Lattice,
    LatticeEdge,
    LatticeNode,
    UnigramModel,
    best,
    corpus_loss,
    from_frequencies,
    lattice,
    model_of,
    n_best,
    sample,
)
from core.tokenization.unigram.tokenizer import UnigramTokenizer, from_training
from core.tokenization.unigram.training import PrunedPiece, UnigramRound, UnigramTraining, train

__all__ = [
    "Cutting",
    "Lattice",
    "LatticeEdge",
    "LatticeNode",
    "PrunedPiece",
    "UnigramModel",
    "UnigramRound",
    "UnigramTokenizer",
    "UnigramTraining",
    "best",
    "corpus_loss",
    "from_frequencies",
    "from_training",
    "lattice",
    "model_of",
    "n_best",
    "sample",
    "train",
]
