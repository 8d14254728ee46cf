"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.services import training_history
from app.style.markdown_escape import plain
from app.style.number_format import measured
from core.catalog import ModelCard
from core.outputs.encoder import EmbeddingParts

DEVLIN = "[Devlin et al. 2019](https://arxiv.org/abs/1810.04805)"
LIU = "[Liu et al. 2019](https://arxiv.org/abs/1907.11692)"


def modest(card: ModelCard) -> str:
    """What an embedded model can do, as its card was measured; nothing for others."""
    figures = training_history.figures(card)
    if "masked_top_1" not in figures:
        return ""
    top_1, top_5 = (measured(figures[f"masked_top_{k}"], None) for k in (1, 5))
    return (
        f"{plain(card.title)} is small: of words masked in unseen articles it guesses {top_1} "
        f"(the right one is among its first five for {top_5}). It knows some facts, and grammar "
        "better than the world."
    )


def about_masked_words(card: ModelCard) -> None:
    """The candidates."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"p(w\mid \text{text})=\mathrm{softmax}\big(E\,\mathrm{LN}(\mathrm{GELU}(W h_i+b))"
            r"+c\big)_w"
        )
        st.latex(r"H=-\sum_w p_w\log_2 p_w")
        st.markdown(
            "h is the last layer's state at the mask, E the token embeddings (the head shares "
            f"them). The model reads both sides of the mask: that is what **B**idirectional means "
            f"({DEVLIN}, section 3.1). Doubt is the entropy of the whole distribution."
        )
    with right:
        st.markdown(
            "**Cautions.** A rank is among all tokens of the vocabulary, word pieces and names "
            "included. Filling one mask after another is not what BERT was trained for: each "
            "conditional is its own, and they need not come from one joint distribution "
            "([Young et al. 2022](https://arxiv.org/abs/2301.00068)). A head that looks at a word "
            "need not be why the word was predicted."
        )
        st.markdown(modest(card))
        st.markdown(f"Model: {plain(card.title)}, {card.size} parameters. {plain(card.paper)}")


def about_input(card: ModelCard, found: EmbeddingParts) -> None:
    """The sum."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"x_i = E_{\text{token}}[w_i] + E_{\text{position}}[i] + E_{\text{segment}}[s_i]")
        st.latex(r"h_i^{(0)} = \frac{x_i-\mu_i}{\sqrt{\sigma_i^2+\epsilon}}\odot\gamma+\beta")
        st.markdown(
            f"({DEVLIN}, figure 2, which leaves out the LayerNorm; "
            "[Ba et al. 2016](https://arxiv.org/abs/1607.06450).) All three tables are learned. "
            f"Here ε = {found.epsilon:.0e}; dropout is off."
        )
    with right:
        st.markdown(
            "**Cautions.** Adding is not mixing beyond repair: in many dimensions, summands "
            "that point in different directions can be read apart again (the cosines above say "
            "how different). A token's row is the same wherever it stands; context comes only with "
            "attention. No single dimension has a known meaning."
        )
        st.markdown(f"Model: {plain(card.title)}, d = {found.normalised.shape[1]}.")


def about_pretraining() -> None:
    """The draw and the loss."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\mathcal{L}=-\frac{1}{|C|}\sum_{i\in C}\ln p(w_i\mid\tilde{w})")
        st.markdown(
            "C are the chosen positions, w̃ the corrupted text. Masks never occur in later use, so "
            "a tenth of the chosen words is kept and a tenth replaced: the model can't know which "
            f"words are right and has to think about all ({DEVLIN}, section 3.1 and appendix A.1 "
            "and C.2)."
        )
    with right:
        st.markdown(
            "**Cautions.** The model is a finished one: nothing is trained here, and its loss on "
            "one text is a small sample. With only random words (0 / 0 / 100) it is surprised "
            "because it was never trained so. Special tokens are never chosen; a kept word is easy "
            "only because the model mostly trusts what it reads."
        )


def about_next_sentence(card: ModelCard) -> None:
    """The pooler."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"p(\text{follows})=\mathrm{softmax}\big(V\tanh(W h_{\text{[CLS]}}+b)+c\big)_0")
        st.markdown(
            f"({DEVLIN}, section 3.1.) In training half of the Bs follow their A, the other half "
            "come from another document. tanh(W h + b), the pooler, is what classifiers are later "
            "fine-tuned on."
        )
    with right:
        st.markdown(
            "**Cautions.** “Follows” means: would stand there in a text of the training data. It "
            "is neither truth nor entailment. The paper's accuracy of 97 to 98 % is on pairs from "
            "its own making; short pairs typed by hand are another matter."
        )
        if right := training_history.figures(card).get("next_sentence"):
            st.markdown(
                f"{plain(card.title)} is right on {measured(right, None)} "
                "of single-sentence pairs from unseen articles; half of them follow."
            )


def about_layers() -> None:
    """The logit lens."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"p^{(l)}=\mathrm{softmax}\big(\text{head}(h_i^{(l)})\big)")
        st.markdown(
            "Each layer's state at the mask goes through the model's own masked-LM head, as if the "
            "layers after it were not there: the **logit lens** "
            "([nostalgebraist 2020](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru))."
        )
    with right:
        st.markdown(
            "**Cautions.** The head was trained for the last layer only. An early layer may know "
            "the word in a form that this head can't read, so “not there yet” is not proven by a "
            "bad rank; trained probes often find more "
            "([Belrose et al. 2023](https://arxiv.org/abs/2303.08112))."
        )


def about_contexts(card: ModelCard) -> None:
    """Similarities and the plane."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\cos(u,v)=\frac{u\cdot v}{\lVert u\rVert\,\lVert v\rVert}")
        st.markdown(
            "One word, one row in the token table, but another vector in each sentence: what the "
            "layers add comes from its neighbours. A word of several pieces is the mean of their "
            f"vectors. ({DEVLIN}, section 5.3, uses such vectors as features.)"
        )
    with right:
        st.markdown(
            "**Cautions.** Contextual vectors lie in a narrow cone: any two are alike, the more so "
            "in higher layers ([Ethayarajh 2019](https://arxiv.org/abs/1909.00512)). Compare with "
            "the baseline. A plane through five points shows little, and two points that meet in "
            "it may be far apart outside it."
        )
        st.markdown(f"Model: {plain(card.title)}, d = {card.d_model}.")


def about_fine_tuning() -> None:
    """The drawing."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"One pre-trained encoder, four kinds of output layer ({DEVLIN}, figure 4 and sections "
            "4.1 to 5.3). A pair goes in as one sequence, [SEP] between, segments A and B; "
            "a question and its passage are such a pair. Word pieces: a tag is read off the first "
            "piece."
        )
    with right:
        st.markdown(
            "**Cautions.** No task is trained on this page, and no number here is a model's "
            "answer to it. Fine-tuning moves all weights, so what the other views show of this "
            "model is how it was before. Small data sets make it unstable: the paper took the best "
            "of several restarts (section 4.1)."
        )
