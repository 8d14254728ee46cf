"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

from app.plain import plain
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


def _model_line(card: ModelCard) -> str:
    return (
        f"Model: {plain(card.title)}, {card.size} parameters; {plain(card.task)}. "
        f"{plain(card.licence)}. {card.paper}"
    )
