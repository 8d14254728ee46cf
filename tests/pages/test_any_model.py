"""A folder or a repository of the hub, on one's own machine; on a server the catalog alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.services import any_model, models
from core.catalog import Family, ModelCard, Origin
from core.catalog.any_hub import HubModel
from tests.pages.page import Page

FIELD = "attention.model:any"
VIEW = "attention.view.encoder"


@pytest.fixture(autouse=True)
def _own_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GLASSFORMER_OPEN_HUB", "1")
    yield
    models.ADDED.clear()


@pytest.fixture
def folder(tiny_checkpoint: Callable[[str], Path]) -> str:
    return str(tiny_checkpoint("bert"))


def asked_for(text: str, page: str = "attention") -> Page:
    reader = Page(page)
    reader.text_input(key=f"{page}.model:any").set_value(text).run()
    return reader


def test_a_folder_is_shown_and_found_again_by_its_link(folder: str):
    page = asked_for(folder)
    assert page.figures[VIEW].arrays["maps"].shape[1:] == (17, 17)
    assert page.link["model"] == folder
    models.ADDED.clear()  # another process
    again = Page("attention", **page.link)
    assert again.link == page.link
    assert again.figures[VIEW].arrays["maps"].shape[1:] == (17, 17)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("/no/such/folder", "There is no folder /no/such/folder on this machine."),
        ("what is this?", "is neither a folder (/home/me/model) nor a repository of the hub"),
        ("tester/tiny", "tester/tiny comes from the hub, which can't be reached now."),
    ],
)
def test_what_is_not_there_is_said_and_the_figure_stays(text: str, said: str):
    page = asked_for(text)
    assert said in page.notices
    assert "Still shown: MiniLM" in page.notices
    assert VIEW in page.figures
    assert page.text_input(key=FIELD).value == ""
    page.text_input(key=FIELD).set_value("minilm-l6").run()
    assert page.notices == ""


def test_a_link_to_what_cannot_be_had_is_answered_once():
    page = Page("attention", model="tester/tiny")
    assert "tester/tiny comes from the hub, which can't be reached now." in page.notices
    assert "The link asks for" not in page.notices


def test_a_folder_without_a_config_is_refused(tmp_path: Path):
    assert f"{tmp_path} has no config.json" in asked_for(str(tmp_path)).notices


def test_a_model_of_another_family_is_not_shown_where_it_can_say_nothing(
    tiny_checkpoint: Callable[[str], Path],
):
    folder = str(tiny_checkpoint("gpt2"))
    page = asked_for(folder, "bert")
    assert "is a text decoder, which this view can't show" in page.notices
    assert page.link.get("model") is None
    assert Page("gpt", model=folder).link["model"] == folder


def test_a_hub_model_is_told_before_it_comes(folder: str, monkeypatch: pytest.MonkeyPatch):
    card = ModelCard("tester/tiny", "tester/tiny", Family.TEXT_ENCODER, "", 3, 4, 32, 0, "mit", "",
                     Origin.HUB, repository="tester/tiny")  # fmt: skip
    monkeypatch.setattr(
        any_model, "look_up", lambda _: HubModel(card, Path(folder), 419_000, "bert")
    )
    page = Page("attention", model="tester/tiny")
    assert (
        "tester/tiny is not on this machine yet. It is a text encoder (bert, 3 layers × 4 heads), "
        "licence: mit, 0.419 MB to download."
    ) in page.text.replace("*", "")
    assert VIEW in page.figures
    assert not models.ADDED
    page.press("Not now")
    assert "not on this machine" not in page.text
    page.text_input(key=FIELD).set_value("tester/tiny").run()
    page.press("Download and show it")  # there is no network: it says so, what was shown stays
    assert "tester/tiny comes from the hub, which can't be reached now." in page.notices
    assert VIEW in page.figures


def test_a_repository_of_the_catalog_is_the_catalogs_model():
    assert any_model.at_hand("openai-community/gpt2") == models.card_of("gpt2")


@pytest.mark.parametrize("asked", ["tester/tiny-bert", "/home/me/model"])
def test_a_server_shows_its_own_models_alone(monkeypatch: pytest.MonkeyPatch, asked: str):
    monkeypatch.setenv("GLASSFORMER_OPEN_HUB", "0")
    monkeypatch.setattr(any_model, "look_up", lambda _: pytest.fail("the hub was asked"))
    page = Page("attention", model=asked)
    assert f"There is no model “{asked}” here. This server shows its own models alone." in (
        page.notices
    )
    assert "for this machine alone (make app); showing MiniLM" in page.notices
    assert not any(field.key == FIELD for field in page.text_input)


def test_an_open_server_is_one_that_nobody_else_reaches(monkeypatch: pytest.MonkeyPatch):
    from app.ui.any_model import is_open

    monkeypatch.delenv("GLASSFORMER_OPEN_HUB")
    for address, opens in (
        ("localhost", True),
        ("127.0.0.1", True),
        ("0.0.0.0", False),
        (None, False),
    ):
        options = {"server.address": address, "server.allowedHosts": []}
        monkeypatch.setattr("streamlit.get_option", options.__getitem__)
        assert is_open() == opens


def test_a_server_that_others_reach_through_a_proxy_is_not_open(monkeypatch: pytest.MonkeyPatch):
    from app.ui.any_model import is_open

    monkeypatch.delenv("GLASSFORMER_OPEN_HUB")
    options = {"server.address": "127.0.0.1", "server.allowedHosts": ["localhost"]}
    monkeypatch.setattr("streamlit.get_option", options.__getitem__)
    assert is_open()
    options["server.allowedHosts"] = ["localhost", "reading.example.org"]
    assert not is_open()
    options["server.allowedHosts"] = ["localhost"]
    headers = {"x-forwarded-for": "10.0.0.7"}
    monkeypatch.setattr("streamlit.context", SimpleNamespace(headers=headers))
    assert not is_open()


def test_pictures_come_from_folders_too(tmp_path: Path):
    from tests.tiny_transformers_pictures import save_transformers_pictures

    folder = str(save_transformers_pictures("vit", tmp_path / "vit"))
    assert Page("vision", model=folder).link["model"] == folder
