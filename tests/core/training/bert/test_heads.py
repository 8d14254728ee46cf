"""The note on heads, from weights made by hand."""

import numpy as np
import torch

from core.training.bert.corpus import Corpus
from core.training.bert.heads import looks, pattern_weights, report
from core.training.bert.network import build_model
from core.training.common.head_habits import describe


def test_describe_counts_the_clear_heads_and_names_the_clearest() -> None:
    weights = np.array([[0.9, 0.1], [0.39, 0.4]], dtype=np.float32)
    assert describe({"the token before": weights}) == (
        "2 of 4 heads give at least 0.4 to the token before; most: "
        "layer 0 head 0 (0.90), layer 1 head 1 (0.40), layer 1 head 0 (0.39). "
        "Layers and heads count from 0."
    )


def test_a_model_that_looks_everywhere_alike_shows_no_pattern() -> None:
    model = build_model(vocabulary_size=50, layers=2, heads=2, d_model=16, d_ff=32).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if ".query." in name:
                parameter.zero_()  # equal scores: every key gets 1/128
    tokens = np.resize(np.arange(5, 50, dtype=np.uint16), 1_200)
    corpus = Corpus(tokens, np.arange(0, 1_201, 6), np.array([0, 100, 200]))
    found = looks(model, corpus)
    patterns = pattern_weights(found)
    for name in ("the token before", "the token itself", "the token after"):
        np.testing.assert_allclose(patterns[name], 1 / 128, rtol=1e-5)
    assert (patterns["the separators"] <= 2 / 128 + 1e-6).all()
    assert (patterns["the separators"] >= 1 / 128).all()
    assert "4 of 4 attention heads are flat" in report(model, corpus)["flat heads"]
