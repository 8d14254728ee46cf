"""What am I looking at: Swin's formulas, paper and cautions."""

import streamlit as st

from core.trace.windows import WindowPartition

LIU = "[Liu et al. 2021](https://arxiv.org/abs/2103.14030)"
V2 = "[Liu et al. 2022](https://arxiv.org/abs/2111.09883)"
ABNAR = "[Abnar & Zuidema 2020](https://arxiv.org/abs/2005.00928)"


def about(cut: WindowPartition) -> None:
    """Equations 1 to 4 of the paper, with this block's numbers."""
    m, n = cut.window[0] * cut.window[1], cut.n_patches
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            f"{LIU}, equations 1 and 2: what attention over $hw$ patches costs, and within windows "
            "of $M$ × $M$."
        )
        st.latex(r"\Omega(\text{MSA}) = 4hwC^2 + 2(hw)^2C \qquad (1)")
        st.latex(r"\Omega(\text{W-MSA}) = 4hwC^2 + 2M^2hwC \qquad (2)")
        st.markdown(
            f"Here $hw$ = {cut.rows} · {cut.columns} = {n} and $M^2$ = {m}: every patch looks at "
            f"{m} instead of {n}, so the second term is {n / m:.3g} times smaller, and grows with "
            "the picture's area, not with its square."
        )
        st.markdown(
            "Equation 3: two blocks in a row, the second with shifted windows; $z$ after the MLPs."
        )
        st.latex(
            r"\begin{aligned}\hat z^l &= \text{W-MSA}(\text{LN}(z^{l-1})) + z^{l-1}\\"
            r"\hat z^{l+1} &= \text{SW-MSA}(\text{LN}(z^l)) + z^l\end{aligned} \qquad (3)"
        )
    with right:
        st.markdown(
            "Equation 4: a learned number for every offset is added to the scores of a window."
        )
        st.latex(
            r"\begin{aligned}&\text{Attention}(Q,K,V)\\"
            r"&= \text{SoftMax}(QK^\top/\sqrt d + B)\,V\end{aligned} \qquad (4)"
        )
        st.markdown(
            f"Version 2 ({V2}) takes the cosine of query and key, with a learned temperature, and "
            "lets a small network give B.\n\n"
            "Maps are put back where their patches stand: the model's own rolling and cutting is "
            "applied to the patches' numbers, and each window's map is written there. Map times "
            "values is then the block's attention output, as the tests check.\n\n"
            f"**Caution.** Reach says who *may* have been heard, not who was. Rollout ({ABNAR}, "
            "equation 1) knows no merging: across a merge, a patch has here seen what its four "
            "have seen on average. Neither is a cause. Masked pairs get −100, not −∞: their "
            "weights are zero to rounding, but that is a choice of the implementation."
        )
