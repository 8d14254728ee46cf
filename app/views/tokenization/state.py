"""What the tokenization page remembers, in its session and in its link."""

from app.services.bpe_training import CUSTOM, Recipe
from app.ui import params
from core.tokenization.bpe import TIE_RULES, Variant
from core.tokenization.pre_tokenizers import PRE_TOKENIZERS

PAGE = "tokenization"
LECTURE = "low 5, lower 2, newest 6, widest 3"
MOST_MERGES = 20_000
LECTURE_LIST = (
    "A b · a s · e r · s er · w as · Ab was · Abwas ser · B e · a n · d l · h an · n g · u ng · "
    "Be han · dl ung · Behan dlung · A n · a g · l ag"
)
RULES = [str(card.rule) for card in TIE_RULES]
ENDS = ["separate", "glued", "none"]


def parse_forced(given: str) -> tuple[int, int] | None:
    """ "2.4": the fifth pair of the table after two merges."""
    try:
        step, row = given.split(".")
        return abs(int(step)), abs(int(row))
    except ValueError:
        return None


def write_forced(forced: tuple[int, int] | None) -> str:
    return "" if forced is None else f"{forced[0]}.{forced[1]}"


SOURCE = params.choice("source", ["text", "file"])
TEXT = params.Param("corpus", LECTURE, lambda given: given)  # too long for a link: told, not cut
READ = params.choice("read", ["counts", "text"])
MERGES = params.number("merges", 0, MOST_MERGES, 10)
TIE = params.choice("ties", RULES)
END = params.choice("end", ENDS)
BYTES = params.flag("bytes")
SPLIT = params.choice("split", [*(splitter.name for splitter in PRE_TOKENIZERS), CUSTOM])
PATTERN = params.text("pattern", r"\S+")
MINIMUM = params.number("min", 1, 1_000_000, 1)
STEP = params.number("step", 0, MOST_MERGES, 0)
PREDICT = params.flag("predict")
FORK = params.choice("fork", ["off", *RULES, *(f"end-{end}" for end in ENDS), "forced"])
FORCE = params.Param("force", None, parse_forced, write_forced)
WORD = params.text("word", "lowest")
WITH = params.choice("with", ["step", "list"])
LIST = params.text("list", LECTURE_LIST)
LIST_END = params.choice("listend", ["separate", "glued", "none", "guess"])
VARIANT = params.choice("variant", [str(variant) for variant in Variant])
DROPOUT = params.number("dropout", 0.0, 1.0, 0.0)
SEED = params.number("seed", 0, 1_000_000, 0)
WANT = params.text("want")

PARAMS = (
    SOURCE,
    TEXT,
    READ,
    MERGES,
    TIE,
    END,
    BYTES,
    SPLIT,
    PATTERN,
    MINIMUM,
    STEP,
    PREDICT,
    FORK,
    FORCE,
    WORD,
    WITH,
    LIST,
    LIST_END,
    VARIANT,
    DROPOUT,
    SEED,
    WANT,
)


# Drawn inside the fragment: its own reruns must keep those that they do not draw.
IN_FRAGMENT = (FORK, WORD, WITH, LIST, LIST_END, VARIANT, DROPOUT, SEED, WANT)


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def recipe(corpus: str | tuple[tuple[str, int], ...]) -> Recipe:
    """The training that the settings ask for, on this corpus."""
    byte_level = get(BYTES)
    split = get(SPLIT)
    return Recipe(
        corpus=corpus,
        n_merges=get(MERGES),
        tie_rule=get(TIE),
        end_of_word="none" if byte_level else get(END),
        byte_level=byte_level,
        pre_tokenizer=split,
        pattern=get(PATTERN) if split == CUSTOM else "",
        min_frequency=get(MINIMUM),
    )
