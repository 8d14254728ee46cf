"""What no browser of ours sends: links and reports of components, made up from a seed."""

from random import Random
from typing import Any, Final

PIECES: Final = (
    *("", " ", "0", "1", "7", "-1", "3.1", "5.11", "2.0.1", "4,6", "1e999", "NaN", "-inf", "0x10"),
    *(
        "9" * 30,
        "9" * 5000,
        "1.5",
        "²",
        "٣",
        "½",
        "１",
        "_1",
        "1_0",
        "+3",
        "--",
        ".",
        ",",
        "..",
        "/",
    ),
    *("..", "/", "\\", "%", "%00", "\0", "\x1b[31m", "\r\n", "\t", "\u202e", "\u200b", "\ufeff"),
    *("</script>", "<svg onload=alert(1)>", "javascript:", "$x^2$", ":material/home:", ":red[x]"),
    *("true", "None", "null", "[]", "{}", "mean", "encoder", "cross", "minilm-l6", "bert-mini"),
    *(
        "../../etc/passwd",
        "C:\\con",
        "http://localhost",
        "x" * 3000,
        "the cat sat",
        "müde 🦊",
        "👩‍👧",
    ),
)
LONE: Final = "\ud800"  # half of a sign: no text, but JSON lets it pass
NAMES: Final = ("value", "serial", "head", "heads", "layer", "token", "query", "key", "pins", "")


def word(random: Random, valid: str = "") -> str:
    """Nonsense, or what is nearly right."""
    if valid and random.random() < 0.3:
        at = random.randrange(len(valid) + 1)
        return valid[:at] + random.choice(PIECES) + valid[at + random.randrange(2) :]
    return "".join(random.choice(PIECES) for _ in range(random.choice((1, 1, 1, 2, 3))))


def value(random: Random, depth: int = 3) -> Any:
    """Whatever JSON can hold."""
    kinds = 8 if depth else 6
    match random.randrange(kinds):
        case 0:
            return random.choice((None, True, False))
        case 1:
            return random.choice((-1, 0, 1, 2, 5, 11, 12, 10**6, 2**63, -(2**70), 10**400))
        case 2:
            return random.choice((0.0, -0.5, 1.0, 3.7, 1e308, float("nan"), float("inf")))
        case 3 | 4:
            return word(random)
        case 5:
            return word(random) + LONE
        case 6:
            return [value(random, depth - 1) for _ in range(random.choice((0, 1, 2, 2, 3, 40)))]
        case _:
            names = (random.choice((*NAMES, word(random))) for _ in range(random.randrange(4)))
            return {name: value(random, depth - 1) for name in names}
