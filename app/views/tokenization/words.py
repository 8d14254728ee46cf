"""The page's own sentences: the algorithm, the papers, a caution."""

import streamlit as st

from app.views.tokenization import steps
from core.tokenization.bpe import BPETraining


def about_the_figure(training: BPETraining) -> None:
    """What am I looking at?"""
    card = steps.rule_card(training)
    st.subheader("What am I looking at?")
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown(
            "Every word starts as its symbols (letters, or bytes). Then, again and again:\n"
            "1. **Count** every pair of neighbours inside words, each word as often as it stands "
            "in the corpus.\n"
            "2. **Choose** the most frequent pair. Equals are decided by the tie rule.\n"
            "3. **Merge** it everywhere, left to right. The new token joins the vocabulary, and "
            "the rule joins the list."
        )
        st.latex(r"(a,b)^{*}=\arg\max_{(a,b)}\sum_{w}f(w)\cdot\#_w(a,b)")
        st.markdown(
            "A new word is cut by replaying the rules in their order, the earliest first. "
            "([Sennrich et al. 2016](https://arxiv.org/abs/1508.07909), algorithm 1, after "
            "P. Gage, “A New Algorithm for Data Compression”, 1994; at byte level Radford et al. "
            "2019, GPT-2.)"
        )
    with right:
        st.markdown(
            "**What you see**: `</w>` marks the end of a word, so that *est* at the end differs "
            "from *est* inside. At byte level `Ġ` stands for a space, `Ċ` for a line break; a "
            "letter outside ASCII is two to four bytes, each with a sign of its own."
        )
        st.markdown(
            f"**Ties are the normal case**, and tools differ. This run: {card.title.lower()}, "
            f"{card.comparison} ({card.used_by})."
        )
        st.markdown(
            "**A caution.** Tokens are what is frequent, not what has meaning: *san* in "
            "Behandlung**san**lage crosses the border of two words. And a count is not a number "
            "of replacements: *aaa* holds (a, a) twice, but one merge uses both up."
        )
