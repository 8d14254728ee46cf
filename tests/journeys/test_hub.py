"""A (local) hub: a model comes with progress and is drawn; a tokenizer comes without its model."""

import re

import pytest
from playwright.sync_api import Browser, expect

from core.catalog import card_of
from tests.hub_server import HubServer
from tests.journeys.browser_page import new_reader
from tests.journeys.server import running_server

pytestmark = pytest.mark.slow  # a server of its own


def test_a_tokenizer_comes_alone_and_a_model_with_progress(
    chromium: Browser, tiny_checkpoint, tmp_path
):
    card = card_of("distilbert-base-uncased")
    assert card is not None
    assert card.revision is not None
    hub = HubServer(tiny_checkpoint("distilbert"), card.repository, card.revision, seconds=4)
    with (
        hub.running(),
        running_server(
            HF_ENDPOINT=hub.url,
            HF_HOME=str(tmp_path),
            HF_HUB_OFFLINE="0",
            HF_HUB_DISABLE_TELEMETRY="1",
            NO_PROXY="127.0.0.1",
        ) as address,
    ):
        reader, context = new_reader(chromium, address)
        page = reader.open("tokenizers", tokenizers=f"{card.id},unigram", text="the cat sat")
        lanes = page.locator('[data-painted^="tokens"]')
        expect(lanes).to_have_attribute("data-painted", re.compile(r"^tokens \d+ \d+ in"))
        assert hub.downloaded() == ["tokenizer.json"]

        page.goto(f"{address}/attention?model={card.id}&text=the+cat+sat")
        expect(page.get_by_text("Downloading").first).to_be_visible()
        expect(page.locator('[data-painted*="maps of"]')).to_be_visible(timeout=60_000)
        assert "model.safetensors" in hub.downloaded()
        assert reader.errors == []
        assert reader.strangers == []
        context.close()
