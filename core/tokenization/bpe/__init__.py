"""Byte-pair encoding: training with every step kept, and encoding with every step shown."""

from core.tokenization.bpe.settings import BPESettings, Progress, StopReason
from core.tokenization.bpe.state import BPEState, MergeStep, PairRow, PairTable, WordView
from core.tokenization.bpe.tie_rules import TIE_RULES, TieRule
from core.tokenization.bpe.training import BPETraining, train

__all__ = [
    "TIE_RULES",
    "BPESettings",
    "BPEState",
    "BPETraining",
    "MergeStep",
    "PairRow",
    "PairTable",
    "Progress",
    "StopReason",
    "TieRule",
    "WordView",
    "train",
]
