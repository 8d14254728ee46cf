"""What am I looking at: formulas, papers, cautions of the objectives."""

import streamlit as st

RADFORD = (
    "[Radford et al. 2018](https://cdn.openai.com/research-covers/language-unsupervised/"
    "language_understanding_paper.pdf)"
)
DEVLIN = "[Devlin et al. 2019](https://arxiv.org/abs/1810.04805)"
RAFFEL = "[Raffel et al. 2020](https://arxiv.org/abs/1910.10683)"
CLARK = "[Clark et al. 2020](https://arxiv.org/abs/2003.10555)"
HE = "[He et al. 2022](https://arxiv.org/abs/2111.06377)"
SHAZEER = "[Shazeer et al. 2017](https://arxiv.org/abs/1701.06538)"
FEDUS = "[Fedus et al. 2022](https://arxiv.org/abs/2101.03961)"


def about_objectives() -> None:
    """All of them."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\mathcal L_{causal}=-\sum_i\ln P(x_i\mid x_{<i})")
        st.latex(r"\mathcal L_{masked}=-\tfrac1{|C|}\sum_{i\in C}\ln P(x_i\mid\tilde x)")
        st.markdown(
            f"{RADFORD}; {DEVLIN}, section 3.1; {RAFFEL}, section 3.1.4; {CLARK}, section 2. "
            "Numbers under tokens are −ln P in nats, by the models trained here."
        )
    with right:
        st.markdown(
            "**Cautions.** Losses of different objectives can't be compared: they answer different "
            "questions, and the two models cut the sentence into different tokens. Span corruption "
            "is shown on words, since T5's own tokenizer is not on board; neither is a T5 nor an "
            "ELECTRA discriminator, so these have no loss here."
        )


def about_spans() -> None:
    """T5."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\mathcal L=-\sum_t\ln P(y_t\mid y_{<t},\ \tilde x),"
            r"\qquad y=\langle X\rangle s_1\langle Y\rangle s_2\dots\langle Z\rangle"
        )
        st.markdown(
            f"{RAFFEL}, figure 2 and sections 3.1.4 and 3.3.4: 15 % of the tokens, spans of 3 on "
            "average. T5's vocabulary calls the sentinels <extra_id_0>, <extra_id_1>, …"
        )
    with right:
        st.markdown(
            "**Caution.** Shown on words; T5 cuts SentencePiece tokens. As in T5's own code two "
            "spans never touch and a text never begins with one; the number of spans follows from "
            "the mean length, their lengths are drawn."
        )


def about_replaced() -> None:
    """ELECTRA."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\mathcal L_D=-\sum_{i=1}^{n}"
            r"\big[y_i\ln D(\tilde x,i)+(1-y_i)\ln(1-D(\tilde x,i))\big]"
        )
        st.markdown(
            f"{CLARK}, section 2: y says whether token i is the original. The loss runs over all n "
            "tokens, where a masked LM learns from 15 %: the paper's main reason for its speed."
        )
    with right:
        st.markdown(
            "**Cautions.** The generator here is bert-mini, trained by itself; ELECTRA trains a "
            "smaller one together with the discriminator. **No discriminator is shipped**, so "
            "nothing here says what one would answer."
        )


def about_pictures() -> None:
    """MAE."""
    st.subheader("What am I looking at?")
    st.latex(r"\mathcal L=\frac{1}{|H|}\sum_{p\in H}\lVert\hat x_p-x_p\rVert^2")
    st.markdown(
        f"{HE}, section 3: the encoder reads the visible patches alone. Pictures repeat themselves "
        "more than texts do, so three patches of four are hidden, not 15 %."
    )


def about_experts() -> None:
    """Mixture of experts."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"y=\sum_{e\in\mathrm{top}_k}g_e\,E_e(x),"
            r"\qquad g=\operatorname{softmax}\big(\mathrm{top}_k(xW_r)\big)"
        )
        st.latex(r"\mathcal L_{balance}=\alpha\,N\sum_e f_eP_e")
        st.markdown(f"{SHAZEER}, section 2.1; {FEDUS}, section 2.2, equation 4.")
    with right:
        st.markdown(
            "**Cautions.** Only the routing is computed: there are no expert networks here. States "
            "are normalised before the random router. In a real model every mixture layer has a "
            "trained router, and what an expert is “for” is seldom a topic."
        )
