"""A clicked patch, from a pixel through one head to the logit: the model's numbers, added up."""

import math
import re

import numpy as np
import pytest

from core.targets import ClassTarget
from tests.pages.page import Page
from tests.pages.vision.shown import PICTURE, Folders, loaded, opened
from tests.printed import NUMBER, follows, value

TERM = rf"\(?{NUMBER}\)?"


def test_the_heads_and_the_patches_are_the_model_s(folders: Folders):
    page = opened("patches", folders["vit"], token="6", heads="0.2")
    answer = int(np.argmax(loaded(folders["vit"]).trace(PICTURE).logits))
    path = loaded(folders["vit"]).patch_path(PICTURE, 0, 2, 5, ClassTarget(answer))
    shown_as(page, path)
    page.choose("vision.patches.terms", [1, 1])
    assert page.link["heads"] == "1.1"
    shown_as(page, loaded(folders["vit"]).patch_path(PICTURE, 1, 1, 5, ClassTarget(answer)))
    page.choose("vision.patches.terms", [0, 3])  # the MLP is no head
    assert page.link["heads"] == "1.1"
    page = opened("patches", folders["vit"], token="6", heads="1.0", **{"class": "4"})
    shown_as(page, loaded(folders["vit"]).patch_path(PICTURE, 1, 0, 5, ClassTarget(4)))
    assert "For “house”" in page.text


def shown_as(page: Page, path) -> None:
    terms = page.figures["vision.patches.terms"].arrays["values"]
    np.testing.assert_allclose(terms[:, :-1], path.answer.terms.heads, atol=1e-5)
    np.testing.assert_allclose(terms[:, -1], path.answer.terms.mlps, atol=1e-5)
    drawn = page.figures["vision.patches.through"].arrays["values0"].reshape(-1)
    np.testing.assert_allclose(drawn, path.answer.through[1:], atol=1e-5)


def test_at_first_the_head_that_adds_most(folders: Folders):
    page = opened("patches", folders["vit"], token="6")
    terms = page.figures["vision.patches.terms"].arrays["values"][:, :-1]
    layer, head = np.unravel_index(int(terms.argmax()), terms.shape)
    assert f"Key of head {layer}.{head}" in page.text


def test_where_the_answer_is_pooled_every_patch_asks(folders: Folders):
    page = opened("patches", folders["transformers-ijepa"], token="6", heads="1.1")
    assert "× its share 1 ÷ 16 in the answer" in page.text
    line = next(line for line in page.text.splitlines() if "Last norm and class" in line)
    own, askers, through = of(line, rf"too: ({TERM}) \+ ({TERM}) = \*\*({TERM})\*\*")
    assert follows(value(own) + value(askers), through)


@pytest.mark.parametrize(
    ("name", "link", "said"),
    [
        ("swin", {"token": "6"}, "merges its patches on the way"),
        ("vit", {"token": "0"}, "Click a patch to follow it"),
        ("headless", {"token": "6"}, "knows no classes, so the way ends here"),
        ("siglip", {"token": "6"}, "one more attention"),
        ("transformers-clip", {"token": "6"}, "normalises its tokens once more"),
    ],
)
def test_what_can_t_be_followed_says_why(
    folders: Folders, name: str, link: dict[str, str], said: str
):
    page = opened("patches", folders[name], **link)
    assert said in page.text + page.notices
    assert "vision.patches.terms" not in page.figures


@pytest.mark.parametrize("heads", ["99.0", "0.99", "x", "1"])
def test_a_link_s_head_that_is_not_there_gives_way(folders: Folders, heads: str):
    page = opened("patches", folders["vit"], token="6", heads=heads, **{"class": "77"})
    assert "Key of head" in page.text
    assert page.link.get("heads") is None


