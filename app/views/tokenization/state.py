"""What the tokenization page remembers, in its session and in its link."""

from typing import Any, Final

from app.services.bpe_training import CUSTOM, Recipe
from app.ui.params import Param, Scope
from core.tokenization.bpe import TIE_RULES, Variant
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS

HERE: Final = Scope("tokenization")
LECTURE: Final = "low 5, lower 2, newest 6, widest 3"
MOST_MERGES: Final = 20_000
LECTURE_LIST: Final = (
    "A b · a s · e r · s er · w as · Ab was · Abwas ser · B e · a n · d l · h an · n g · u ng · "
    "Be han · dl ung · Behan dlung · A n · a g · l ag"
)
RULES: Final = {str(card.rule): card for card in TIE_RULES}
ENDS: Final = {"separate": "</w> apart", "glued": "</w> glued", "none": "none"}
SPLITS: Final = {splitter.name: splitter.title for splitter in PRE_TOKENIZERS} | {
    CUSTOM: "My own pattern"
}
VARIANTS: Final = {
    str(Variant.RANK): "lowest rank first",
    str(Variant.WHOLE_WORD): "whole word first (ignore_merges)",
    str(Variant.CONCATENATION): "rank of the joined string (tiktoken)",
}

SOURCE: Final = HERE.choice("source", ["text", "file"])
TEXT: Final = HERE.custom("corpus", LECTURE, str, str)  # too long for a link: told, not cut
READ: Final = HERE.choice("read", {"counts": "word counts", "text": "text"})
MERGES: Final = HERE.whole("merges", 0, MOST_MERGES, 10)
TIE: Final = HERE.choice(
    "ties", {name: f"{card.title} · {card.used_by}" for name, card in RULES.items()}
)
END: Final = HERE.choice("end", ENDS)
BYTES: Final = HERE.flag("bytes")
SPLIT: Final = HERE.choice("split", SPLITS)
PATTERN: Final = HERE.text("pattern", r"\S+")
MINIMUM: Final = HERE.whole("min", 1, 1_000_000, 1)
LONGEST: Final = HERE.whole("longest", 0, 1000, 0)  # token, in symbols; 0: any
STEP: Final = HERE.whole("step", 0, MOST_MERGES, 0)
FORK: Final = HERE.choice(
    "fork", ["off", *RULES, *(f"end-{end}" for end in ENDS), "forced", "library"]
)
FORCE: Final = HERE.cell("force")  # "2.4": the fifth pair of the table after two merges
WORD: Final = HERE.text("word", "lowest")
WITH: Final = HERE.choice("with", ["step", "list"])
LIST: Final = HERE.text("list", LECTURE_LIST)
LIST_END: Final = HERE.choice("list_end", ENDS | {"guess": "as given"})
VARIANT: Final = HERE.choice("variant", VARIANTS)
DROPOUT: Final = HERE.real("dropout", 0.0, 1.0, 0.0)
SEED: Final = HERE.whole("seed", 0, 1_000_000, 0)
WANT: Final = HERE.text("want")

TRAINED: Final[tuple[Param[Any], ...]] = (  # what decides a training
    *(SOURCE, TEXT, READ, MERGES, TIE, END, BYTES, SPLIT, PATTERN, MINIMUM, LONGEST),
)
PARAMS: Final[tuple[Param[Any], ...]] = (
    *(*TRAINED, STEP),
    *(FORK, FORCE, WORD, WITH, LIST, LIST_END, VARIANT, DROPOUT, SEED, WANT),
)


def recipe(corpus: str | tuple[tuple[str, int], ...]) -> Recipe:
    """The training that the settings ask for, on this corpus."""
    byte_level = BYTES.value
    split = SPLIT.value
    return Recipe(
        corpus=corpus,
        n_merges=MERGES.value,
        tie_rule=TIE.value,
        end_of_word="none" if byte_level else END.value,
        byte_level=byte_level,
        pre_tokenizer=split,
        pattern=PATTERN.value if split == CUSTOM else "",
        min_frequency=MINIMUM.value,
        max_token_length=LONGEST.value,
    )
