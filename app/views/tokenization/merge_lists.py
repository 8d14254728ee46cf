"""Merges that a reader brings: pasted, or a file in one of four forms; flaws are told."""

import re

import streamlit as st

from app.services import bpe_training
from app.services.bpe_training import CheckedMerges, Job
from app.views.tokenization import corpora, state
from core.errors import InputError

UPLOAD = "uploads.merges"  # (name, text): this session's only
LARGEST_FILE = 10  # MB
SHOWN_FLAWS = 100
ENDS = {"separate": "</w> apart", "glued": "</w> glued", "none": "none", "guess": "as given"}
SUPERB = "a b · c b · a c · b b · cb b · a cbb"
EXAMPLES = {
    "Abwasserbehandlungsanlage": (state.LECTURE_LIST, "separate", "Abwasserbehandlungsanlage"),
    "abacb": (SUPERB, "none", "abacb"),
    "abacbb: one more letter": (SUPERB, "none", "abacbb"),
    "broken rules": ("a b · ab c · a b · x yz · b c · a bc", "none", "abc"),
}


def chosen() -> Job[CheckedMerges]:
    """Draw the fields; the list is on its way."""
    left, right = st.columns([6, 4], vertical_alignment="bottom")
    upload = st.session_state.get(UPLOAD)
    with left:
        if upload:
            st.text_area("Merges", f"{upload[0]} (uploaded, this session only)", disabled=True)
        else:
            st.text_area(
                "Merges, in order: two tokens a rule, one a line or with · between",
                key=state.key(state.LIST),
                height=96,
            )
    with right:
        st.segmented_control(
            "End of word",
            list(ENDS),
            format_func=ENDS.__getitem__,
            key=state.key(state.LIST_END),
            required=True,
        )
        with st.popover("Upload merges", icon=":material/upload_file:", width="content"):
            st.file_uploader(
                "merges.txt, tokenizer.json or tiktoken ranks",
                max_upload_size=LARGEST_FILE,
                key=f"{state.PAGE}.merges-file",
                on_change=_take_upload,
            )
            if upload and st.button("Back to the typed list"):
                st.session_state.pop(UPLOAD)
                st.rerun(scope="fragment")
    st.pills(
        "Lists",
        list(EXAMPLES),
        key=f"{state.PAGE}.list-example",
        on_change=_take_example,
        label_visibility="collapsed",
    )
    if problem := st.session_state.pop(f"{state.PAGE}.merges-problem", None):
        st.warning(problem)
    text = upload[1] if upload else state.get(state.LIST)
    end = state.get(state.LIST_END)
    return bpe_training.read_merges(text, "" if end == "guess" else end)


def told(checked: CheckedMerges) -> None:
    """What was read, and the rules that can't work."""
    given = checked.given
    parts = [f"{given.source}: {len(given.merges):,} rules", f"end of word: {checked.end_of_word}"]
    if given.byte_level:
        parts.append("byte level (Ġ is a space)")
    if given.whole_word_first:
        parts.append("the file says: whole word first")
    st.text(" · ".join(parts))
    for note in given.notes[:5]:
        st.text(note)
    if not checked.flaws:
        st.caption("Every rule can be reached.")
        return
    count = len(checked.flaws)
    st.markdown(f"**{count:,} of {len(given.merges):,} rules can't work:**")
    st.dataframe(
        [
            {
                "#": flaw.rank + 1,
                "rule": " + ".join(flaw.pair),
                "flaw": str(flaw.flaw),
                "reason": counted_from_one(flaw.reason),
            }
            for flaw in checked.flaws[:SHOWN_FLAWS]
        ],
        hide_index=True,
        height="content" if count <= 6 else 240,
    )
    if count > SHOWN_FLAWS:
        st.caption(f"The first {SHOWN_FLAWS} of {count:,}.")


def counted_from_one(reason: str) -> str:
    """The core counts ranks from 0, the page counts rules from 1."""
    return re.sub(r"\brank (\d+)", lambda found: f"rule {int(found[1]) + 1}", reason)


def _take_upload() -> None:
    uploaded = st.session_state[f"{state.PAGE}.merges-file"]
    st.session_state.pop(f"{state.PAGE}.merges-problem", None)
    if uploaded is None:
        return
    try:
        text = corpora.decoded(uploaded.name, uploaded.getvalue())
    except InputError as error:
        st.session_state[f"{state.PAGE}.merges-problem"] = str(error)
        return
    st.session_state[UPLOAD] = (uploaded.name, text)
    state.put(state.LIST_END, "guess")


def _take_example() -> None:
    label = st.session_state[f"{state.PAGE}.list-example"]
    st.session_state[f"{state.PAGE}.list-example"] = None
    if label is None:
        return
    rules, end, word = EXAMPLES[label]
    st.session_state.pop(UPLOAD, None)
    st.session_state.pop(f"{state.PAGE}.merges-problem", None)
    state.put(state.LIST, rules)
    state.put(state.LIST_END, end)
    state.put(state.WORD, word)
    state.put(state.WANT, "")
