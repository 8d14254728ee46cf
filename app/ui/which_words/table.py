"""Every method's numbers, a row each over the text's tokens; a click looks at one of them."""

import numpy as np

from app.components.heat_map import Cell, selected_cell
from app.components.token_table import TokenTable, token_table, token_table_frame
from app.style.number_format import three
from app.style.visible_space import visible
from app.ui.arrived import Arrived
from app.ui.which_words.params import METHODS, STRONGEST, WordParams
from app.ui.which_words.shown import Shown
from core.explain.attribution.patch_evidence import PatchEvidence, patch_evidence
from core.outputs.token_evidence import TokenEvidence

Answers = Arrived[TokenEvidence]


def pick(params: WordParams, shown: Shown) -> None:
    """A click in the table, read before anything is drawn."""
    names: tuple[str, ...] = tuple(METHODS)
    present = names.index(params.method.value), params.token.below(len(shown.tokens))
    seed = None if present[1] == STRONGEST else present
    cell = selected_cell(_key(params), seed, (len(names), len(shown.tokens)))
    if cell is None:
        params.token.reset()
    else:
        params.method.put(names[cell[0]])
        params.token.put(cell[1])


def table(params: WordParams, shown: Shown, answers: Answers) -> TokenTable:
    """Draw it; rows that are still to come are empty."""
    figure = _table(shown, answers)
    if answers.awaited:
        token_table(figure, key=f"{_key(params)}.before{len(answers.awaited)}")
        return figure
    names = list(METHODS)
    chosen: Cell = names.index(params.method.value), params.token.value
    token_table(figure, key=_key(params), selected=None if chosen[1] == STRONGEST else chosen)
    return figure


def frame(figure: TokenTable) -> bytes:
    """For the offline page."""
    return token_table_frame(figure)


def _key(params: WordParams) -> str:
    return params.scope.key("table")


def _table(shown: Shown, answers: Answers) -> TokenTable:
    n = len(shown.tokens)
    cells: list[tuple[str, ...]] = []
    notes: list[tuple[str, ...]] = []
    shades = np.zeros((len(METHODS), n), dtype=np.float32)
    marked = np.zeros((len(METHODS), n), dtype=bool)
    titles: list[str] = []
    for row, (name, method) in enumerate(METHODS.items()):
        title = method.title if method.class_specific else f"{method.title} *"
        found = answers.found.get(name)
        if found is None:
            awaited = name in answers.awaited
            titles.append(f"{title} …" if awaited else title)
            cells.append(("",) * n if awaited else ("–",) * n)
            notes.append(("not here yet" if awaited else answers.refused.get(name, ""),) * n)
            continue
        titles.append(title)
        largest = float(np.abs(found.values).max())
        if largest > 0:
            shades[row] = np.abs(found.values) / largest
        marked[row] = found.values < 0
        cells.append(tuple(three(float(value)) for value in found.values))
        notes.append(tuple(map(_note, patch_evidence(found.values))))
    return TokenTable(
        cells=tuple(cells),
        shades=shades,
        rows=tuple(titles),
        columns=tuple(visible(token) for token in shown.tokens),
        label=f"How much each token speaks for {shown.answer}, method by method",
        notes=tuple(notes),
        marked=marked,
        row_title="method",
        column_title="token",
        shade_title=(
            "Shade: size beside the row's largest, 0 to 1. Underlined: speaks against it. "
            "* the same for every answer. Each row has a unit of its own: compare places, not rows."
        ),
        caption=f"Evidence for {shown.caption}",
        hue=shown.hue,
        tokens=False,
        column_ids=tuple(shown.encoding.ids.tolist()),
    )


def _note(one: PatchEvidence) -> str:
    return f"rank {one.rank}"
