"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.style.markdown_escape import plain
from core.catalog import ModelCard

GPT1 = (
    "[Radford et al. 2018](https://cdn.openai.com/research-covers/language-unsupervised/"
    "language_understanding_paper.pdf)"
)
HOLTZMAN = "[Holtzman et al. 2020](https://arxiv.org/abs/1904.09751)"
FAN = "[Fan et al. 2018](https://arxiv.org/abs/1805.04833)"
OLSSON = "[Olsson et al. 2022](https://arxiv.org/abs/2209.11895)"
LENS = (
    "[nostalgebraist 2020](https://www.lesswrong.com/posts/AcKRB8wDpdaN6v6ru/"
    "interpreting-gpt-the-logit-lens)"
)
BELROSE = "[Belrose et al. 2023](https://arxiv.org/abs/2303.08112)"
BROWN = "[Brown et al. 2020](https://arxiv.org/abs/2005.14165)"
MIN = "[Min et al. 2022](https://arxiv.org/abs/2202.12837)"
DEVLIN = "[Devlin et al. 2019](https://arxiv.org/abs/1810.04805)"


def about_next(card: ModelCard) -> None:
    """The distribution."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"P(w\mid\text{prompt})=\frac{e^{z_w/T}}{\sum_{v}e^{z_v/T}}\qquad "
            r"P'(w)=\frac{P(w)\,[w\in S]}{\sum_{v\in S}P(v)}"
        )
        st.markdown(
            "The last token's state times the output matrix gives one **logit** z for every token "
            f"of the vocabulary ({GPT1}, section 3.1). Temperature divides them; top-k ({FAN}) and "
            f"top-p ({HOLTZMAN}) choose the set S that stays, in this order. `Ġ` is a space before "
            "the word."
        )
    with right:
        st.markdown(
            "**Cautions.** A probability says what followed such texts in the training data, not "
            "what is true. Temperature and cuts change only the choice: the model's logits stay. "
            "Two tokenizers' probabilities can't be compared token by token."
        )
        st.markdown(_model_line(card))


def about_generation(card: ModelCard) -> None:
    """The path."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"P(w_1\ldots w_n)=\prod_{i=1}^{n}P(w_i\mid w_1\ldots w_{i-1})")
        st.markdown(
            "Each chosen token joins the input, and the model runs again. Shades and small numbers "
            "are the model's own P of each token; the bars are P after temperature and cuts. Every "
            "step has a random number of its own, made from the seed, so going back and on again "
            "repeats a path, and a fork meets the same luck."
        )
    with right:
        st.markdown(
            "**Cautions.** Greedy text is not the most probable text: a worse first word may lead "
            "to a better sentence, and likely text is often dull and repeats itself "
            f"({HOLTZMAN}). The rows show where attention went, not why a word was chosen."
        )
        st.markdown(_model_line(card))


def about_surprise(card: ModelCard) -> None:
    """Bits."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"s_i=-\log_2 P(w_i\mid w_{<i})\qquad \text{PPL}=2^{\frac1N\sum_i s_i}\qquad "
            r"\tfrac{\text{bits}}{\text{byte}}=\tfrac{\sum_i s_i}{\text{bytes}}"
        )
        st.markdown(
            "A bit halves the probability: 1 bit is a coin's flip, 10 bits one in a thousand. The "
            "mean, as a power of two, is the **perplexity**; training minimises exactly this sum "
            f"({GPT1}, equation 1)."
        )
    with right:
        st.markdown(
            "**Cautions.** The first token has nothing before it and is not counted. Perplexities "
            "of models with different tokenizers can't be compared, bits per byte can. Surprising "
            "is not wrong: a true rare name surprises more than a false common one. Text from the "
            "training data surprises less."
        )
        st.markdown(_model_line(card))


def about_layers(card: ModelCard) -> None:
    """The lens."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\text{lens}_\ell(h)=\mathrm{softmax}\big(W_U\,\mathrm{Norm}_{\text{final}}(h_\ell)\big)"
        )
        st.markdown(
            "Every layer adds to the same stream, so each layer's state can be put through the "
            f"final norm and the output matrix as if it were the last ({LENS}, the **logit "
            "lens**). The top row is the model's real answer; the check that it equals the "
            "model's logits is part of the computation."
        )
    with right:
        st.markdown(
            "**Cautions.** Early layers need not speak the last one's language: what looks like "
            "noise there may be meaning in other directions; a trained translator for each layer "
            f"reads more ({BELROSE}). Where input and output embeddings are tied, the lens on the "
            "embeddings tends to give back the word itself."
        )
        st.markdown(_model_line(card))