@pytest.mark.parametrize(
    "link",
    [
        {},
        {"token": "20", "output": "17", "heads": "0.2", "class": "3"},
        {"token": "101", "output": "250", "heads": "6.1"},
    ],
)
def test_a_patch_s_way_to_a_class(link: dict[str, str]):
    page = Page("vision", view="patches", **link)
    lines = dict(re.findall(r"^\d+\. \*\*(.+?)\.\*\* (.+)$", page.text, re.MULTILINE))
    byte, mean, spread, pixel = of(
        lines["Pixel"], rf"\(({TERM}) ÷ 255 − ({TERM})\) ÷ ({TERM}) = \*\*({TERM})\*\*"
    )
    assert follows((value(byte) / 255 - value(mean)) / value(spread), pixel)
    product, *_ = of(lines["Embedding"], rf"= ({TERM}); with the other 191")
    assert lines["Embedding"].split("token: ")[1].startswith(f"{pixel} × its weight ")
    weight, *_ = of(lines["Embedding"], rf"its weight \(?({NUMBER})\)?")
    assert follows(value(pixel) * value(weight), product)
    projected = added(lines["Embedding"], product)
    start = added(lines["Position"], projected)
    stream = lines.get("Residual stream")
    entered = start if stream is None else added(stream, start)
    (norm,) = (rest for name, rest in lines.items() if name.startswith("LayerNorm"))
    x, mean, spread, gain, offset, normed = of(
        norm,
        rf"\(({TERM}) − mean ({TERM})\) ÷ ({TERM}) × gain ({TERM}) \+ offset ({TERM}) = "
        rf"\*\*({TERM})\*\*",
    )
    assert value(x) == value(entered)
    by_hand = (value(x) - value(mean)) / value(spread) * value(gain) + value(offset)
    assert follows(by_hand, normed)
    (line,) = (rest for name, rest in lines.items() if name.startswith("Key of head"))
    one, weight, product = of(line, rf"here: ({TERM}) × ({TERM}) = ({TERM});")
    assert value(one) == value(normed)
    assert follows(value(one) * value(weight), product)
    key = added(line, product)
    query, again, met, share = of(
        lines["Score and weight"],
        rf"makes ({TERM}) × ({TERM}) = ({TERM}) of .*weight is \*\*({TERM})\*\*",
    )
    assert value(again) == value(key)
    assert follows(value(query) * value(again), met)
    whole, v, w, part, rest, weight, again, moved = of(
        lines["Value"],
        rf"would write ({TERM}) to .*: ({TERM}) × ({TERM}) = ({TERM}) by .* and ({TERM}) by the "
        rf"other 31\. Its share: ({TERM}) × ({TERM}) = \*\*({TERM})\*\*",
    )
    assert follows(value(v) * value(w), part)
    assert follows(value(part) + value(rest), whole)
    assert (weight, value(again)) == (share, value(whole))
    assert follows(value(weight) * value(again), moved)
    last = lines["Last norm and class"]
    x, mean, spread, gain, weight, read = of(
        last,
        rf": \(({TERM}) − mean ({TERM})\) ÷ ({TERM}) × gain ({TERM}) × class weight ({TERM}) = "
        rf"({TERM});",
    )
    assert value(x) == value(moved)
    by_hand = (value(x) - value(mean)) / value(spread) * value(gain) * value(weight)
    assert follows(by_hand, read)
    through = added(last, read)
    own, others, head = of(
        lines["Logit"],
        rf"adds ({TERM}) by this patch and ({TERM}) by all other tokens: \*\*({TERM})\*\*",
    )
    assert value(own) == value(through)
    assert follows(value(own) + value(others), head)
    added(lines["Logit"], head)


def of(line: str, pattern: str) -> tuple[str, ...]:
    """What a line prints at the groups of a pattern."""
    found = re.search(pattern, line)
    assert found, line
    return found.groups()


def added(line: str, first: str) -> str:
    """The bold sum of a line, which begins with `first`; it follows from its terms."""
    terms, result = of(line, rf"((?:{TERM} \+ )+{TERM}) = \*\*({TERM})\*\*")
    numbers = list(map(value, terms.split(" + ")))
    assert numbers[0] == value(first)
    assert follows(math.fsum(numbers), result)
    return result
