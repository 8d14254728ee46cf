"""What the GPT page remembers, in its session and in its link."""

from typing import Final

from app.services import decoder
from app.ui import params
from app.views.gpt import tree
from core.explain.predictions.sampling import Sampling
from core.outputs.decoder import Task

PAGE: Final = "gpt"
VIEWS: Final = {
    "next": "Next word",
    "generate": "Generate",
    "surprise": "Surprise",
    "layers": "By layer",
    "induction": "Induction",
    "shots": "Few-shot",
    "tuning": "Fine-tuning",
    "beside": "Beside BERT",
}
PROMPT: Final = "Background music from a"
PASSAGE: Final = (
    "The lighthouse stands at the end of a long wooden pier. Every evening the keeper climbs the "
    "stairs and lights the lamp. Then a giraffe rings the doorbell."
)
SENTENCE: Final = "The animal didn't cross the street because it was too tired."
MOST_SHOTS: Final = 12


def _parse_cell(given: str) -> tuple[int, int] | None:
    try:
        row, column = (int(part) for part in given.split("."))
    except ValueError:
        return None
    return (row, column) if row >= 0 and column >= 0 else None


def _cell(name: str) -> params.Param:
    """Two places counted from 0, or none."""
    return params.Param(name, None, _parse_cell, lambda c: "" if c is None else f"{c[0]}.{c[1]}")


VIEW = params.choice("view", list(VIEWS))
MODEL = params.text("model", decoder.default_model())
TEXT = params.text("text", PROMPT)
TEMPERATURE = params.number("t", 0.0, 3.0, 1.0)
TOP_K = params.number("k", 0, 200, 0)
TOP_P = params.number("p", 0.0, 1.0, 1.0)
SEED = params.number("seed", 0, 999_999, 0)
TREE = params.Param("tree", tree.Tree(), tree.parse, tree.write)
LAYER = params.number("layer", -1, 200, -1)  # whose heads are shown; -1: the last
PASSAGE_TEXT = params.text("passage", PASSAGE)
TOKEN = params.number("token", -1, 511, -1)  # of the passage; -1: the most surprising
WORD = params.text("word")  # whose rank is followed; empty: the model's own last choice
PLACE = params.number("place", -1, 511, -1)  # where the layers are read; -1: after the last token
LENGTH = params.number("length", 2, 100, 25)
COPIES = params.number("copies", 2, 4, 2)
SEQUENCE = params.number("sequence", 0, 999, 0)  # the seed of the random tokens
SCORE = params.choice("score", ["induction", "previous"])
HEAD = _cell("head")  # (layer, head); none: the strongest
SILENCED = params.number("silenced", 0, 20, 0)  # strongest heads that are silenced
SHOTS = params.text("examples")
QUERY = params.text("query")
ANSWER = params.text("answer")
STYLE = params.choice("format", ["arrow", "question", "colon", "sentence"])
COUNT = params.number("shots", -1, MOST_SHOTS, -1)  # examples in the shown prompt; -1: all
TUNING = params.choice("task", [task.value for task in Task], Task.ENTAILMENT.value)
FIRST = params.text("first")
SECOND = params.text("second")  # of multiple choice: the answers, one a line
LABEL = params.number("label", 0, 9, 0)
HEAD_SEED = params.number("headseed", 0, 9999, 0)
BERT = params.text("bert", "bert-mini")
SENTENCE_TEXT = params.text("sentence", SENTENCE)
BERT_HEAD = _cell("berthead")  # (layer, head); none: the mean of all
GPT_HEAD = _cell("gpthead")
CELL = _cell("cell")

PARAMS = (
    VIEW, MODEL, TEXT, TEMPERATURE, TOP_K, TOP_P, SEED, TREE, LAYER, PASSAGE_TEXT, TOKEN, WORD,
    PLACE, LENGTH, COPIES, SEQUENCE, SCORE, HEAD, SILENCED, SHOTS, QUERY, ANSWER, STYLE, COUNT,
    TUNING, FIRST, SECOND, LABEL, HEAD_SEED, BERT, SENTENCE_TEXT, BERT_HEAD, GPT_HEAD,
    CELL,
)  # fmt: skip


def get(param: params.Param):
    """A parameter's present value."""
    return params.value(PAGE, param)


def put(param: params.Param, value: object) -> None:
    params.put(PAGE, param, value)


def key(param: params.Param) -> str:
    """The widget key under which a parameter lives."""
    return f"{PAGE}.{param.name}"


def sampling() -> Sampling:
    """What the three sliders say."""
    return Sampling(get(TEMPERATURE), get(TOP_K), get(TOP_P))
