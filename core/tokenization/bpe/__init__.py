"""Byte-pair encoding: training with every step kept, and encoding with every step shown."""

from core.tokenization.bpe.encoding import EncodeStep, Encoding, MergeNode, encode
from core.tokenization.bpe.explanation import (
    Comparison,
    Decision,
    PairChange,
    WordChange,
    decision,
    n_words_touched,
    pair_changes,
    words_touched,
)
from core.tokenization.bpe.export import merges_txt, tokenizer_json
from core.tokenization.bpe.forking import ForkView, fork, side_by_side
from core.tokenization.bpe.lesson import Lesson, lesson_of, read_lesson, write_lesson
from core.tokenization.bpe.library_check import LibraryCheck, check_against_library
from core.tokenization.bpe.lifetimes import Lifetime, lifetimes
from core.tokenization.bpe.merge_list import MergeList, read_merges
from core.tokenization.bpe.missing_token import Verdict, WhyNot, why_not
from core.tokenization.bpe.other_readings import fewest_tokens, longest_match
from core.tokenization.bpe.rule_flaws import Flaw, RuleFlaw, audit
from core.tokenization.bpe.segmentation import Variant
from core.tokenization.bpe.settings import BPESettings, StopReason
from core.tokenization.bpe.state import BPEState, MergeStep, PairRow, PairTable, WordView
from core.tokenization.bpe.tie_rules import TIE_RULES, TieRule, TieRuleCard
from core.tokenization.bpe.tokenizer import BPETokenizer, byte_level_tokenizer, from_training
from core.tokenization.bpe.training import BPETraining, train

__all__ = [
    "TIE_RULES",
    "BPESettings",
    "BPEState",
    "BPETokenizer",
    "BPETraining",
    "Comparison",
    "Decision",
    "EncodeStep",
    "Encoding",
    "Flaw",
    "ForkView",
    "Lesson",
    "LibraryCheck",
    "Lifetime",
    "MergeList",
    "MergeNode",
    "MergeStep",
    "PairChange",
    "PairRow",
    "PairTable",
    "RuleFlaw",
    "StopReason",
    "TieRule",
    "TieRuleCard",
    "Variant",
    "Verdict",
    "WhyNot",
    "WordChange",
    "WordView",
    "audit",
    "byte_level_tokenizer",
    "check_against_library",
    "decision",
    "encode",
    "fewest_tokens",
    "fork",
    "from_training",
    "lesson_of",
    "lifetimes",
    "longest_match",
    "merges_txt",
    "n_words_touched",
    "pair_changes",
    "read_lesson",
    "read_merges",
    "side_by_side",
    "tokenizer_json",
    "train",
    "why_not",
    "words_touched",
    "write_lesson",
]
