"""Text from elsewhere stays text."""

from hypothesis import given
from hypothesis import strategies as st

from app.style.markdown_escape import MARKUP, plain


def test_markup_is_escaped():
    assert plain("![x](http://y)") == r"\!\[x\]\(http\://y\)"


@given(st.text())
def test_escaping_changes_nothing_else(text: str):
    escaped = plain(text)
    assert len(escaped) == len(text) + len(MARKUP.findall(text))
