"""One weight worked out: every step in text, every dimension under the pointer."""

import math
import re
from xml.etree import ElementTree as ET

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from app.components.worked_cell import worked_cell_frame
from app.style.number_format import three
from core.explain.attention.worked_weight import worked_cell
from core.trace import AttentionKind
from tests.figures import samples
from tests.figures.conftest import Mount
from tests.figures.harness import Figure
from tests.figures.samples import SAMPLES
from tests.printed import NUMBER, follows, numbers, value

CELL = samples.cell()


def part_of(figure: Figure, name: str) -> dict:
    return next(part for part in figure.data() if part["name"] == name)


def worked(random: np.random.Generator, size: int, width: int, *, masked: bool = False):
    """A cell of a random row, of scores as far apart as a head's."""
    sharp = random.uniform(0.5, 3)
    q, k, v = (sharp * random.normal(size=(1, size, width)).astype(np.float32) for _ in range(3))
    bias = np.zeros((1, size, size), dtype=np.float32)
    if masked:
        bias[:, :, 1:] = random.choice([0, -np.inf, 0.37], size=(1, size, size - 1))
    place = (0, int(random.integers(size)), int(random.integers(size)))
    words = samples.tokens(size)
    scale = random.choice([1 / math.sqrt(width), 0.21])
    return worked_cell(
        q, k, v, bias=bias, scale=float(scale), cell=place, query_tokens=words, key_tokens=words
    )


def text_of(figure: Figure) -> str:
    return figure.root.locator("pre").text_content() or ""


def line_of(text: str, start: str) -> str:
    return next(line for line in text.split("\n") if line.startswith(start))


def adds_up(text: str, width: int) -> None:
    """Every step of the copied text, on a calculator."""
    query, key, products = (
        numbers(line_of(text, name).removeprefix(name)) for name in ("query ", "key ", "q × k")
    )
    assert len(query) == len(key) == len(products) == width
    for q, k, product in zip(query, key, products, strict=True):
        assert follows(value(q) * value(k), product)
    dot_line = line_of(text, "q·k = ")
    terms, dot = dot_line.removeprefix("q·k = ").rsplit(" = ", 1)
    added = [value(term.split(" from ")[0]) for term in terms.split(" + ")]
    assert follows(math.fsum(added), dot)
    if rest := re.search(r"\+ (\S+(?: · \S+)?) from the other", dot_line):
        others = [value(product) for product in products]
        for term in added[:-1]:  # of two that are printed alike but for the sign, either is told
            others.remove(term)
        assert follows(math.fsum(others), rest[1])
    formula, score = line_of(text, "score = ").removeprefix("score = ").rsplit(" = ", 1)
    scaling, _, mask = formula.partition(" − ∞" if "− ∞" in formula else " + ")
    assert scaling.startswith(dot)
    by = scaling.removeprefix(dot)
    scaled = value(dot) / math.sqrt(width) if "÷" in by else value(dot) * value(by[3:])
    bias = -math.inf if "− ∞" in formula else value(mask.split(" (")[0] if mask else "0")
    assert follows(scaled + bias, score)
    largest, total = re.match(
        r"the row: max (.+), sum of exp\(score − max\) (.+)", line_of(text, "the row")
    ).groups()  # type: ignore[union-attr]
    row = re.findall(r"score (.+), exp\(score − max\) (.+), weight (.+)", text)
    assert follows(math.fsum(value(each) for _, each, _ in row), total)
    for own, exponential, weight in row:
        assert follows(math.exp(value(own) - value(largest)), exponential)
        assert follows(value(exponential) / value(total), weight)
    last = line_of(text, "weight = ").removeprefix("weight = ").split(" = ")
    assert last[0].startswith(f"exp({score} − {largest}) ÷ {total}".replace("− −", "− (−")[:8])
    over, under = last[1].split(" ÷ ")
    assert under == total
    assert follows(value(over) / value(under), last[2])
    moved = text.split("dimension by dimension:\n")[1].split("\noutput")[0].split("\n")
    for line in moved:
        factors, product = line.strip().split(" = ")
        left, right = factors.split(" × ")
        assert follows(value(left) * value(right), product)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**31),
    size=st.integers(1, 40),
    width=st.sampled_from([1, 3, 16, 32]),
    masked=st.booleans(),
)
def test_every_printed_step_adds_up(mount: Mount, seed: int, size: int, width: int, masked: bool):
    random = np.random.default_rng(seed)
    cell = worked(random, size, width, masked=masked and size > 1)
    figure = mounted_once(mount)
    figure.show(worked_cell_frame(cell, kind=AttentionKind.ENCODER, caption="random"))
    text = text_of(figure)
    adds_up(text, width)
    assert re.search(rf" = {re.escape(three(cell.weight))[:4]}", line_of(text, "weight = "))


