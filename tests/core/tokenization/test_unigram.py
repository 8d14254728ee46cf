"""Unigram: the course's toy to the last digit, and brute force over all cuttings."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.tokenization import unigram
from core.tokenization.unigram.corpus_lattice import build_lattice
from tests.core.tokenization.corpora import COURSE, HUG

TOY = {
    "h": 15, "u": 36, "g": 20, "hu": 15, "ug": 20, "p": 17, "pu": 17, "n": 16, "un": 16, "b": 4,
    "bu": 4, "s": 5, "hug": 15, "gs": 5, "ugs": 5,
}  # fmt: skip


def cuttings(word: str, model: unigram.UnigramModel) -> dict[tuple[str, ...], float]:
    found: dict[tuple[str, ...], float] = {}
    for cuts in itertools.product([False, True], repeat=max(0, len(word) - 1)):
        borders = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(word)]
        tokens = tuple(word[a:b] for a, b in itertools.pairwise(borders))
        if all(token in model.log_probabilities for token in tokens):
            found[tokens] = sum(model.log_probabilities[token] for token in tokens)
    return found


def test_the_courses_toy():
    model = unigram.from_frequencies(TOY)
    assert sum(TOY.values()) == 210
    assert unigram.corpus_loss(HUG, model) == pytest.approx(169.8, abs=0.05)
    best = unigram.best("unhug", model)
    assert best.tokens == ("un", "hug")
    assert math.exp(best.log_probability) == pytest.approx(0.005442, abs=1e-6)
    nodes = unigram.lattice("unhug", model).nodes
    scores = [math.exp(node.best_log_probability) for node in nodes[1:]]
    assert scores == pytest.approx([0.171429, 0.076191, 0.005442, 0.005442, 0.005442], abs=1e-6)


def test_removing_hug_costs_what_the_course_says():
    model = unigram.from_frequencies(TOY)
    without = unigram.model_of({k: v for k, v in model.log_probabilities.items() if k != "hug"})
    rise = unigram.corpus_loss(HUG, without) - unigram.corpus_loss(HUG, model)
    assert rise == pytest.approx(23.5, abs=0.05)
    without = unigram.model_of({k: v for k, v in model.log_probabilities.items() if k != "pu"})
    same = unigram.corpus_loss(HUG, without) - unigram.corpus_loss(HUG, model)
    assert same == pytest.approx(0.0, abs=1e-9)


def test_the_courses_first_model_of_three_hundred_pieces():
    words: dict[str, int] = {}
    for word in " ".join(COURSE).split(" "):
        words["▁" + word] = words.get("▁" + word, 0) + 1
    letters: dict[str, int] = {}
    substrings: dict[str, int] = {}
    for word, count in words.items():
        for start in range(len(word)):
            letters[word[start]] = letters.get(word[start], 0) + count
            for end in range(start + 2, len(word) + 1):
                substrings[word[start:end]] = substrings.get(word[start:end], 0) + count
    most = sorted(substrings.items(), key=lambda item: item[1], reverse=True)
    model = unigram.from_frequencies({**letters, **dict(most[: 300 - len(letters)])})
    # the course's scores start at 1, so that each word costs one more there
    assert unigram.corpus_loss(words, model) + sum(words.values()) == pytest.approx(
        413.10377642940875
    )
    hopefully = unigram.best("Hopefully", model)
    assert hopefully.tokens == ("H", "o", "p", "e", "f", "u", "ll", "y")
    assert 1 - hopefully.log_probability == pytest.approx(41.5157494601402)


MODELS = st.dictionaries(
    st.text(alphabet="abc", min_size=2, max_size=4), st.integers(1, 50), max_size=12
).map(lambda pieces: unigram.from_frequencies({"a": 3, "b": 2, "c": 1, **pieces}))


@settings(deadline=None, max_examples=80)
@given(st.text(alphabet="abc", min_size=1, max_size=8), MODELS)
def test_lattice_and_n_best_equal_brute_force(word: str, model: unigram.UnigramModel):
    every = cuttings(word, model)
    total = math.log(sum(math.exp(value) for value in every.values()))
    lattice = unigram.lattice(word, model)
    assert lattice.log_likelihood == pytest.approx(total)
    found = unigram.n_best(word, model, 1000)
    assert {cutting.tokens for cutting in found} == set(every)
    values = [cutting.log_probability for cutting in found]
    assert values == sorted(values, reverse=True)
    assert values == pytest.approx(sorted(every.values(), reverse=True))
    assert sum(cutting.share for cutting in found) == pytest.approx(1.0)
    assert unigram.best(word, model) == found[0]
    for edge in lattice.edges:
        share = 0.0
        for tokens, value in every.items():
            ends = list(itertools.accumulate(map(len, tokens)))
            if (edge.start, edge.end) in zip([0, *ends], ends, strict=False):
                share += math.exp(value - total)
        assert edge.posterior == pytest.approx(share, abs=1e-9)
    path = [edge for edge in lattice.edges if edge.best]
    assert sum(edge.log_probability for edge in path) == pytest.approx(values[0])


def test_samples_follow_the_model():
    model = unigram.from_frequencies(TOY)
    every = {cutting.tokens: cutting.share for cutting in unigram.n_best("pug", model, 10)}
    drawn = [unigram.sample("pug", model, seed=seed).tokens for seed in range(3000)]
    for tokens, share in every.items():
        assert drawn.count(tokens) / 3000 == pytest.approx(share, abs=0.03)
    assert {unigram.sample("hugs", model, 50.0, seed).tokens for seed in range(20)} <= {
        ("hug", "s"), ("hu", "gs"), ("h", "ugs"),
    }  # fmt: skip


def test_unknown_letters_get_through():
    model = unigram.from_frequencies(TOY)
    assert unigram.best("huxg", model).tokens == ("hu", "x", "g")
    assert [edge.piece for edge in unigram.lattice("x", model).edges if edge.unknown] == ["x"]
    assert unigram.best("", model).tokens == ()


def test_training_keeps_letters_and_drops_what_is_missed_least():
    training = unigram.train(HUG, 10, word_start=None)
    assert len(training.vocabulary) == 10
    assert set("hugpnbs") <= set(training.vocabulary)
    assert "hug" in training.vocabulary
    sizes = [(turn.pieces_before, turn.pieces_after) for turn in training.rounds]
    assert all(after <= before for before, after in sizes)
    for turn in training.rounds:
        losses = [piece.loss for piece in turn.pruned]
        assert losses == sorted(losses)


def test_em_never_lowers_the_likelihood():

    pieces = list(TOY)
    lattice = build_lattice(list(HUG), {piece: i for i, piece in enumerate(pieces)}, 3)
    values = np.log(np.asarray(list(TOY.values()), dtype=np.float64) / 210)
    counts = np.asarray(list(HUG.values()), dtype=np.float64)
    before = -np.inf
    for _ in range(20):
        expected, likelihood = lattice.expected_counts(values, counts)
        assert likelihood >= before - 1e-9
        before = likelihood
        values = np.log(np.maximum(expected, 1e-300) / expected.sum())


def test_expected_counts_and_best_paths_equal_the_single_words():

    model = unigram.from_frequencies(TOY)
    pieces = list(TOY)
    lattice = build_lattice(list(HUG), {piece: i for i, piece in enumerate(pieces)}, 3)
    values = np.asarray([model.log_probabilities[piece] for piece in pieces])
    counts = np.asarray(list(HUG.values()), dtype=np.float64)
    expected, likelihood = lattice.expected_counts(values, counts)
    by_hand = dict.fromkeys(pieces, 0.0)
    total = 0.0
    for word, count in HUG.items():
        single = unigram.lattice(word, model)
        total += count * single.log_likelihood
        for edge in single.edges:
            by_hand[edge.piece] += count * edge.posterior
    assert likelihood == pytest.approx(total)
    assert list(expected) == pytest.approx(list(by_hand.values()))
    edge_to, best = lattice.best_edges(values)
    for word, node in zip(HUG, lattice.last_nodes, strict=True):
        assert best[node] == pytest.approx(unigram.best(word, model).log_probability)
    assert (edge_to[lattice.last_nodes] >= 0).all()


def test_a_trained_tokenizer_gives_places_and_bytes():
    training = unigram.train("low low lower newest newest", 20)
    tokenizer = unigram.from_training(training, byte_fallback=True)
    text = "low 東 newest"
    spans = tokenizer.tokenize(text).spans
    assert "".join(text[span.start : span.end] for span in spans if span.start < 4)[:3] == "low"
    fallback = [span for span in spans if span.token.startswith("<0x")]
    assert [span.token for span in fallback] == ["<0xE6>", "<0x9D>", "<0xB1>"]
    assert [(span.start, span.end, span.byte_start) for span in fallback] == [
        (4, 5, 4), (4, 5, 5), (4, 5, 6),
    ]  # fmt: skip


def test_bad_requests_say_so():
    with pytest.raises(InputError, match="can't hold the corpus's 7 different letters"):
        unigram.train(HUG, 3, word_start=None)
    with pytest.raises(InputError, match="at least one is needed"):
        unigram.train(HUG, 0)
    with pytest.raises(InputError, match="2,001 letters"):
        unigram.train("a" * 2000, 5)
    with pytest.raises(InputError, match="1,001 letters"):
        unigram.best("a" * 1001, unigram.from_frequencies({"a": 1}))
    with pytest.raises(InputError, match="has no pieces"):
        unigram.model_of({})
    with pytest.raises(InputError, match=r"log-probability 0\.5"):
        unigram.model_of({"a": 0.5})
