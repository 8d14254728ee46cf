"""Merges that a reader brings: pasted, or a file in one of four forms; flaws are told."""

import re

import streamlit as st

from app.services import bpe_training
from app.services.bpe_training import CheckedMerges, Job
from app.ui.data_table import data_table
from app.ui.examples import example_chips
from app.ui.file_field import FileField
from app.views.tokenization.state import HERE, LECTURE_LIST, LIST, LIST_END, WANT, WORD
from core.data.text_files import decoded

UPLOAD = "uploads.merges"  # (name, text): this session's only
FIELD = FileField(HERE.key("merges"))
LARGEST_FILE = 10  # MB
SHOWN_FLAWS = 100
SUPERB = "a b · c b · a c · b b · cb b · a cbb"
EXAMPLES = {
    "Abwasserbehandlungsanlage": (LECTURE_LIST, "separate", "Abwasserbehandlungsanlage"),
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
            LIST.area(
                "Merges, in order: two tokens a rule, one a line or with · between",
                height=96,
                lines=True,
            )
    with right:
        LIST_END.segmented("End of word")
        with st.popover("Upload merges", icon=":material/upload_file:", width="content"):
            FIELD.ask("merges.txt, tokenizer.json or tiktoken ranks", _read, most=LARGEST_FILE)
            if upload:
                st.button("Back to the typed list", on_click=_back_to_typed)
    example_chips(EXAMPLES, _take_example, key=HERE.key("list-example"), label="Lists")
    FIELD.tell_problem()
    text = upload[1] if upload else LIST.value
    end = LIST_END.value
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
    data_table(
        [
            {
                "#": flaw.rank + 1,
                "rule": " + ".join(flaw.pair),
                "flaw": str(flaw.flaw),
                "reason": counted_from_one(flaw.reason),
            }
            for flaw in checked.flaws[:SHOWN_FLAWS]
        ],
        height="content" if count <= 6 else 240,
    )
    if count > SHOWN_FLAWS:
        st.caption(f"The first {SHOWN_FLAWS} of {count:,}.")


def counted_from_one(reason: str) -> str:
    """The core counts ranks from 0, the page counts rules from 1."""
    return re.sub(r"\brank (\d+)", lambda found: f"rule {int(found[1]) + 1}", reason)


def _read(name: str, content: bytes) -> None:
    st.session_state[UPLOAD] = (name, decoded(name, content))
    LIST_END.put("guess")


def _back_to_typed() -> None:
    st.session_state.pop(UPLOAD, None)


def _take_example(example: tuple[str, str, str]) -> None:
    rules, end, word = example
    st.session_state.pop(UPLOAD, None)
    FIELD.forget_problem()
    LIST.put(rules)
    LIST_END.put(end)
    WORD.put(word)
    WANT.reset()
