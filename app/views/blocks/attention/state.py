"""What several parts of “Attention from scratch” share: the worked example, the random vectors."""

from typing import Final

from app.ui.params import Scope
from app.views.blocks.matrices import Matrix, matrix

HERE: Final = Scope("blocks", "attention")

QUERIES: Final[Matrix] = (
    (1, 0, 0, 1), (0, 2, 0, 0), (3, 0, 1, 0),
    (0, 0, 2, 1), (1, 1, 0, 0), (0, 1, 1, 2),
)  # fmt: skip
KEYS: Final[Matrix] = (
    (2, 0, 0, 1), (0, 2, 0, 0), (1, 0, 1, 0),
    (0, 0, 2, 0), (1, 0, 0, 1), (0, 1, 0, 1),
)  # fmt: skip
VALUES: Final[Matrix] = (
    (4, 0, 0, 1), (0, 4, 0, 0), (0, 0, 1, 0),
    (0, 0, 4, -1), (1, -1, 0, 0), (0, 0, 1, 2),
)  # fmt: skip

WORDS: Final = HERE.text("words", "animal street it tired")
D_K: Final = HERE.whole("d_k", 1, 6, 4)
Q: Final = matrix(HERE, "q", QUERIES)
K: Final = matrix(HERE, "k", KEYS)
V: Final = matrix(HERE, "v", VALUES)

N_KEYS: Final = HERE.whole("keys", 2, 64, 16)
SEED: Final = HERE.whole("seed", 0, 9999, 0)  # of random queries, keys and weights
