"""What the tokenization page remembers, in its session and in its link."""

from app import links
from app.trainings import CUSTOM, Recipe
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


SOURCE = links.choice("source", ["text", "file"])
TEXT = links.Param("corpus", LECTURE, lambda given: given)  # too long for a link: told, not cut
READ = links.choice("read", ["counts", "text"])
MERGES = links.number("merges", 0, MOST_MERGES, 10)
TIE = links.choice("ties", RULES)
END = links.choice("end", ENDS)
BYTES = links.flag("bytes")
SPLIT = links.choice("split", [*(splitter.name for splitter in PRE_TOKENIZERS), CUSTOM])
PATTERN = links.text("pattern", r"\S+")
MINIMUM = links.number("min", 1, 1_000_000, 1)
STEP = links.number("step", 0, MOST_MERGES, 0)
PREDICT = links.flag("predict")
FORK = links.choice("fork", ["off", *RULES, *(f"end-{end}" for end in ENDS), "forced"])
FORCE = links.Param("force", None, parse_forced, write_forced)
WORD = links.text("word", "lowest")
WITH = links.choice("with", ["step", "list"])
LIST = links.text("list", LECTURE_LIST)
LIST_END = links.choice("listend", ["separate", "glued", "none", "guess"])
VARIANT = links.choice("variant", [str(variant) for variant in Variant])
DROPOUT = links.number("dropout", 0.0, 1.0, 0.0)
SEED = links.number("seed", 0, 1_000_000, 0)
WANT = links.text("want")

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


def get(param: links.Param):
    """A parameter's present value."""
    return links.value(PAGE, param)


def put(param: links.Param, value: object) -> None:
    links.put(PAGE, param, value)


def key(param: links.Param) -> str:
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