def about_induction(card: ModelCard) -> None:
    """The scores."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\text{score}=\frac{1}{|Q|}\sum_{q\in Q}\ \sum_{j<q,\ w_j=w_q} A_{q,\,j+1}")
        st.markdown(
            "Q are the tokens of all copies but the first. On random tokens nothing helps but "
            "finding the same token earlier and copying what came next: [A][B] … [A] → [B]. It "
            "takes two layers: a previous-token head writes “I come after A” into B, and an "
            f"**induction head** looks that up ({OLSSON}). Such heads carry much of the learning "
            "from examples in a prompt."
        )
    with right:
        st.markdown(
            "**Cautions.** The score tells where a head looks, not what it does with it; so the "
            "heads are silenced and the loss is measured. Other heads may step in. A copy's first "
            "token can't be known beforehand and is left out of the later copies' mean. A model "
            "trained briefly may have no such head: they appear suddenly in training."
        )
        st.markdown(_model_line(card))


def about_shots(card: ModelCard) -> None:
    """The curve."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"P(\text{answer}\mid\text{prompt})=\prod_i P(a_i\mid\text{prompt},a_{<i})")
        st.markdown(
            "No weight changes: the examples only stand in the prompt. **Zero-shot** is the bare "
            f"question, **one-shot** one example before it, **few-shot** several ({BROWN}, figure "
            "1.2, where it works well from billions of parameters on). The dashed curve gives the "
            "examples each other's answers: what remains of the gain comes from the format and the "
            f"kind of words, not from right answers ({MIN})."
        )
    with right:
        st.markdown(
            "**Cautions.** A rising curve may mean copying: an answer that stands among the "
            "examples, or a word of its kind, is repeated. Order and format move the curve, too. "
            "The answer is cut into tokens by itself, after a space. A small model learns formats "
            "from a prompt, hardly ever tasks; try it and see."
        )
        st.markdown(_model_line(card))


def about_tuning(card: ModelCard) -> None:
    """The task sequences."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"P(y\mid x)=\mathrm{softmax}(h_\ell^{m}W_y)\qquad L_3=L_2+\lambda L_1,\ "
            r"\lambda=\tfrac12"
        )
        st.markdown(
            f"{GPT1}, sections 3.2 and 3.3 and figure 1. Every task becomes token sequences, so "
            "the Transformer itself stays as it is. New are only the embeddings of start, "
            "delimiter and extract token and the matrix **W_y** on the last token's state, which "
            "alone has seen the whole sequence. The language model's loss goes on as an auxiliary "
            "objective; on the larger data sets it helped, on the small ones not (section 5)."
        )
    with right:
        st.markdown(
            "**Cautions.** This is the forward pass before the first update: texts, tokens, shapes "
            "and L1 are real, the answer is not. The paper's head has no bias, and its dropout is "
            "off here. L1 is a mean over tokens, as in the released code; the paper writes a sum."
        )
        st.markdown(_model_line(card))


def about_beside() -> None:
    """The two maps."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"M^{\text{BERT}}_{ij}=0\qquad M^{\text{GPT}}_{ij}=\begin{cases}0&j\le i\\"
            r"-\infty&j>i\end{cases}"
        )
        st.markdown(
            f"BERT's words see the whole sentence ({DEVLIN}); it can fill gaps, but has no natural "
            f"way to write on. GPT's words see only what came before ({GPT1}): each may be trained "
            "to predict the next one. The axis is the words between white space; pieces are merged "
            "(mean over those that look, sum over those looked at)."
        )
    with right:
        st.markdown(
            "**Cautions.** One colour scale for both, so equal shades are equal weights; but the "
            "models differ in training, size and tokenizer, too, and a causal row has fewer keys "
            "to share its mass among. Attention on the first word is often a resting place in GPT, "
            "as [SEP] is in BERT."
        )


def _model_line(card: ModelCard) -> str:
    return (
        f"Model: {plain(card.title)}, {card.size} parameters; {plain(card.task)}. "
        f"{plain(card.licence)}. {card.paper}"
    )
