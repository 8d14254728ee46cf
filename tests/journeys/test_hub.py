"""A (local) hub: models come with progress, tokenizers alone, and any other model when asked."""

import re
from contextlib import AbstractContextManager
from pathlib import Path
from shutil import copytree
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from core.catalog import card_of
from tests.hub_server import HubServer
from tests.journeys.browser_page import new_reader
from tests.journeys.server import running_server

pytestmark = pytest.mark.slow  # a server of its own


def server_beside(hub: HubServer, home: Path) -> AbstractContextManager[str]:
    return running_server(
        HF_ENDPOINT=hub.url,
        HF_HOME=str(home),
        HF_HUB_OFFLINE="0",
        HF_HUB_DISABLE_TELEMETRY="1",
        NO_PROXY="127.0.0.1",
    )


def test_a_tokenizer_comes_alone_and_a_model_with_progress(
    chromium: Browser, tiny_checkpoint, tmp_path
):
    card = card_of("distilbert-base-uncased")
    assert card is not None
    assert card.revision is not None
    hub = HubServer(tiny_checkpoint("distilbert"), card.repository, card.revision, seconds=4)
    with hub.running(), server_beside(hub, tmp_path) as address:
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


def test_any_model_of_the_hub_is_told_cancelled_asked_again_drawn_or_refused(
    chromium: Browser, tiny_checkpoint, tmp_path
):
    folder = Path(copytree(tiny_checkpoint("bert"), tmp_path / "model"))
    hub = HubServer(folder, seconds=20, licence="mit")
    with hub.running(), server_beside(hub, tmp_path) as address:
        reader, context = new_reader(chromium, address)
        refused(reader.open("attention"), hub)
        page = reader.open("attention", model=hub.repository, text="the cat sat")
        offer = page.get_by_text("is not on this machine yet")
        expect(offer).to_contain_text("text encoder (bert, 3 layers × 4 heads), licence: mit")
        assert "model.safetensors" not in hub.downloaded()
        page.get_by_role("button", name="Download and show it").click()
        expect(page.get_by_text("Downloading").first).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        told = page.get_by_text(f"The download of {hub.repository} was cancelled")
        expect(told).to_be_visible(timeout=60_000)
        hub.seconds = 0
        page.goto(f"{address}/attention?model={hub.repository}&text=the+cat+sat")
        expect(page.locator('[data-painted*="maps of"]')).to_be_visible(timeout=60_000)
        expect(page).to_have_url(re.compile("model=tester%2Ftiny-bert"))
        assert reader.errors == []
        assert reader.strangers == []
        context.close()


def refused(page: Page, hub: HubServer) -> None:
    """What the hub has not, keeps or never lets in is said; a figure stays."""
    weights = hub.folder / "model.safetensors"

    def told(asked: str, said: str) -> None:
        page.goto(f"{urljoin(page.url, '/attention')}?model={asked}&text=the+cat+sat")
        expect(page.get_by_text(said).first).to_be_visible(timeout=30_000)
        expect(page.locator('[data-painted*="maps of"]')).to_be_visible(timeout=30_000)

    told("nobody/nothing", "The hub has no model “nobody/nothing”")
    hub.gated = True
    told(hub.repository, f"{hub.repository} is gated")
    hub.gated = False
    hub.claimed_sizes[weights.name] = 40 * 10**9
    told(hub.repository, "would download 40 GB; the limit is 2 GB")
    hub.claimed_sizes.clear()
    pickled = weights.rename(hub.folder / "pytorch_model.bin")
    told(hub.repository, "no safetensors weights")
    pickled.rename(weights)
    assert hub.downloaded() == []
