"""Positions and building blocks: the numbers of each view's sentence."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from app.style.number_format import large, significant, three
from core.blocks.activations import gelu
from core.positions import check_shift
from tests.pages.answers.taken import arrays, column, rows, values
from tests.pages.page import Page

Numbers = Sequence[str]


def _sinusoidal(page: Page) -> Numbers:
    lengths = arrays(page)["wavelengths"]
    return three(lengths[0]), three(lengths[-1]), f"{(lengths > 64).sum()} of them"


def _learned(page: Page) -> Numbers:
    cosines = arrays(page)["cosine_similarity"].astype(np.float64)
    others = np.where(np.eye(len(cosines), dtype=bool), -np.inf, cosines)
    beside = int((np.abs(others.argmax(axis=1) - np.arange(len(cosines))) == 1).sum())
    return f"{beside} of {len(cosines)}", three(np.diag(cosines, 1).mean()), three(cosines[0, -1])


def _relative(page: Page) -> Numbers:
    angle, bias, bucket = (
        float(values(page, f"positions.relative.{name}")[31, 0])
        for name in ("rotary", "alibi", "t5")
    )
    return three(angle), three(bias), f"bucket {bucket:.0f}"


def _order(page: Page) -> Numbers:
    kept = arrays(page)
    moved = np.abs(kept["weights"] - kept["weights_changed"]).sum(axis=1).mean() / 2
    return (f"{three(100 * float(moved))} %",)


def _steps(page: Page) -> Numbers:
    weight = float(arrays(page)["weights"][2, 0])
    return three(weight), f"{three(4 * weight)} times"


def _root(page: Page) -> Numbers:
    return tuple(
        three(number)
        for name in ("largest_weight", "gradient_norm")
        for number in column(page, name, d_k="64")
    )


def _scores(page: Page) -> Numbers:
    last = rows(page)[-1]
    return tuple(
        three(float(last[name])) for name in ("key_length", "dot", "scaled_dot", "additive")
    )


def _metric(page: Page) -> Numbers:
    matrix = arrays(page)["M"].astype(np.float64)
    share = ((matrix + matrix.T) ** 2).sum() / 4 / (matrix**2).sum()
    return f"{np.linalg.matrix_rank(matrix, tol=1e-4)} of {len(matrix)}", three(share)


def _entropy(_: Page) -> Numbers:
    scores = np.array([1.0, 0.5, -1.0])
    powers = np.exp(scores)
    shares = " · ".join(three(float(share)) for share in powers / powers.sum())
    return shares, significant(math.log(powers.sum()), 5)


def _limit(page: Page) -> Numbers:
    last = rows(page)[-1]
    return f"{last['groups']} groups", three(float(last["largest_move"]))


def _curves(page: Page) -> Numbers:
    at = int(np.abs(column(page, "x") - 1).argmin())
    return tuple(three(column(page, name)[at]) for name in ("relu", "gelu", "elu", "swish"))


def _dropout(page: Page) -> Numbers:
    off = np.abs(column(page, "mean") - gelu(column(page, "x")))
    return (three(off.max()),)


def _gates(page: Page) -> Numbers:
    passed = arrays(page)["value"]
    return three(float(passed[0, -1])), three(float(passed[-1, -1]))


def _depth(page: Page) -> Numbers:
    grown = (column(page, "gradient_W2", placement=one) for one in ("post", "pre", "deepnorm"))
    return tuple(f"{three(norms[-1] / norms[0])} times" for norms in grown)


def _vectors(page: Page) -> Numbers:
    before, after = (arrays(page)[name].astype(np.float64) for name in ("x+f(x)", "LayerNorm"))
    largest = int(np.abs(before).argmax())
    size = three(math.sqrt((before**2).mean()))
    return (
        size,
        three(before[largest]),
        f"dimension {largest + 1}",
        three(math.sqrt((after**2).mean())),
    )


def _schedule(page: Page) -> Numbers:
    rates = column(page, "inverse-square-root")
    return three(rates.max()), three(rates[-1]), f"{three(100 * rates[-1] / rates.max())} %"


def _smoothing(page: Page) -> Numbers:
    p, q = column(page, "p"), column(page, "q")
    right = int(q.argmax())
    losses = (-math.log(p[right]), -(q * np.log(p)).sum(), -(q * np.log(q)).sum())
    return three(p[right]), *map(three, losses)


def _adam(page: Page) -> Numbers:
    first = rows(page)[0]
    steps = (abs(float(first[name])) / 0.01 for name in ("step_taken", "step_uncorrected"))
    return three(math.log(0.5) / math.log(0.98)), *map(three, steps)


def _layers(_: Page) -> Numbers:
    n, d = 1024, 512
    return tuple(
        large(count, "").strip() for count in (n * n * d, n * d * d, 3 * n * d * d, 128 * n * d)
    )


def _memory(page: Page) -> Numbers:
    over = next(line for line in rows(page) if float(line["all pairs, n², bytes"]) > 80e9)
    sizes = [large(float(size), "B") for name, size in over.items() if name != "n"]
    return f"n = {float(over['n']):,.0f}", *sizes


def _pictures(_: Page) -> Numbers:
    columns, patches = math.ceil(1920 / 16), math.ceil(1080 / 16)
    windows = math.ceil(columns / 7) * math.ceil(patches / 7)
    pairs = ((1920 * 1080) ** 2, (columns * patches) ** 2, windows * 7**4)
    return tuple(three(float(count)) for count in pairs)


def _parameters(page: Page) -> Numbers:
    counts: dict[str, float] = {}
    for line in rows(page):
        counts[line["part"]] = counts.get(line["part"], 0) + int(line["parameters"])
    total = sum(counts.values())
    return f"{total:,}", f"{three(100 * max(counts.values()) / total)} %"


def _lora(page: Page) -> Numbers:
    kept = arrays(page)
    found = np.linalg.svd((kept["W_tuned"] - kept["W_start"]).astype(np.float64), compute_uv=False)
    shares = np.cumsum(found**2) / (found**2).sum()
    m, n = kept["W_tuned"].shape
    return (
        f"{three(100 * shares[7])} %",
        f"{three(100 * 8 * (m + n) / (m * n))} %",
        f"rank {1 + int((shares < 0.9).sum())}",
    )


def _int8(page: Page) -> Numbers:
    (line,) = rows(page, block_size="64")
    return large(float(line["bytes"]), "B"), f"{three(100 * float(line['relative_error']))} %"


def _adapters(page: Page) -> Numbers:
    return tuple(f"{int(line['trained_numbers']):,}" for line in rows(page))


def _all_objectives(page: Page) -> Numbers:
    return tuple(f"{line['objective']} {line['predictions counted']}" for line in rows(page))


def _spans(page: Page) -> Numbers:
    corrupted = arrays(page)["corrupted"]
    return (f"{int(corrupted.sum())} of {len(corrupted)}",)


def _replaced(page: Page) -> Numbers:
    kept = arrays(page)
    return f"wrote {int(kept['masked'].sum())}", f"{int(kept['replaced'].sum())} replaced"


def _hidden(page: Page) -> Numbers:
    hidden = arrays(page)["hidden"]
    errors = column(page, "squared error").reshape(hidden.shape)
    seen = f"{int((~hidden).sum())} of {hidden.size}"
    return seen, f"the {int(hidden.sum())} hidden", three(errors[hidden].mean())


def _experts(page: Page) -> Numbers:
    load = arrays(page)["load"]
    return (f"E{load.argmax()} gets {load.max()}",)


NUMBERS: Final[Mapping[str, Callable[[Page], Numbers]]] = {
    "positions-sinusoidal": _sinusoidal,
    "positions-shift": lambda _: (three(check_shift(5, 16, n_positions=200).error),),
    "positions-learned": _learned,
    "positions-relative": _relative,
    "positions-order": _order,
    "blocks-attention-steps": _steps,
    "blocks-attention-root": _root,
    "blocks-attention-scores": _scores,
    "blocks-attention-metric": _metric,
    "blocks-attention-entropy": _entropy,
    "blocks-attention-limit": _limit,
    "blocks-activations-curves": _curves,
    "blocks-activations-dropout": _dropout,
    "blocks-activations-gates": _gates,
    "blocks-norms-depth": _depth,
    "blocks-norms-vectors": _vectors,
    "blocks-optimisation-schedule": _schedule,
    "blocks-optimisation-smoothing": _smoothing,
    "blocks-optimisation-adam": _adam,
    "blocks-cost-layers": _layers,
    "blocks-cost-memory": _memory,
    "blocks-cost-pictures": _pictures,
    "blocks-cost-parameters": _parameters,
    "blocks-tuning-lora": _lora,
    "blocks-tuning-int8": _int8,
    "blocks-tuning-adapters": _adapters,
    "blocks-objectives-all": _all_objectives,
    "blocks-objectives-spans": _spans,
    "blocks-objectives-replaced": _replaced,
    "blocks-objectives-pictures": _hidden,
    "blocks-objectives-experts": _experts,
}