MOUNTED: dict[object, Figure] = {}


def mounted_once(mount: Mount) -> Figure:
    if mount not in MOUNTED:
        MOUNTED.clear()
        MOUNTED[mount] = mount("worked_cell")
    return MOUNTED[mount]


def test_the_text_carries_every_step(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    figure.root.get_by_role("button", name="Text").click()
    text = figure.root.locator("pre").inner_text()
    adds_up(text, 16)
    assert text.split("weight = ")[1].split("\n")[0].endswith(f"= {three(CELL.weight)}")
    assert "÷ √16 + 0 (nothing masked)" in text
    figure.root.get_by_role("button", name="Copy").click()
    expect(figure.root.get_by_role("button", name="Copied")).to_be_visible()
    copied = figure.page.evaluate("navigator.clipboard.readText()")
    assert copied == figure.root.locator("pre").text_content()


def test_a_bar_carries_its_exponential_and_the_row_its_sum(mount: Mount):
    """Each bar is exp(score − max): the largest is 1, and together they are the printed sum."""
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    drawing = ET.parse(figure.download("SVG")).getroot()
    texts = ["".join(node.itertext()) for node in drawing.iter() if node.tag.endswith("text")]
    bars = texts.index("exp(score − max)")
    row = [text for text in texts[bars + 1 : texts.index("sum")] if NUMERIC.fullmatch(text)]
    *exponentials, total = row
    assert len(exponentials) == len(CELL.row_tokens)
    assert follows(math.fsum(map(value, exponentials)), total)
    for printed, exact in zip(exponentials, CELL.row_exponentials, strict=True):
        assert follows(float(exact), printed)
    assert value(exponentials[int(CELL.row_exponentials.argmax())]) == 1


NUMERIC = re.compile(NUMBER)


def test_hovering_a_dimension_multiplies_the_real_numbers(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    strip = part_of(figure, "products")
    figure.hover(strip["x"] + 5.5 * strip["w"] / 16, strip["y"] + 5)
    expect(figure.tip).to_contain_text("dimension 5")
    factors, product = figure.tip.inner_text().split("\n")[1].split(" = ")
    q, k = factors.split(" × ")
    assert follows(value(q) * value(k), product)
    for printed, exact in zip((q, k, product), (CELL.query, CELL.key, CELL.products), strict=True):
        assert follows(float(exact[5]), printed)
    assert np.float32(figure.tip.get_attribute("data-value")) == CELL.products[5]


def test_arrow_keys_walk_the_dimensions(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    figure.root.locator(".stack").focus()
    figure.press("ArrowRight", "ArrowRight", "ArrowLeft")
    expect(figure.tip).to_contain_text("dimension 0")
    figure.press(*["ArrowRight"] * 20)  # the edge holds
    expect(figure.tip).to_contain_text("dimension 15")


def test_hovering_the_row_divides_by_its_sum(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"]())
    bars = part_of(figure, "bars")
    step = min(bars["w"] / 8, 54)
    figure.hover(bars["x"] + 1.5 * step, bars["y"] + bars["h"] - 3)
    first, second = figure.tip.inner_text().split("\n")[1:]
    arguments, exponential = re.fullmatch(r"exp\((.+)\) = (.+)", first).groups()  # type: ignore[union-attr]
    score, largest = arguments.split(" − ")
    assert follows(math.exp(value(score) - value(largest)), exponential)
    over, under, weight = re.fullmatch(r"weight = (.+) ÷ (.+) = (.+)", second).groups()  # type: ignore[union-attr]
    assert over == exponential
    assert follows(value(over) / value(under), weight)
    assert follows(float(CELL.row_weights[1]), weight)


def test_strips_end_inside_a_phone(mount: Mount):
    figure = mount("worked_cell", SAMPLES["worked_cell"](), width=390)
    assert all(part["x"] + part["w"] <= 390 - 32 for part in figure.data())
