"""The blocks page's views share one link: their parameters must not meet."""

from collections import Counter

from app.views import blocks


def test_no_two_parameters_share_a_name():
    names = Counter(param.name for param in blocks.PARAMS)
    assert [name for name, times in names.items() if times > 1] == []
