"""A hub model chosen in the page: it comes from a (local) hub, with progress, and is drawn."""

from playwright.sync_api import expect

from core.catalog import card_of
from tests.e2e.conftest import App, running_server
from tests.hub_server import HubServer


def test_a_hub_model_is_downloaded_with_progress_and_drawn(
    chromium, tiny_checkpoint, tmp_path_factory
):
    card = card_of("distilbert-base-uncased")
    assert card is not None
    assert card.revision is not None
    hub = HubServer(tiny_checkpoint("distilbert"), card.repository, card.revision, seconds=6)
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
            page.goto(f"{address}/attention?model={card.id}&text=the+cat+sat")
            expect(page.get_by_text("Downloading").first).to_be_visible(timeout=60_000)
            painted = page.locator('[data-painted*="maps of"]')
            expect(painted).to_be_visible(timeout=60_000)
            assert reader.errors == []
            assert reader.strangers == []
            page.close()
    assert "model.safetensors" in hub.downloaded()
