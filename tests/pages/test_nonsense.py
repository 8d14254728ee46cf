"""Ten thousand links and reports that no browser of ours sends: no page breaks at any of them.

A parameter reads a link's word without drawing anything, so every run tries all of them; whole
pages get a sample, and in the slow tier ten thousand of each.
"""

from contextlib import suppress
from random import Random

import pytest

from app.ui.navigation import PLACES
from app.ui.navigation import page as page_at
from app.ui.page import Page as Declared
from core.errors import InputError
from tests.pages.declared import SHOWN, Shown
from tests.pages.nonsense import LONE, value, word
from tests.pages.page import Page

MANY = 10_000
A_VIEW = -(-MANY // len(SHOWN))
PARAMS = {
    param.key: param
    for page in map(page_at, PLACES)
    if isinstance(page, Declared)
    for view in page.views
    for param in (*view.params, *(one for part in view.parts for one in part.params))
}
every_view = pytest.mark.parametrize("shown", SHOWN, ids=str)


def test_every_parameter_reads_or_refuses_what_a_link_says():
    random, keys = Random(1), sorted(PARAMS)
    for number in range(MANY):
        param = PARAMS[keys[number % len(keys)]]
        given = word(random, param.write(param.default)) + LONE * (number % 50 == 0)
        with suppress(InputError):
            found = param.parse(given)
            assert found is None or isinstance(param.write(found), str), (param, given)


def follow(shown: Shown, seed: int) -> None:
    """Nonsense in some of a view's parameters, and in others that are none."""
    random = Random(f"{shown} {seed}")
    names = [name for name in shown.params if random.random() < 0.4] + ["view", "part", "other"][
        : random.randrange(4)
    ]
    Page(shown.path, **shown.link | {name: word(random) for name in names})


def report(page: Page, shown: Shown, seed: int) -> None:
    """Nonsense of one of the figures on it, which claims to answer what the page asks."""
    random = Random(f"{shown} {seed}")
    if not (keys := sorted(page.figures)):
        return
    key = random.choice(keys)
    header, serial = page.figures[key].header, random.randrange(3)
    if isinstance(seed_of := header.get("selection"), dict):
        serial = seed_of.get("serial", serial)
    if random.random() < 0.6:
        told = (
            {"serial": serial, "value": value(random)} if random.random() < 0.9 else value(random)
        )
        page.report(key, selection=told)
    else:
        page.fire_anything(key, value(random))


@every_view
def test_a_link_that_nobody_wrote(shown: Shown):
    follow(shown, 0)


@every_view
def test_a_report_that_no_figure_made(shown: Shown):
    page = Page(shown.path, **shown.link)
    assert not PARAMS.keys() & page.figures.keys()  # what a figure reports would be the value
    for seed in range(2):
        report(page, shown, seed)


@pytest.mark.slow
@every_view
def test_ten_thousand_links(shown: Shown):
    for seed in range(A_VIEW):
        follow(shown, seed)


@pytest.mark.slow
@every_view
def test_ten_thousand_reports(shown: Shown):
    page = Page(shown.path, **shown.link)
    for seed in range(A_VIEW):
        report(page, shown, seed)
