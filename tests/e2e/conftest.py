"""Browser tests that wait by the clock: to be moved to tests/pages and tests/journeys."""

from playwright.sync_api import Page, expect

from tests.journeys.browser_page import App
from tests.journeys.conftest import app, server
from tests.journeys.server import running_server

__all__ = ["App", "app", "running_server", "server"]


def settled(self: App) -> Page:
    """Wait until the server has answered everything that was asked."""
    self.page.wait_for_timeout(250)  # widgets hold back their changes for a moment
    self.page.wait_for_selector(
        '[data-testid="stApp"][data-test-connection-state="CONNECTED"]'
        '[data-test-script-state="notRunning"]',
        timeout=60_000,
    )
    expect(self.page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=60_000)
    self.page.wait_for_timeout(150)
    return self.page


App.settled = settled  # type: ignore[attr-defined]
