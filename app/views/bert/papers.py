"""Figures printed in the papers, as they stand there."""

from collections.abc import Mapping, Sequence
from typing import Final

# Devlin et al. 2019, table 8: rates of masked, kept and random tokens (%), MNLI dev accuracy after
# fine-tuning, NER dev F1 after fine-tuning and with features of the last four layers. BERT-base.
MASKING_RATES: Final = (
    (80, 10, 10, 84.2, 95.4, 94.9),
    (100, 0, 0, 84.3, 94.9, 94.0),
    (80, 0, 20, 84.1, 95.2, 94.6),
    (80, 20, 0, 84.4, 95.2, 94.7),
    (0, 20, 80, 83.7, 94.8, 94.6),
    (0, 0, 100, 83.6, 94.9, 94.6),
)
# Devlin et al. 2019, table 5: dev sets, BERT-base.
ABLATION: Final = {
    "training": ("BERT base", "no NSP", "left to right, no NSP", "… with a BiLSTM on top"),
    "MNLI-m": (84.4, 83.9, 82.1, 82.1),
    "QNLI": (88.4, 84.9, 84.3, 84.1),
    "MRPC": (86.7, 86.5, 77.5, 75.7),
    "SST-2": (92.7, 92.6, 92.1, 91.6),
    "SQuAD F1": (88.5, 87.9, 77.8, 84.9),
}
# Liu et al. 2019, table 2: dev sets, base size, medians of five runs.
FORMATS: Final = {
    "input": (
        "segment pairs",
        "sentence pairs",
        "full sentences",
        "the same, one document",
        "BERT base",
        "XLNet base, K = 7",
        "XLNet base, K = 6",
    ),
    "NSP": ("yes", "yes", "no", "no", "yes", "", ""),
    "SQuAD 1.1": (90.4, 88.7, 90.4, 90.6, 88.5, None, None),
    "SQuAD 2.0": (78.7, 76.2, 79.1, 79.7, 76.3, 81.3, 81.0),
    "MNLI-m": (84.0, 82.9, 84.7, 84.7, 84.3, 85.8, 85.6),
    "SST-2": (92.9, 92.1, 92.5, 92.7, 92.8, 92.7, 93.4),
    "RACE": (64.2, 63.0, 64.8, 65.6, 64.3, 66.1, 66.7),
}
# Liu et al. 2019, table 1: the same model with masks fixed once (ten copies) or drawn anew.
STATIC_AND_DYNAMIC: Final = {
    "masking": ("BERT base (Devlin et al.)", "static", "dynamic"),
    "SQuAD 2.0": (76.3, 78.3, 78.7),
    "MNLI-m": (84.3, 84.3, 84.0),
    "SST-2": (92.8, 92.5, 92.9),
}


def printed(table: Mapping[str, Sequence[object]]) -> dict[str, list[str]]:
    """A table's entries with one decimal, as the papers have them; a dash where they have none."""
    return {name: [_entry(entry) for entry in column] for name, column in table.items()}


def _entry(entry: object) -> str:
    if entry is None:
        return "–"
    return f"{entry:.1f}" if isinstance(entry, float) else str(entry)
