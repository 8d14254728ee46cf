"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.services.translator import Decoding, Translation

VASWANI = "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)"


def about_decoding(decoded: Decoding) -> None:
    """Why the mask hides the future, and what the numbers are."""
    st.subheader("What am I looking at?")
    st.latex(r"P(y_t \mid y_{<t}, X)=\mathrm{softmax}(W\,h_t)_{y_t}")
    st.markdown(
        "The decoder is fed what is said so far. Its newest position looks at itself and back "
        "(masked self-attention), across at the encoder's output (the lines), and gives every one "
        f"of the {decoded.vocabulary:,} tokens a probability. Greedy decoding takes the most "
        f"probable. ({VASWANI}, sections 3.1 and 3.2.3.)"
    )
    st.markdown(
        "**Why hide the future?** Here it is not there yet. In training it is: the whole target is "
        "fed at once, and every position learns to predict the next token. Could it look ahead, it "
        "would copy the answer. So scores of later positions become −∞ before the softmax and get "
        "exactly 0: the hatched half. This also means that what is computed for a position never "
        "changes later, which is why keys and values can be kept."
    )
    st.markdown(
        "**Caution.** A line shows where heads read, not why a word was chosen; much mass often "
        "rests on the end token when nothing is to be read."
    )


def about_beams(found: Translation) -> None:
    """Score, penalties, pruning, stopping."""
    settings = found.settings
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\begin{aligned}s(Y)&=\textstyle\sum_{t=1}^{|Y|}-\log P(y_t\mid y_{<t},X)\\"
            r"&\div\ |Y|^{\alpha}\ \text{ or }\ \left(\tfrac{5+|Y|}{6}\right)^{\alpha}\end{aligned}"
        )
        st.markdown(
            "Scores are sums of −log P in nats: at least 0, and **smaller is better** (papers and "
            "transformers maximise the negative). Every token adds to the sum, so short "
            "translations would win; dividing by a growing length undoes some of it. Live "
            "hypotheses have equal length and compete by the sum; finished ones by sum ÷ penalty."
        )
    with right:
        st.markdown(
            "At each step every live hypothesis is continued by every token, and the best "
            f"2 × {settings.beams} candidates are looked at. An end among the first "
            f"{settings.beams} is finished; the first {settings.beams} others live on. The search "
            "stops when no live hypothesis, at its present length, beats the worst of "
            f"{settings.beams} finished ones (`early_stopping=False` in transformers), or at "
            f"{settings.limit} tokens: the input's length + 50 ({VASWANI}, section 6.1)."
        )
        st.markdown(
            "Wu et al. 2016, [section 7](https://arxiv.org/abs/1609.08144): their length penalty "
            "and both margins; their coverage penalty is left out. **Caution.** A wider beam finds "
            "more probable sentences, not always better ones: beyond 4 to 10 beams translations "
            "often get shorter and worse ([Koehn & Knowles 2017]"
            "(https://arxiv.org/abs/1706.03872), section 3.6)."
        )
