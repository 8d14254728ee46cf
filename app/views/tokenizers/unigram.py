"""Unigram: the lattice of a word, its best and its random cuttings, and how pieces are pruned."""

from typing import cast

import streamlit as st

from app.components.piece_bars import piece_bars, piece_bars_frame
from app.services import tokenizers
from app.style.markdown_escape import plain
from app.views.tokenizers import chooser, cuttings, state
from app.views.tokenizers.exports import Table, export_row
from app.views.tokenizers.pieces import joined, visible
from app.views.tokenizers.words import about_unigram
from core.errors import InputError
from core.tokenization import unigram
from core.tokenization.unigram import UnigramModel, UnigramTraining

MODELS = {"course": "15 substrings of hug, pug, pun, bun, hugs", "trained": "trained on a corpus"}
EXAMPLES = {
    "unhug": ("course", "hug", "unhug", 12),
    "hugs": ("course", "hug", "hugs", 12),
    "mug: an unknown letter": ("course", "hug", "mug", 12),
    "rereading": ("trained", "story", "rereading", 200),
    "undreamed": ("trained", "story", "undreamed", 300),
}


def render() -> None:
    """A model, a word; the lattice; the story of the training."""
    left, middle, right = st.columns([3, 4, 5], vertical_alignment="bottom")
    with left:
        word = st.text_input("Word", key=state.key(state.PIECE_WORD), max_chars=200).strip()
    with middle:
        st.selectbox(
            "Model", list(MODELS), format_func=MODELS.__getitem__, key=state.key(state.MODEL)
        )
    with right, st.container(horizontal=True, vertical_alignment="center"):
        _settings()
    st.pills(
        "Examples",
        list(EXAMPLES),
        key=f"{state.PAGE}.uni-example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    try:
        with st.spinner("Training …", show_time=True):
            model, training = _model()
    except InputError as error:
        st.warning(plain(str(error)), icon=":material/info:")
        return
    if not word:
        st.info("Type a word to see its lattice.")
        return
    if len(word) > cuttings.LONGEST_WORD:
        st.caption(f"The figure draws the word's first {cuttings.LONGEST_WORD} letters.")
    figure = cuttings.lattice_figure(
        word[: cuttings.LONGEST_WORD],
        model,
        best=state.get(state.BEST),
        alpha=state.get(state.ALPHA),
        seed=state.get(state.SEED),
    )
    piece_bars(figure, key=f"{state.PAGE}.lattice")
    _story(training)
    about_unigram()
    export_row(
        table=lambda: _table(word, model),
        title=figure.label,
        caption=figure.caption,
        offline=("piece_bars", lambda: piece_bars_frame(figure)),
    )


def _settings() -> None:
    if state.get(state.MODEL) == "trained":
        chooser.corpus_popover(state.SMALL, trained=False)
    with st.popover("Settings", icon=":material/tune:", width="content"):
        st.number_input(
            "Pieces, when trained", min_value=1, max_value=5000, key=state.key(state.PIECES)
        )
        st.slider("Best cuttings", 1, 12, key=state.key(state.BEST))
        st.slider(
            "α of random cuttings",
            0.0,
            5.0,
            step=0.1,
            key=state.key(state.ALPHA),
            help="0: all cuttings alike; a large α hardly ever leaves the best.",
        )
        st.number_input("Seed", min_value=0, max_value=999_999, key=state.key(state.SEED))


def _model() -> tuple[UnigramModel, UnigramTraining | None]:
    if state.get(state.MODEL) == "course":
        return unigram.from_frequencies(cuttings.COURSE), None
    training = tokenizers.train_unigram(
        state.corpus(state.SMALL), state.get(state.PIECES), word_start=""
    )
    return training.model, training


def _story(training: UnigramTraining | None) -> None:
    st.subheader("From too many pieces to few")
    if training is None:
        st.caption(
            "This model is not trained: each substring's probability is its count, over 210 in "
            "all. Choose “trained on a corpus” to see EM and pruning."
        )
        return
    st.caption(
        f"{training.seed_size:,} pieces at first: all letters, and substrings seen twice. A "
        "round is two EM steps, then the pieces go that the likelihood misses least."
    )
    rounds = training.rounds
    st.dataframe(
        {
            "round": [found.number + 1 for found in rounds],
            "pieces before": [found.pieces_before for found in rounds],
            "after": [found.pieces_after for found in rounds],
            "nats a word": [found.objective for found in rounds],
            "tokens of the corpus": [found.tokens for found in rounds],
            "pruned, the least missed first": [
                " · ".join(f"{visible(p.piece)} ({p.loss:.2g})" for p in found.pruned[:40])
                + (f" · and {len(found.pruned) - 40:,} more" if len(found.pruned) > 40 else "")
                for found in rounds
            ],
        },
        column_config={"nats a word": st.column_config.NumberColumn(format="%.4g")},
        hide_index=True,
    )
    st.text(
        f"At the end: {len(training.vocabulary):,} pieces, the most probable "
        f"{joined(training.vocabulary[:12])}."
    )
    st.caption("In brackets: by how much a word's log-likelihood falls without the piece.")


def _table(word: str, model: UnigramModel) -> Table:
    rows = [
        (e.piece, e.start, e.end, e.log_probability, e.posterior, int(e.best), int(e.unknown))
        for e in unigram.lattice(word[: cuttings.LONGEST_WORD], model).edges
    ]
    header = ["piece", "start", "end", "ln_p", "posterior", "on_best_path", "unknown"]
    return header, cast("list[tuple[object, ...]]", rows)


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.uni-example"]
    if label in EXAMPLES:
        model, corpus, word, pieces = EXAMPLES[label]
        state.put(state.MODEL, model)
        state.put(state.SMALL, corpus)
        state.put(state.PIECE_WORD, word)
        state.put(state.PIECES, pieces)
    st.session_state[f"{state.PAGE}.uni-example"] = None
