"""WordPiece: training by likelihood or frequency, and longest-match encoding."""

from core.tokenization.wordpiece.encoding import (
    PREFIX,
    UNKNOWN,
    MatchStep,
    WordPieceEncoding,
    WordPieceTokenizer,
    encode,
)
from core.tokenization.wordpiece.training import Score, WordPieceStep, WordPieceTraining, train

__all__ = [
    "PREFIX",
    "UNKNOWN",
    "MatchStep",
    "Score",
    "WordPieceEncoding",
    "WordPieceStep",
    "WordPieceTokenizer",
    "WordPieceTraining",
    "encode",
    "train",
]
