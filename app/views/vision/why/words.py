"""Each method's formula, paper and caution."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app.views.vision.why import params
from core.explain.attribution.registry import EvidenceMethod


@dataclass(frozen=True)
class Words:
    formula: str
    meaning: str
    caution: str
    paper: str


WORDS: Final = {
    "random": Words(
        r"e_p \sim \mathcal U(0,1)",
        "A number drawn for each patch, always the same for one picture.",
        "A map that tells no more than this one tells nothing.",
        "",
    ),
    "uniform": Words(
        r"e_p = 1/N",
        "Every patch alike: what a method would say that knows nothing.",
        "Compare shares with it: twice uniform is little.",
        "",
    ),
    "raw-attention": Words(
        r"e = \tfrac1H\sum_h A^{(L,h)}_{\text{[CLS]}}",
        "Where the last layer looks when it makes the answer, heads averaged.",
        "It knows no class and sees one layer; its patches already hold their neighbours.",
        "Dosovitskiy et al. 2021",
    ),
    "rollout": Words(
        r"R=\hat A_L\cdots\hat A_1,\quad \hat A_l=\tfrac12\bar A_l+\tfrac12 I",
        "All layers' maps multiplied, half of each the residual.",
        "It knows no class: ask about the cat or the sofa, it is the same map.",
        "Abnar & Zuidema 2020",
    ),
    "gradient-rollout": Words(
        r"F_l=\tfrac1H\sum_h(G_l\odot A_l)^+,\quad R=\prod_l \mathrm{rows}(F_l+I)",
        "Rollout over maps weighted with the class's gradient.",
        "Without a class token gradients are spread over all rows and the identity drowns them. "
        "Much copied code pairs each map with the wrong layer's gradient; a test here forbids it.",
        "Gil 2020, after Abnar & Zuidema",
    ),
    "relevance": Words(
        r"R\leftarrow R+\bar A_l R,\quad \bar A_l=\tfrac1H\sum_h(G_l\odot A_l)^+,\quad R_0=I",
        "Attention that helps the class, added up through the layers. Read at the class token's "
        "row; without one, the mean of the patches' rows of R − I; an attention pool reads on.",
        "What speaks against the class is dropped, and only the order of patches is meant.",
        "Chefer, Gur & Wolf 2021",
    ),
    "gradcam": Words(
        r"w_k=\tfrac1N\sum_p \partial y/\partial a_{pk},\quad e_p=\big(\sum_k w_k a_{pk}\big)^+",
        "Features that the last block's attention reads, weighted with how much the class asks "
        "for each. After that attention a class token has left the patches without gradient.",
        "Made for convolutions: in a ViT patch features are not tied to their place.",
        "Selvaraju et al. 2017",
    ),
    "legrad": Words(
        r"e=\tfrac1L\sum_l\tfrac1{HN}\sum_{h,q}\big(\partial s_l/\partial A_l^{(h)}\big)^+_{q}",
        "How the class's score, read from each layer, would grow with that layer's attention.",
        "The head was trained on the last layer only; early scores speak another language.",
        "Bousselham et al. 2024",
    ),
    "integrated-gradients": Words(
        r"e=(x-x_0)\int_0^1\frac{\partial y}{\partial x}\big(x_0+t(x-x_0)\big)\,dt",
        "Pixels' shares in the logit's change from the mean colour to the picture, summed over "
        "each patch; together they are that change (32 points of the integral, captum).",
        "Patches of the mean colour get nothing, whatever they mean.",
        "Sundararajan, Taly & Yan 2017",
    ),
    "occlusion": Words(
        r"e_p=P(y\mid x)-P(y\mid x \text{ without patch } p)",
        "What really happens to the probability when one patch becomes the mean colour.",
        "One patch at a time: where two say the same, neither seems to matter.",
        "Zeiler & Fergus 2014",
    ),
}


def about(method: EvidenceMethod) -> None:
    """The chosen method in full, the others a click away."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        _one(method)
    with right:
        st.markdown(
            "**A pretty map is no evidence.** Random and uniform stand beside the methods: what is "
            "no better than they are tells nothing about this model. Maps marked * are the same "
            "for every class, however well they sit on the object. Every map has a scale of its "
            "own, because the methods have different units: compare places, not strengths. "
            "Whether a method points at what the model uses is measured under “Is it true?”."
        )
        with st.expander("The other methods"):
            for other in params.METHODS.values():
                if other != method:
                    _one(other)


def _one(method: EvidenceMethod) -> None:
    words = WORDS[method.id]
    st.markdown(f"**{method.title}**")
    st.latex(words.formula)
    paper = f" ([{words.paper}]({method.paper}))" if words.paper else ""
    st.markdown(f"{words.meaning}{paper} *{words.caution}*")
