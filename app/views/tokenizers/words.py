"""The page's own sentences: formulas, papers, cautions."""

import streamlit as st

SENNRICH = "[Sennrich et al. 2016](https://arxiv.org/abs/1508.07909)"
KUDO = "[Kudo 2018](https://arxiv.org/abs/1804.10959)"
PETROV = "[Petrov et al. 2023](https://arxiv.org/abs/2305.15425)"
SCHUSTER = "[Schuster & Nakajima 2012](https://doi.org/10.1109/ICASSP.2012.6289079)"


def about_the_text() -> None:
    """The lanes."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(
            "A tokenizer turns text into numbers of a fixed list, the **vocabulary**. Glyphs "
            "(what you see as one character) are code points, these are UTF-8 bytes, and a token "
            "covers some of them. Each row has its tokens exactly below the bytes they stand for.\n"
            "- `Ġ` is a space in byte-level BPE (GPT-2): the space belongs to the word after it.\n"
            "- `▁` is the same in Unigram and SentencePiece.\n"
            "- `##` says that a WordPiece token goes on inside a word.\n"
            "- `[UNK]` stands for what the tokenizer can't write; it can't be undone."
        )
    with right:
        st.markdown(
            f"**Papers.** BPE for words: {SENNRICH}. WordPiece: {SCHUSTER}. Unigram: {KUDO}.\n\n"
            "**Cautions.** A model never sees letters: two spellings that share no token are as "
            "different to it as two words. BERT's uncased tokenizers drop case and accents before "
            "they cut. Agreement compares cuts inside words only, since a space is part of a token "
            "in one tokenizer and dropped in the next. Those “trained here” saw a story of a "
            "thousand words, the real ones gigabytes."
        )


def about_languages() -> None:
    """The dots."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(r"\text{fertility}=\frac{\text{tokens}}{\text{words}}")
        st.latex(r"\text{premium}(L)=\frac{\text{tokens in }L}{\text{tokens in English}}")
        st.markdown(
            "Both sentences of a premium say the same. A premium of 3 means three times the price, "
            "a third of the context, and more steps for it "
            f"({PETROV}, who find up to 15 on FLORES-200)."
        )
    with right:
        st.markdown(
            "**Cautions.** One sentence a language, translated for this page: it shows the size of "
            "the effect and no ranking of languages. Bytes are not fair by themselves: a "
            "Devanagari letter is three of them. And few tokens may mean many unknown ones."
        )


def about_sizes() -> None:
    """The two charts."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\text{coverage}(V)=\frac{\sum_{w\in\text{test}} n_w\,[\,w\in V\,]}"
            r"{\sum_{w\in\text{test}} n_w}"
        )
        st.latex(r"\text{parameters of the embedding}=|V|\cdot d")
        st.markdown(
            "The corpus is cut in two, every second sentence is held out. Words are learned on one "
            "half and looked up in the other. However large the list, some words are new; pieces "
            f"fall back to letters, and bytes to bytes ({SENNRICH})."
        )
    with right:
        st.markdown(
            "**Cautions.** BPE's curve ends where no pair is left in so small a corpus. Rare "
            "tokens get few gradient steps: a larger vocabulary is not better by itself. The price "
            "is paid twice, in embedding rows and in the softmax over all of them."
        )


def about_wordpiece() -> None:
    """The merges."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"\text{BPE: } \max_{(a,b)} n_{ab}\qquad"
            r"\text{WordPiece: } \max_{(a,b)} \frac{n_{ab}}{n_a\, n_b}"
        )
        st.markdown(
            "Gluing a and b raises the corpus's likelihood the more, the more often they meet "
            f"compared with how often each occurs ({SCHUSTER}; the count ratio is the usual "
            "reading of it). Encoding knows no merges: from the left, the **longest** token of the "
            "vocabulary that fits is taken."
        )
    with right:
        st.markdown(
            "**Cautions.** Google never published its trainer. Hugging Face's “WordPiece” trainer "
            "counts pairs like BPE and only writes ##. Longest match is greedy: where nothing fits "
            "at one place, the **whole word** becomes [UNK], even if another cutting existed."
        )


def about_unigram() -> None:
    """The lattice."""
    st.subheader("What am I looking at?")
    left, right = st.columns(2, gap="large")
    with left:
        st.latex(
            r"P(\mathbf{x})=\prod_i p(x_i)\qquad \mathbf{x}^{*}=\arg\max_{\mathbf{x}\in S(w)}"
            r"P(\mathbf{x})"
        )
        st.latex(
            r"P(\mathbf{x}\mid w)=\frac{P(\mathbf{x})^{\alpha}}"
            r"{\sum_{\mathbf{y}\in S(w)}P(\mathbf{y})^{\alpha}}"
        )
        st.markdown(
            f"({KUDO}.) Viterbi keeps, at each place, only the best way to come there. Colour is a "
            "piece's posterior: how likely a random cutting uses it. Subword regularisation trains "
            "a model on random cuttings instead of the best one."
        )
    with right:
        st.markdown(
            "Training starts with every substring seen twice, estimates probabilities by EM, drops "
            "the pieces whose loss hurts the likelihood least, and repeats. Letters stay.\n\n"
            "**Cautions.** Pieces are taken for independent, which they are not. EM finds a local "
            "optimum. Hugging Face's and SentencePiece's prunings differ, so vocabularies of the "
            "same size are not equal."
        )
