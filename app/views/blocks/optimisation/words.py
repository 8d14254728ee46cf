"""Formulas, papers and cautions of the optimisation views."""

import streamlit as st

VASWANI = "[Vaswani et al. 2017](https://arxiv.org/abs/1706.03762)"
DEVLIN = "[Devlin et al. 2019](https://arxiv.org/abs/1810.04805)"
SZEGEDY = "[Szegedy et al. 2016](https://arxiv.org/abs/1512.00567)"
MUELLER = "[Müller et al. 2019](https://arxiv.org/abs/1906.02629)"
KINGMA = "[Kingma & Ba 2015](https://arxiv.org/abs/1412.6980)"
LOSHCHILOV = "[Loshchilov & Hutter 2019](https://arxiv.org/abs/1711.05101)"
ZHANG = "[Zhang et al. 2021](https://arxiv.org/abs/2006.05987)"


def about_schedules() -> None:
    """The three curves."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"lr = d_\text{model}^{-0.5}\cdot"
            r"\min\!\left(step^{-0.5},\; step\cdot warmup^{-1.5}\right)"
        )
        st.latex(r"\text{peak at } step = warmup:\quad (d_\text{model}\cdot warmup)^{-0.5}")
        st.markdown(
            f"({VASWANI}, equation 3.) The rate grows linearly, then falls with 1/√step: after "
            "four warm-ups it is half its peak, whatever the length of the training. Linear "
            f"({DEVLIN}) and cosine decay (Radford et al. 2018) need to know the last step and "
            "end at zero. Dotted: the two others at the same peak and warm-up."
        )
    with right:
        st.markdown(
            "**Why warm up?** In the first steps Adam's averages rest on few gradients and "
            "post-norm blocks pass large gradients to the last layers; small steps let both settle "
            "(*Normalisation* measures the second).\n\n"
            "**Cautions.** The formula's peak depends on d_model, and all other settings were "
            "tuned with it: a peak alone does not move from one model to the next. The curves are "
            "the papers' settings and no claim about which schedule is best."
        )


def about_smoothing() -> None:
    """The target and the loss."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"q_k=(1-\varepsilon)\,[k=y]+\frac{\varepsilon}{K}\qquad"
            r"\mathcal L=-\sum_k q_k\ln p_k"
        )
        st.latex(r"\frac{\partial\mathcal L}{\partial z_k}=p_k-q_k")
        st.markdown(
            f"({SZEGEDY}, section 7; K classes, the right one y.) Without smoothing the loss falls "
            "as long as the right logit grows: no training ever ends. With it there is a best "
            "lead, ln((1 − ε + ε/K) / (ε/K)), and more confidence costs again."
        )
    with right:
        st.markdown(
            f"**What it did to the Transformer** ({VASWANI}, table 3, English–German, development "
            "set; perplexity is per word piece):"
        )
        st.dataframe(
            {
                "ε": ["0 (row D)", "0.1 (base)", "0.2 (row D)"],
                "perplexity": [4.67, 4.92, 5.47],
                "BLEU": [25.3, 25.8, 25.7],
            },
            hide_index=True,
        )
        st.markdown(
            "From 0 to 0.1 perplexity gets worse, since the model learns to be less sure, while "
            "accuracy and BLEU improve (section 5.4).\n\n"
            "**Cautions.** The share ε/K goes to *every* class, the right one, too; some texts "
            "give it to the others only. The right-hand curve moves one logit and leaves the "
            "others, so its lowest point is not yet p = q. Smoothing erases part of what a teacher "
            f"could pass on to a student ({MUELLER})."
        )


def about_adam() -> None:
    """Memory and steps."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"m_t=\beta_1 m_{t-1}+(1-\beta_1)g_t\qquad v_t=\beta_2 v_{t-1}+(1-\beta_2)g_t^2")
        st.latex(
            r"\hat m_t=\frac{m_t}{1-\beta_1^t}\quad \hat v_t=\frac{v_t}{1-\beta_2^t}\quad "
            r"w_t=w_{t-1}-\eta\,\frac{\hat m_t}{\sqrt{\hat v_t}+\varepsilon}"
        )
        st.markdown(
            f"({KINGMA}, algorithm 1; decay as in {LOSHCHILOV}: w shrinks by η · decay beside the "
            "step.) v remembers about 1/(1 − β₂) gradients: **0.98 fifty, 0.999 a thousand**. One "
            "outlier blows v up, and the steps stay small until it is forgotten."
        )
    with right:
        st.markdown(
            "**Bias correction.** m and v start at zero. v is the slower, so without the "
            "correction the first steps would be (1 − β₁)/√(1 − β₂) learning rates long: 3.16 at "
            "0.999, 0.707 at 0.98.\n\n"
            f"**Cautions.** {VASWANI} take β₂ = 0.98 and ε = 10⁻⁹; {DEVLIN} 0.999, and BERT's "
            f"released optimiser leaves the correction out ({ZHANG}). Two weights and noise of our "
            "own show the mechanism, not which β₂ trains a Transformer better."
        )
