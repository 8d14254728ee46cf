"""The arithmetic of one patch's way to a class, line by line: every step from printed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from app.style.worked import Step, follow, term, total
from core.explain.attention.worked_weight import WorkedCell
from core.outputs.patch_embedding import PatchEmbedding
from core.outputs.patch_path import PatchPath, PathToLogit

COLOURS: Final = ("red", "green", "blue")
WHOLE: Final = 1e-3  # from the colour's whole number, 0 to 255
SAME: Final = 1e-4  # relative: a key that its norm or its rotary position left alone


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """What the lines are about: one number of the token, of `d_model`, is followed."""

    embedding: PatchEmbedding
    is_plain_sum: bool  # whether the token is projection plus position
    path: PatchPath
    cell: WorkedCell
    number: int
    asking: str  # the token that asks, by name, as Markdown
    wanted: str  # the class, by name, as Markdown; "" without one


class _Chain:
    """Quantities, steps between them, and the sentences that print them by name in braces."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.steps: list[Step] = []
        self.sentences: list[str] = []

    def has(self, **values: float) -> None:
        self.values |= {name: float(value) for name, value in values.items()}

    def lines(self) -> tuple[str, ...]:
        texts = follow(self.values, self.steps)
        bracketed = {f"{name}_": term(text) for name, text in texts.items()}
        return tuple(sentence.format(**texts, **bracketed) for sentence in self.sentences)


def _literal(name: str) -> str:
    """A name that stands in a sentence as it is."""
    return name.replace("{", "{{").replace("}", "}}")


def path_lines(followed: Followed) -> tuple[str, ...]:
    """Pixel, embedding, position, layers before, norm, key, weight, value, residual, logit."""
    chain = _Chain()
    _embedded(chain, followed)
    _normed(chain, followed)
    _weighed(chain, followed)
    answer = followed.path.answer
    if answer is not None:
        _answered(chain, followed, answer)
    return chain.lines()


def _embedded(chain: _Chain, given: Followed) -> None:
    embedding, path, j = given.embedding, given.path, given.number
    patch = path.token - (len(given.cell.row_tokens) - embedding.grid.n_patches)
    worked = embedding.worked(patch, j)
    place = np.unravel_index(int(np.abs(worked.products).argmax()), worked.products.shape)
    row, column, colour = (int(index) for index in place)
    mean, deviation = (
        float(f"{each[colour]:.6g}") for each in (path.colour_mean, path.colour_deviation)
    )
    pixel, product = float(embedding.pixels[patch][place]), float(worked.products[place])
    count = worked.products.size
    byte = (pixel * deviation + mean) * 255
    whole = abs(byte - round(byte)) < WHOLE  # not so where a model resizes what is normalised
    chain.has(
        byte=byte,
        pixel=pixel,
        filter=embedding.filters[j][place],
        product=product,
        others=worked.total - product,
        bias=worked.bias,
        projected=worked.value,
    )
    chain.steps += [
        Step("pixel", ("byte",), lambda x: ((round(x) if whole else x) / 255 - mean) / deviation),
        Step("product", ("pixel", "filter"), lambda x, weight: x * weight),
        Step("projected", ("product", "others", "bias"), total),
    ]
    printed = str(round(byte)) if whole else "{byte}"
    chain.sentences += [
        f"**Pixel.** Row {row}, column {column} of the patch, {COLOURS[colour]}: {printed} of "
        f"255, normalised ({printed} ÷ 255 − {mean:g}) ÷ {deviation:g} = **{{pixel}}**.",
        f"**Embedding.** Number {j} of the token: {{pixel}} × its weight {{filter_}} = "
        f"{{product}}; with the other {count - 1} products {{others_}} and the bias {{bias_}}: "
        "{product} + {others_} + {bias_} = **{projected}**.",
    ]
    _placed(chain, given, patch)


