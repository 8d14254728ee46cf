"""What the server had no room for is told where the file was given; what was read, it lets go."""

from collections.abc import Iterator

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

from app.ui.uploaded import REFUSED
from core.data.pictures import photograph
from tests.pages.page import Page

WHY = "This file has 5.0 MB, and there is no room for it."
FIELDS = {
    "vision.picture:file:0": ("vision", {}),
    "attention.session:file:0": ("attention", {}),
    "lesson.own:file:0": ("", {}),
    "attention.many.own:file:0": ("attention", {"view": "heads", "part": "many"}),
    "tokenization.own:file:0": ("tokenization", {}),
    "tokenizers.upload:file:0": ("tokenizers", {}),
    "tokenizers.own-corpus:file:0": ("tokenizers", {"corpus": "file"}),
}

NAMES = {
    "attention.session:file:0": "session.json",
    "lesson.own:file:0": "mine.md",
    "tokenizers.own-corpus:file:0": "mine.txt",
}


@pytest.fixture
def removed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files that the server let go of."""
    gone: list[str] = []
    remove = MemoryUploadedFileManager.remove_file

    def removing(self: MemoryUploadedFileManager, session_id: str, file_id: str) -> None:
        gone.append(file_id)
        remove(self, session_id, file_id)

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", removing)
    return gone


@pytest.mark.parametrize("key", FIELDS)
def test_a_refused_file_is_told_in_the_page(key: str, removed: list[str]):
    path, link = FIELDS[key]
    page = Page(path, **link)
    given = (NAMES.get(key, "refused"), WHY.encode(), REFUSED)
    field = next(one for one in page.file_uploader if one.key == key)
    field.set_value([given] if key == "tokenizers.upload:file:0" else given).run()
    assert WHY in page.text
    assert len(removed) == 1


def test_a_picture_s_bytes_go_when_it_is_open(removed: list[str], tmp_path):
    file = tmp_path / "it.png"
    photograph("astronaut").save(file)
    page = Page("vision")
    field = next(one for one in page.file_uploader if one.key == "vision.picture:file:0")
    field.set_value(("it.png", file.read_bytes(), "image/png")).run()
    assert "Your own picture is shown" in page.text
    assert len(removed) == 1


@pytest.mark.parametrize("key", ["attention.session:file:0", "tokenizers.own-corpus:file:0"])
def test_a_file_that_was_let_go_is_not_asked_for_again(key: str, monkeypatch: pytest.MonkeyPatch):
    """Its field stays, and names in every run a file that is gone."""
    path, link = FIELDS[key]
    page = Page(path, **link)
    monkeypatch.setattr(MemoryUploadedFileManager, "get_files", lambda *_, **__: [])
    field = next(one for one in page.file_uploader if one.key == key)
    field.set_value((NAMES[key], b"{}", "text/plain")).run()
    assert not page.error


@pytest.mark.parametrize(
    "content",
    [b"no JSON", b"[]", b'{"page": "bert", "state": {}}', b'{"page": "attention"}', b"[" * 100_000],
    ids=["words", "a list", "another page", "no state", "without end"],
)
def test_what_is_no_session_file_is_told(content: bytes):
    page = Page("attention")
    field = next(one for one in page.file_uploader if one.key == "attention.session:file:0")
    field.set_value(("session.json", content, "application/json")).run()
    assert "session.json is no session file of this page" in page.text
