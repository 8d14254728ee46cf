"""Arithmetic written out on a page adds up for a reader with a calculator."""

import math
import re

import numpy as np

from tests.pages.page import Page
from tests.printed import NUMBER, follows, value

TERM = rf"\(?{NUMBER}\)?"


def test_next_sentence_s_logits_and_its_softmax():
    page = Page("bert", view="next")
    found = re.search(
        rf"follows ({TERM}) \+ ({TERM}) = \*\*({TERM})\*\*, elsewhere ({TERM}) \+ ({TERM}) = "
        rf"\*\*({TERM})\*\*\. Softmax of both: e\^({TERM}) ÷ \(e\^({TERM}) \+ e\^({TERM})\) = "
        rf"\*\*({TERM})\*\*",
        page.text,
    )
    assert found
    first, bias, follow, second, other, elsewhere, *powers, chance = found.groups()
    assert follows(value(first) + value(bias), follow)
    assert follows(value(second) + value(other), elsewhere)
    assert powers == [follow, follow, elsewhere]
    exponentials = np.exp([value(follow), value(elsewhere)])
    assert follows(float(exponentials[0] / exponentials.sum()), chance)


def test_a_dimension_of_the_input_sum():
    page = Page("bert", view="input", cell="3.17")
    found = re.search(
        rf"dimension 17 of \d+: ((?:{TERM} \+ )*{TERM}) = \*\*({TERM})\*\*\. LayerNorm: "
        rf"\(({TERM}) − mean ({TERM})\) ÷ ({TERM}) × gain ({TERM}) \+ offset ({TERM}) = "
        rf"\*\*({TERM})\*\*",
        page.text,
    )
    assert found
    terms, total, again, *norm, output = found.groups()
    assert total == again
    assert follows(math.fsum(map(value, terms.split(" + "))), total)
    mean, spread, gain, offset = map(value, norm)
    assert follows((value(total) - mean) / spread * gain + offset, output)


def test_perplexity_and_bits_per_byte():
    page = Page("gpt", view="surprise")
    found = re.search(
        rf"Perplexity = 2\^\(({NUMBER}) bits ÷ (\d+) tokens\) = \*\*({NUMBER})\*\*; bits per "
        rf"byte = ({NUMBER}) ÷ (\d+) = \*\*({NUMBER})\*\*",
        page.text,
    )
    assert found
    bits, tokens, perplexity, again, size, rate = found.groups()
    assert bits == again
    assert follows(2 ** (value(bits) / int(tokens)), perplexity)
    assert follows(value(bits) / int(size), rate)


def test_the_table_from_logits_to_what_is_drawn():
    page = Page("gpt", view="next", temperature="0.8", top_p="0.9")
    table = next(frame.value for frame in page.dataframe if "exp(z/T − max)" in frame.value)
    total = re.search(rf"… ÷ \*\*({NUMBER})\*\*", page.text)
    mass = re.search(rf"with a mass of \*\*({NUMBER})\*\*; ({NUMBER}) is cut away", page.text)
    assert total
    assert mass
    assert follows(1 - value(mass[1]), mass[2])
    largest, cumulated = value(table["z / T"][0]), 0.0
    for z, scaled, exponential, chance, sum_, cut in zip(
        *(table[name] for name in table.columns[1:]), strict=True
    ):
        assert follows(value(z) / 0.8, scaled)
        assert follows(math.exp(value(scaled) - largest), exponential)
        assert follows(value(exponential) / value(total[1]), chance)
        cumulated += value(chance)
        assert follows(cumulated, sum_)
        assert cut == "cut" or follows(value(chance) / value(mass[1]), cut)


def test_a_matching_s_cost_term_by_term():
    page = Page("vision", view="detr", part="matching", cell="0.0")
    found = re.search(
        rf"= −({NUMBER}) \+ 5 · ({NUMBER}) \+ 2 · \(1 − ({TERM})\) = \*\*({TERM})\*\*", page.text
    )
    areas = re.search(
        rf"Shared area ({NUMBER}), union ({NUMBER}), smallest box around both ({NUMBER}): IoU "
        rf"({NUMBER}); GIoU = IoU − \(hull − union\) / hull = ({TERM})\.",
        page.text,
    )
    assert found
    assert areas
    chance, apart, giou, cost = map(value, found.groups())
    assert follows(-chance + 5 * apart + 2 * (1 - giou), found[4])
    shared, union, hull, iou, _ = map(value, areas.groups())
    assert follows(shared / union, areas[4])
    assert follows(iou - (hull - union) / hull, areas[5])
    assert value(areas[5]) == giou
    assert cost == value(found[4])
