"""Texts and tokenizers, BERT, GPT, the Transformer: the numbers of each view's sentence."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from app.style.number_format import three
from app.style.visible_space import visible
from app.style.worked import product, step, total
from app.ui.which_words.params import METHODS
from core.catalog import card_of
from tests.pages.answers.taken import arrays, column, rows, softmax
from tests.pages.page import Page

Numbers = Sequence[str]
SIDES: Final = ("before", "after")


def _attention(page: Page) -> Numbers:
    (line,) = rows(page, query_token="it", key_token="animal")
    weight, tokens = float(line["weight"]), len({one["key"] for one in rows(page)})
    return three(weight), f"{three(weight * tokens)} times"


def _all_heads(page: Page) -> Numbers:
    kept = arrays(page)
    apart = kept["divergence_bits"]
    between = apart[np.triu_indices(len(apart), k=1)]
    one, other = np.argwhere(apart == between.min())[0]
    pair = [".".join(map(str, kept["heads"][at])) for at in (one, other)]
    return *pair, three(float(between.min())), three(float(between.mean()))


def _found_heads(page: Page) -> Numbers:
    kept = arrays(page)
    (first, second), (best, other) = kept["heads"][:2], map(float, kept["scores"][:2])
    assert best >= other
    pair = [".".join(map(str, one)) for one in (first, second)]
    return *pair, three(best), three(other), three(float(kept["baselines"][0]))


def _many_sentences(page: Page) -> Numbers:
    kept = arrays(page)
    layer, head = map(int, kept["shown_head"])
    (at,) = np.flatnonzero((kept["built_in_role_heads"] == (layer, head)).all(axis=1))
    column = int(np.nanargmax(kept["built_in_offsets"][at, :-2, 0]))  # the last are no offsets
    mean, low, high, even, _ = kept["built_in_offsets"][at, column]
    named = np.sum(kept["built_in_role_labels"] != "no clear role")
    return (
        f"{layer}.{head}",
        kept["offset_names"][column],
        *map(three, (mean, low, high, even)),
        f"{named} of {len(kept['built_in_role_labels'])} heads",
    )


def _two_sentences(page: Page) -> Numbers:
    kept = arrays(page)
    at = list(kept["query_tokens"]).index("it")
    most = kept["moved"][:, at]
    layer, head = kept["heads"][int(most.argmax())]
    return f"head {head} in layer {layer}", three(float(most.max()))


def _two_models(page: Page) -> Numbers:
    kept = arrays(page)
    shared = np.minimum(kept["first"], kept["second"]).sum(axis=1)
    return (
        three(float(shared.mean())),
        three(float(1 - shared.min())),
        f"{len(kept['heads'])} heads",
    )


def _rollout_of_a_text(page: Page) -> Numbers:
    kept = arrays(page)
    query, frame = int(kept["query"]), int(kept["frame"])
    row = kept[f"rollout_{kept['by']}"][frame, query]
    others = np.delete(row, query)
    return three(row[query]), three(others.max()), f"{three(others.max() * len(row))} times"


def _score_steps(page: Page) -> Numbers:
    kept = arrays(page)
    at = tuple(kept["cell"])
    return three(float(kept["weights"][at])), "no mask changes"


def _flow(page: Page) -> Numbers:
    kept = arrays(page)
    level, token = kept["node"]
    shares = kept["attended"].astype(np.float64)
    for layer, mine in zip(shares, kept["kept"], strict=True):
        layer[np.diag_indices_from(layer)] += mine
    whole = np.linalg.multi_dot(shares[:level][::-1])[token]
    path = kept["path"]
    worth = np.prod([shares[at, b, a] for at, (a, b) in enumerate(pairwise(path))])
    return three(whole[token]), three(worth), f"{worth / whole[path[0]]:.0%}"


def _queries_and_keys(page: Page) -> Numbers:
    kept = arrays(page)
    points = np.concatenate([kept["queries"], kept["keys"]])
    assert abs(points.mean()) < 1e-3
    return three(
        float(kept["weights"][kept["words"]].max())
    ), f"{three(100 * float(kept['share']))} %"


def _syntax(page: Page) -> Numbers:
    kept = arrays(page)
    at = list(map(tuple, kept["relations"])).index(("case", "head"))
    accuracy, guessed = kept["accuracy"][at, :, 0], kept["guess_accuracy"][at]
    layer, head = kept["heads"][accuracy.argmax()]
    return f"head {layer}.{head} finds {accuracy.max():.0%}", f"finds {guessed:.0%}."


def _first_merge(_: Page) -> Numbers:
    return "stands 9 times", "from 95 to 86"  # by hand: low low low … newest newest widest


def _lives(page: Page) -> Numbers:
    made = [line for line in rows(page) if int(line["born"])]
    dead = [line for line in made if line["died"]]
    return (f"{len(dead)} of the {len(made)}",)


def _text(page: Page) -> Numbers:
    counts = Counter(line["tokenizer"] for line in rows(page))
    return f"fewest tokens, {min(counts.values())}", f"the most, {max(counts.values())}"


def _languages(page: Page) -> Numbers:
    worst = {
        name: column(page, "premium", tokenizer=name).max()
        for name in {line["tokenizer"] for line in rows(page)}
    }
    return three(max(worst.values())), three(min(worst.values()))


def _why_subwords(page: Page) -> Numbers:
    words, pieces = (rows(page, vocabulary=name)[-1] for name in ("words", "BPE"))
    shares = (three(100 * float(one["known"])) + " %" for one in (words, pieces))
    return *shares, three(float(pieces["tokens_per_word"])), f"{int(words['size']):,}"


def _wordpiece(page: Page) -> Numbers:
    sections = page.figures["tokenizers.search"].header["sections"]
    return tuple(row["note"] for row in sections[0]["rows"])


def _unigram(page: Page) -> Numbers:
    edges = [(int(e["start"]), int(e["end"]), float(e["ln_p"])) for e in rows(page)]
    size = max(end for _, end, _ in edges)
    total, best = [1.0] + [0.0] * size, [1.0] + [0.0] * size
    for place in range(1, size + 1):
        ways = [(start, np.exp(p)) for start, end, p in edges if end == place]
        total[place] = sum(total[start] * p for start, p in ways)
        best[place] = max((best[start] * p for start, p in ways), default=0.0)
    return f"{len(edges)} pieces", three(best[-1] / total[-1])


def _masked_words(page: Page) -> Numbers:
    places = sorted(name for name in arrays(page).files if name.startswith("log_prob"))
    return tuple(f"{np.exp(arrays(page)[name].max()):.3g}" for name in places)


def _layer_by_layer(page: Page) -> Numbers:
    kept = arrays(page)["log_probabilities"]
    best = int(kept[-1].argmax())
    since = max((i + 1 for i in range(len(kept)) if kept[i].argmax() != best), default=0)
    rank = 1 + int((kept[0] > kept[0][best]).sum())
    return three(float(np.exp(kept[-1][best]))), f"layer {since - 1} on", f"{rank:,}"


def _pretraining(page: Page) -> Numbers:
    found = rows(page)
    right = sum(line["best_guess"] == line["original"] for line in found)
    loss = three(column(page, "loss_nats").mean())
    return f"{len(found)} are to be found", f"right for {right} of them", loss


def _next_sentence(page: Page) -> Numbers:
    logits = arrays(page)["logits"]
    return three(softmax(logits)[0]), three(float(logits[0])), three(float(logits[1]))


def _context(page: Page) -> Numbers:
    layer = int(page.answer.split("Layer ")[1].split(" ")[0])
    cosines = arrays(page)["cosines"][1 + layer]  # the input comes first
    return f"{np.sort(cosines[~np.eye(len(cosines), dtype=bool)])[-1]:.3f}", f"{cosines.min():.3f}"


def _new_numbers(page: Page) -> Numbers:
    return (f"{int(rows(page)[0]['parameters']):,}",)


def _next_word(page: Page) -> Numbers:
    return (three(float(arrays(page)["final"].max())),)


def _generate(page: Page) -> Numbers:
    return (three(float(softmax(arrays(page)["logits"]).max())),)


def _surprise(page: Page) -> Numbers:
    bits = column(page, "bits")[1:]
    most = int(bits.argmax())
    expected = column(page, "expected_bits")[1 + most]
    return tuple(map(three, (bits[most], expected, bits.mean(), 2 ** bits.mean())))


def _by_layer(page: Page) -> Numbers:
    kept = arrays(page)
    first = int(kept["rank"][0, -1])
    return three(float(kept["probability"][-1, -1])), f"rank {first:,} at the input"


def _induction(page: Page) -> Numbers:
    kept = arrays(page)
    scores = kept["induction"]
    layer, head = divmod(int(scores.argmax()), scores.shape[1])
    return (
        f"{(scores >= 0.4).sum()} head",
        f"layer {layer}, head {head}",
        three(float(scores.max())),
    )


def _shots(page: Page) -> Numbers:
    chances, ranks = column(page, "p"), column(page, "rank")
    return (
        three(chances[0]),
        three(chances[-1]),
        f"{int(ranks[0]):,} without",
        f"{int(ranks[-1])} now",
    )


def _gpt_tuning(page: Page) -> Numbers:
    return (three(softmax(arrays(page)["logits"])[0]),)


def _beside(page: Page) -> Numbers:
    later = (np.triu(arrays(page)[name], 1).sum(axis=1).mean() for name in ("bert", "gpt"))
    return tuple(three(float(share)) for share in later)


def _losses(page: Page) -> np.ndarray:
    kept = arrays(page)
    chances = softmax(kept["logits"][: len(kept["label_ids"])])
    return -np.log(chances[np.arange(len(chances)), kept["label_ids"]])


def _decode(page: Page) -> Numbers:
    losses = _losses(page)
    return f"{len(losses)} tokens", three(float(np.exp(-losses.mean())))


def _beams(page: Page) -> Numbers:
    """The beam says what greedy decoding says, so its tokens cost the same."""
    assert "the same sentence" in page.answer
    return (three(float(_losses(Page("transformer", view="decode")).sum())),)


def _machine(_: Page) -> Numbers:
    card = card_of("transformer-en-de")
    assert card is not None
    said = len(_losses(Page("transformer", view="decode")))
    return f"in {said}:", f"{card.layers} encoder", f"{card.d_model} numbers"


def _heads(page: Page) -> Numbers:
    kept = arrays(page)
    weights, products = kept["weights"], kept["products"]
    most = np.unravel_index(int(weights.argmax()), weights.shape)
    weight = float(weights[most])
    return three(weight), three(float(products[most])), three(weight * weights.shape[1])


def _alignment(page: Page) -> Numbers:
    weights = arrays(page)["weights"]
    return three(float(weights[:, :-1].max())), f"{weights[:, -1].sum() / weights.sum():.0%}"


def _forcing(page: Page) -> Numbers:
    first = int((column(page, "rank") == 1).sum())
    return three(float(arrays(page)["loss"].mean())), f"said {first} of its {len(rows(page))}"


def _which_words(page: Page) -> Numbers:
    kept = arrays(page)
    names = [name for name in METHODS if name != "random"]
    firsts = [int(kept["words"][kept[name][kept["words"]].argmax()]) for name in names]
    most = Counter(firsts).most_common(1)[0][1]
    x = kept["hidden_fractions"]
    areas = {name: float(np.trapezoid(kept[f"curve_{name}_most_first"], x)) for name in METHODS}
    best = min(names, key=areas.__getitem__)
    return (
        three(float(kept["probability"])),
        f"{most} of {len(names)} methods",
        three(areas[best]),
        three(areas["random"]),
    )


def _direct_logits(page: Page) -> Numbers:
    kept = arrays(page)
    writes, part = kept["writes"], kept["part"]
    moved = np.isin(part, ("attention", "cross", "mlp"))
    at = int(np.where(moved, np.abs(writes), -1).argmax())
    assert abs(writes.sum() - kept["logit"]) < 1e-4
    sums = [float(writes[np.isin(part, one)].sum()) for one in (("attention", "cross"), ("mlp",))]
    whole = float(writes.sum())
    parts, said = step((*sums, whole - sum(sums)), whole, total)
    return said, *parts, three(float(writes[at])), f"layer {kept['layer'][at]}"


def _neurons(page: Page) -> Numbers:
    kept = arrays(page)
    writes, (layer, neuron) = kept["writes"], kept["silenced"]
    assert abs(writes[layer, neuron]) == np.abs(writes).max()
    activation, value = float(kept["activations"][layer, neuron]), float(writes[layer, neuron])
    (first, second), said = step((activation, value / activation), value, product)
    token = kept["answer"][0]
    before, after = (float(np.exp(kept[f"log_probabilities_{at}"][token])) for at in SIDES)
    return f"Layer {layer}, neuron {neuron}", first, second, said, three(before), three(after)


def _circuits(page: Page) -> Numbers:
    kept = arrays(page)
    source, token = kept["cell"].tolist()
    query = source if "symmetric_share" in kept else token
    row = kept["qk"][query]
    return (
        visible(str(kept["sources"][source])).replace("##", ""),
        three(float(kept["pushed_up_logits"][source, 0])),
        f"rank {kept['ranks'][source, query]:,} of",
        three(float(row.max() - row.mean())),
    )


NUMBERS: Final[Mapping[str, Callable[[Page], Numbers]]] = {
    "attention-": _attention,
    "attention-heads-alike": _all_heads,
    "attention-heads-find": _found_heads,
    "attention-heads-many": _many_sentences,
    "attention-pair": _two_sentences,
    "attention-models": _two_models,
    "attention-steps": _score_steps,
    "attention-rollout": _rollout_of_a_text,
    "attention-flow": _flow,
    "attention-space": _queries_and_keys,
    "attention-syntax": _syntax,
    "tokenization-": _first_merge,
    "tokenization-lives": _lives,
    "tokenizers-text": _text,
    "tokenizers-languages": _languages,
    "tokenizers-why": _why_subwords,
    "tokenizers-wordpiece": _wordpiece,
    "tokenizers-unigram": _unigram,
    "bert-words": _masked_words,
    "bert-layers": _layer_by_layer,
    "bert-input": lambda _: ("3 tables",),
    "bert-pretraining": _pretraining,
    "bert-next": _next_sentence,
    "bert-context": _context,
    "bert-tuning": _new_numbers,
    "gpt-next": _next_word,
    "gpt-generate": _generate,
    "gpt-surprise": _surprise,
    "gpt-layers": _by_layer,
    "gpt-why": _which_words,
    "bert-why": _which_words,
    "gpt-direct": _direct_logits,
    "bert-direct": _direct_logits,
    "transformer-direct": _direct_logits,
    "gpt-neurons": _neurons,
    "bert-neurons": _neurons,
    "transformer-neurons": _neurons,
    "gpt-circuits": _circuits,
    "transformer-circuits": _circuits,
    "bert-circuits": _circuits,
    "gpt-induction": _induction,
    "gpt-shots": _shots,
    "gpt-tuning": _gpt_tuning,
    "gpt-beside": _beside,
    "transformer-decode": _decode,
    "transformer-beams": _beams,
    "transformer-machine": _machine,
    "transformer-heads": _heads,
    "transformer-alignment": _alignment,
    "transformer-forcing": _forcing,
}
