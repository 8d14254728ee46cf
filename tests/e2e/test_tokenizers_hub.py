"""A hub model's tokenizer on the tokenizers page: one small file comes, and no weights."""

import re

from playwright.sync_api import expect

from core.catalog import card_of
from tests.e2e.conftest import App, running_server
from tests.hub_server import HubServer


def test_a_hub_tokenizer_comes_without_its_model(chromium, tiny_checkpoint, tmp_path_factory):
    card = card_of("distilbert-base-uncased")
    assert card is not None
    assert card.revision is not None
    hub = HubServer(tiny_checkpoint("distilbert"), card.repository, card.revision)
    with hub.running():
        settings = {
            "HF_ENDPOINT": hub.url,
            "HF_HOME": str(tmp_path_factory.mktemp("hub")),
            "HF_HUB_OFFLINE": "0",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "NO_PROXY": "127.0.0.1",
        }
        with running_server(tmp_path_factory.mktemp("server"), settings) as address:
            reader = App(chromium.new_page(), address)
            reader.watch()
            page = reader.page
            page.goto(f"{address}/tokenizers?tok={card.id},unigram&text=the+cat+sat")
            lanes = page.locator('[data-painted^="tokens"]')
            expect(lanes).to_have_attribute(
                "data-painted", re.compile(r"^tokens \d+ \d+ in"), timeout=60_000
            )
            assert reader.errors == []
            assert reader.strangers == []
            page.close()
    assert hub.downloaded() == ["tokenizer.json"]