def _placed(chain: _Chain, given: Followed, patch: int) -> None:
    """The position, and what the layers before the chosen one add."""
    embedding, path, j = given.embedding, given.path, given.number
    start, entered = float(path.stream[0, j]), float(path.stream[-1, j])
    chain.has(start=start)
    if not given.is_plain_sum or embedding.norm:
        chain.sentences.append(
            "**Token.** This model normalises its tokens once more before the first layer: number "
            f"{j} enters it as **{{start}}**."
        )
    elif embedding.positions is None:
        chain.steps.append(Step("start", ("projected",), lambda x: x))
        chain.sentences.append(
            "**Token.** No position is added here (it comes in later): **{start}**."
        )
    else:
        chain.has(position=embedding.positions[patch, j])
        chain.steps.append(Step("start", ("projected", "position"), total))
        chain.sentences.append("**Position.** {projected} + {position_} = **{start}**.")
    chain.has(entered=entered)
    if path.layer == 0:
        chain.steps.append(Step("entered", ("start",), lambda x: x))
        return
    chain.has(added=entered - start)
    chain.steps.append(Step("entered", ("start", "added"), total))
    before = "Layer 0 adds" if path.layer == 1 else f"Layers 0 to {path.layer - 1} add"
    chain.sentences.append(
        f"**Residual stream.** {before} {{added}} to it: {{start}} + {{added_}} = **{{entered}}**."
    )


def _normed(chain: _Chain, given: Followed) -> None:
    """The layer's norm, and one number of the head's key."""
    path, j = given.path, given.number
    key, query = given.cell.key, given.cell.query
    d = int(np.abs(query * key).argmax())
    product = float(path.normed[j]) * float(path.key_weight[d, j])
    chain.has(
        mean=path.mean,
        spread=path.spread,
        gain=path.gain[j],
        offset=path.offset[j],
        normed=path.normed[j],
        to_key=path.key_weight[d, j],
        key_part=product,
        key_others=float(path.projected_key[d]) - product - float(path.key_bias[d]),
        key_bias=path.key_bias[d],
        key=path.projected_key[d],
        turned=key[d],
        query=query[d],
        met=float(query[d]) * float(key[d]),
    )
    chain.steps += [
        Step(
            "normed",
            ("entered", "mean", "spread", "gain", "offset"),
            lambda x, mean, spread, gain, offset: (x - mean) / spread * gain + offset,
        ),
        Step("key_part", ("normed", "to_key"), lambda x, weight: x * weight),
        Step("key", ("key_part", "key_others", "key_bias"), total),
    ]
    own = np.abs(path.projected_key - key).max() < SAME * np.abs(key).max()
    of_key = "key" if own else "turned"
    if own:
        chain.steps.append(Step("turned", ("key",), lambda x: x))
    chain.steps.append(Step("met", ("query", of_key), lambda q, k: q * k))
    turned = "" if own else " The model then turns or normalises its keys: it becomes {turned}."
    chain.sentences += [
        f"**LayerNorm of layer {path.layer}.** ({{entered}} − mean {{mean_}}) ÷ {{spread}} × gain "
        "{gain_} + offset {offset_} = **{normed}**.",
        f"**Key of head {path.layer}.{path.head}.** Number {d} of {len(key)}, the one that counts "
        f"most here: {{normed}} × {{to_key_}} = {{key_part}}; with the other "
        f"{len(path.normed) - 1} "
        "numbers and the bias {key_part} + {key_others_} + {key_bias_} = **{key}**." + turned,
        f"**Score and weight.** {given.asking} asks with {{query}} there, which makes {{query}} × "
        f"{{{of_key}_}} = {{met}} of q·k. All of it, and the softmax over every token, is worked "
        "out below: the weight is **{weight}**.",
    ]


