"""Every figure's caption is its view's answer (components/paper.js): of another text, another."""

import pytest

from tests.pages.declared import SHOWN, Shown
from tests.pages.page import Page

OTHER = "The old captain sold his boat because it was leaking."
UNMASKED = ("gpt-beside",)  # a model reads on from its end
UNMOVED = {
    "positions-relative": "what distances do, whatever stands there",
    "blocks-attention-metric": "a head's weights; the text is a part below",
    "bert-tuning": "what a task adds to the model",
}


@pytest.mark.parametrize("shown", [one for one in SHOWN if "text" in one.params], ids=str)
def test_another_text_is_captioned_otherwise(shown: Shown):
    said = Page(shown.path, **shown.link).answer
    text = OTHER if str(shown) in UNMASKED else OTHER.replace("boat", "[MASK]")
    other = Page(shown.path, **shown.link, text=text).answer
    if str(shown) in UNMOVED:
        assert said == other
    else:
        assert said != other
        assert any(sign.isdigit() for sign in other), other
