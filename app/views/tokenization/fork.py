"""Fork: the same corpus under another rule, another end of word, or with a merge forced."""

from dataclasses import replace

import streamlit as st

from app.components.bpe_fork import TwoRuns, bpe_fork
from app.services import bpe_training
from app.services.bpe_training import Job, Recipe
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.options import one_of
from app.views.tokenization import exports, steps
from app.views.tokenization.state import ENDS, FORCE, FORK, HERE, RULES
from core.errors import InputError
from core.tokenization import bpe
from core.tokenization.bpe import BPETraining, ForkView, LibraryCheck

KEPT = "tokenization.two-runs"


def fork_panel(recipe: Recipe, training: BPETraining) -> None:
    """Off until asked for."""
    st.subheader("Fork: where would another rule part ways?")
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    options = _options(recipe)
    if FORK.value not in options:
        FORK.reset()
    with left:
        one_of(FORK, st.selectbox, "Play this run against", options, options.__getitem__)
    right.caption(
        "Or click a pair in the table above and force it: what would the merges have become? "
        "Ties are the normal case, and no paper says how to break them."
    )
    choice = FORK.value
    if choice == "off":
        return
    if choice == "library":
        _library(recipe, training)
        return
    try:
        name, job = _other(choice, recipe, training)
    except InputError as error:
        st.info(plain(str(error)))
        return
    other = progress.trained(job, "Training the other run")
    if other is not None:
        bpe_fork(_two_runs(training, other, name), key=HERE.key("fork-figure"))


def _library(recipe: Recipe, training: BPETraining) -> None:
    """The same words through Hugging Face's own trainer, now."""
    found = progress.trained(bpe_training.check(recipe, training), "Training the library")
    if found is None:
        return
    st.markdown(verdict(training, found))
    name = f"tokenizers {found.version}"
    bpe_fork(_two_runs(training, found.same_rule, name), key=HERE.key("fork-figure"))


def verdict(training: BPETraining, found: LibraryCheck) -> str:
    """Whether the library merges the same, and why not where it does not."""
    library = f"Hugging Face's tokenizers {found.version}, trained just now on the same words"
    first = found.first_difference
    if first is None:
        return f"**Equal for all {len(found.merges):,} merges**: {library}, makes the same ones."
    checked = (
        f"Under that rule this page's trainer equals it in all {len(found.merges):,} merges"
        if found.same_rule_difference is None
        else f"But under that rule this page's trainer parts from it at merge "
        f"{found.same_rule_difference + 1:,}: one of the two is wrong"
    )
    equal = f"**Equal for {first:,} of {len(found.merges):,} merges**: {library}, then"
    if found.ours is None or found.theirs is None:
        return f"{equal} {'goes on' if found.ours is None else 'ends'}. {checked}."
    taken = f"{plain(steps.joined(found.theirs))} where this run takes "
    taken += plain(steps.joined(found.ours.pair))
    if not found.was_tie:
        counts = f"{steps.times(found.their_count)} against {steps.times(found.ours.count)}"
        return f"{equal} takes {taken} ({counts}). {checked}."
    hashed = (
        " Where letters carry `</w>`, it numbers them in no fixed order: another run of it may "
        "part elsewhere."
        if str(training.settings.marking) == "glued"
        else ""
    )
    return (
        f"{equal} takes {taken}. Both stand {steps.times(found.ours.count)}: a tie, and no paper "
        f"says how to break it. The library takes the pair with the smallest ids. "
        f"{checked}.{hashed}"
    )


def _options(recipe: Recipe) -> dict[str, str]:
    options = {"off": "nothing"}
    for name, card in RULES.items():
        if name != recipe.tie_rule:
            options[name] = f"tie rule: {card.title.lower()} ({card.used_by})"
    if not recipe.byte_level:
        for end, title in ENDS.items():
            if end != recipe.end_of_word:
                options[f"end-{end}"] = f"end of word: {title}"
    options["library"] = "Hugging Face's library itself, on the same words"
    if FORCE.value:
        options["forced"] = "a forced merge"
    return options


def _other(choice: str, recipe: Recipe, training: BPETraining) -> tuple[str, Job[BPETraining]]:
    """The other run's name, and its training."""
    if choice.startswith("end-"):
        end = choice.removeprefix("end-")
        return ENDS[end], bpe_training.train(replace(recipe, end_of_word=end))
    if choice != "forced":
        title = RULES[choice].title.lower()
        return title, bpe_training.fork(recipe, training, tie_rule=choice)
    step, row = FORCE.value or (0, 0)
    at = min(step, len(training.steps))
    table = training.state_at(at).pairs(row + 1).rows
    if step >= len(training.steps) or row >= len(table):
        raise InputError(
            f"There is no pair number {row + 1} after {step} merges here. Click a pair in the "
            "table above."
        )
    pair = table[row].pair
    return f"{steps.joined(pair)} forced", bpe_training.fork(recipe, training, force=(step, pair))


def _two_runs(training: BPETraining, other: BPETraining, name: str) -> TwoRuns:
    """The comparison; the last one again while both runs are the same, so nothing is resent."""
    kept = st.session_state.get(KEPT)
    if kept and kept[0] is training and kept[1] is other:
        return kept[2]
    view = bpe.side_by_side(training, other)
    names = (_own_name(training, other), name)
    runs = TwoRuns(
        names,
        (training.steps, other.steps),
        view,
        sentence(view, names),
        exports.caption(training),
    )
    st.session_state[KEPT] = (training, other, runs)
    return runs


def _own_name(training: BPETraining, other: BPETraining) -> str:
    if training.settings.marking != other.settings.marking:
        return ENDS[str(training.settings.marking)]
    return steps.rule_card(training).title.lower()


def sentence(view: ForkView, names: tuple[str, str]) -> str:
    """Where two runs part, in words."""
    first = view.first_difference
    if first is None:
        return "The two runs make the same merges in the same order."
    if view.left is None or view.right is None:
        longer, step = (names[0], view.left) if view.left else (names[1], view.right)
        return (
            f"The same merges, but “{longer}” goes on with merge {first + 1:,}, "
            f"{steps.joined(step.pair) if step else ''}, where the other one ends."
        )
    left, right = view.left, view.right
    where = f"They part at merge {first + 1:,}: {names[0]} takes {steps.joined(left.pair)}"
    if view.was_tie:
        return (
            f"{where}, {names[1]} takes {steps.joined(right.pair)}; both stand "
            f"{steps.times(left.count)}."
        )
    return (
        f"{where} ({steps.times(left.count)}), {names[1]} takes {steps.joined(right.pair)} "
        f"({steps.times(right.count)})."
    )