def _weighed(chain: _Chain, given: Followed) -> None:
    """What the patch's value becomes in the asking token."""
    path, j, value = given.path, given.number, given.cell.value
    parts = value.astype(np.float64) * path.write[:, j]
    d = int(np.abs(parts).argmax())
    written = float(parts.sum())
    chain.has(
        weight=given.cell.weight,
        value=value[d],
        to_stream=path.write[d, j],
        value_part=parts[d],
        value_others=written - parts[d],
        written=written,
        share=given.cell.weight * written,
    )
    chain.steps += [
        Step("value_part", ("value", "to_stream"), lambda v, w: v * w),
        Step("written", ("value_part", "value_others"), total),
        Step("share", ("weight", "written"), lambda weight, whole: weight * whole),
    ]
    chain.sentences.append(
        f"**Value.** Were it all that {given.asking} looks at, the patch would write {{written}} "
        f"to number {j} of it: {{value}} × {{to_stream_}} = {{value_part}} by number {d} of its "
        f"value (made like its key), and {{value_others}} by the other {len(value) - 1}. Its "
        f"share: {{weight}} × {{written_}} = **{{share}}**, added to {given.asking}’s residual "
        "stream."
    )


def _answered(chain: _Chain, given: Followed, answer: PathToLogit) -> None:
    """The last norm with its scale frozen, the classifier, and the sum that the logit is."""
    path, cell, j = given.path, given.cell, given.number
    added = cell.weight * (cell.value.astype(np.float64) @ path.write)
    middle = float(added.mean()) if answer.centred else 0.0
    read = answer.share * (added - middle) / answer.spread * answer.gain * answer.classifier
    own, through = float(read.sum()), float(answer.through[path.token])
    terms = answer.terms
    head = float(answer.through.sum(dtype=np.float64))
    chain.has(
        middle=middle,
        final=answer.spread,
        final_gain=answer.gain[j],
        to_class=answer.classifier[j],
        read=read[j],
        read_others=own - read[j],
        own=own,
        through=through,
        tokens=head - through,
        head=head,
        heads=terms.heads.sum() - head,
        mlps=terms.mlps.sum(),
        start_term=terms.start,
        constant=terms.constant,
        logit=terms.logit,
    )
    share = answer.share
    chain.steps += [
        Step(
            "read",
            ("share", "middle", "final", "final_gain", "to_class"),
            lambda x, mean, spread, gain, weight: (x - mean) / spread * gain * weight * share,
        ),
        Step("own", ("read", "read_others"), total),
        *_askers(chain, given, own, through),
        Step("head", ("through", "tokens"), total),
        Step("logit", ("head", "heads", "mlps", "start_term", "constant"), total),
    ]
    mean = " − mean {middle_}" if answer.centred else ""
    of = "" if share == 1 else f" × its share {_fraction(share)} in the answer"
    one = "(" if answer.centred else ""
    end = ")" if answer.centred else ""
    chain.sentences += [
        f"**Last norm and class.** For “{_literal(given.wanted)}”, with the norm’s scale frozen "
        f"at this picture’s {{final}}: {one}{{share}}{mean}{end} ÷ {{final}} × gain "
        f"{{final_gain_}} × class weight {{to_class_}}{of} = {{read}}; with the other "
        f"{len(added) - 1} numbers "
        "{read} + {read_others_} = **{own}**" + _of_all(given, share),
        f"**Logit.** Head {path.layer}.{path.head} adds {{through}} by this patch and "
        "{tokens} by all other tokens: **{head}**. With all other heads {heads_}, the MLPs "
        "{mlps_}, the first tokens {start_term_} and the biases {constant_} the logit is {head} + "
        "{heads_} + {mlps_} + {start_term_} + {constant_} = **{logit}**.",
    ]


def _askers(chain: _Chain, given: Followed, own: float, through: float) -> Sequence[Step]:
    """Where several tokens are pooled, what they add besides the one that is followed."""
    answer = given.path.answer
    if answer is None or answer.share == 1:
        return [Step("through", ("own",), lambda x: x)]
    chain.has(askers=through - own)
    return [Step("through", ("own", "askers"), total)]


def _of_all(given: Followed, share: float) -> str:
    if share == 1:
        return f": what this patch adds to the logit by way of {given.asking}."
    return (
        f" by way of {given.asking}; all other tokens that the answer is pooled from look at the "
        "patch, too: {own} + {askers_} = **{through}**."
    )


def _fraction(share: float) -> str:
    return f"1 ÷ {round(1 / share)}"
