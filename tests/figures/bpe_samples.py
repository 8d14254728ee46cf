"""Figures of tokenizers: a run of merges, two runs side by side, one word, one text."""

from app.components.bpe_encoding import EncodingView, bpe_encoding_frame
from app.components.bpe_fork import TwoRuns, bpe_fork_frame
from app.components.bpe_stepper import Stepper, bpe_stepper_frame
from app.components.selection import Seed
from app.components.token_spans import SpanSettings, token_spans_frame
from app.views.tokenization import steps
from core.tokenization import bpe
from core.tokenization.comparison import Cut, TextComparison
from core.tokenization.glyphs import glyphs
from core.tokenization.spans import Span, TokenizedText
from tests.figures.harness import CLICKS
from tests.figures.strange_texts import CAPTION

TRAINING = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 10)
OTHER = bpe.fork(TRAINING, tie_rule="greatest-strings")
ENCODING = bpe.encode("lowest", TRAINING.merges, "</w>")
TEXT = "low é<b>"
COMPARISON = TextComparison(
    TEXT,
    (
        TokenizedText(
            "letters",
            TEXT,
            (
                Span("l", 1, 0, 1, 0, 1),
                Span("ow", 2, 1, 3, 1, 3),
                Span("Ġé", 3, 3, 5, 3, 6),
                Span("<b>", 4, 5, 8, 6, 9),
            ),
        ),
        TokenizedText(
            "words",
            TEXT,
            (
                Span("low", 5, 0, 3, 0, 3),
                Span("[UNK]", 0, 4, 5, 4, 6, unknown=True),
                Span("<b>", 6, 5, 8, 6, 9),
            ),
        ),
    ),
    (Cut(1, (True, False)),),
    0.5,
)


def stepper(
    step: int = 3,
    *,
    serial: int = 1,
    predict: bool = False,
    training: bpe.BPETraining = TRAINING,
) -> bytes:
    values = Stepper(steps.run_values(training), steps.window_values(training, 0), CAPTION)
    return bpe_stepper_frame(values, seed=Seed(step, serial), clicks=CLICKS, predict=predict)


def fork() -> bytes:
    parting = bpe.side_by_side(TRAINING, OTHER)
    runs = TwoRuns(
        ("first", "greatest"), (TRAINING.steps, OTHER.steps), parting, "They part.", CAPTION
    )
    return bpe_fork_frame(runs)


def encoding() -> bytes:
    return bpe_encoding_frame(EncodingView(ENCODING, CAPTION, "</w>", ((2, 4),)))


def spans(*, selected: tuple[int, ...] = (), serial: int = 1) -> bytes:
    settings = SpanSettings(("4 tokens", "3 tokens"), ids=True, bytes=True, caption=CAPTION)
    return token_spans_frame(COMPARISON, glyphs(TEXT), settings, seed=Seed(selected, serial))
