"""What is said to glibc, and when nothing is."""

import ctypes
from types import SimpleNamespace

import pytest

from core.models import kept_pages


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    said: list[tuple[int, int]] = []
    libc = SimpleNamespace(mallopt=lambda *wish: said.append(wish))
    monkeypatch.setattr(ctypes, "CDLL", lambda _: libc)
    monkeypatch.setattr("sys.platform", "linux")
    for name in kept_pages.OWNERS:
        monkeypatch.delenv(name, raising=False)
    kept_pages.keep_pages.cache_clear()
    return said


def test_both_thresholds_are_set_once(told: list[tuple[int, int]]):
    kept_pages.keep_pages()
    kept_pages.keep_pages()
    assert told == [(-3, 2**25), (-1, 2**29)]


@pytest.mark.parametrize("setting", kept_pages.OWNERS)
def test_an_owners_own_setting_wins(
    told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch, setting: str
):
    monkeypatch.setenv(setting, "1")
    kept_pages.keep_pages()
    assert told == []


def test_where_there_is_no_such_function_nothing_happens(
    told: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    kept_pages.keep_pages()
    assert told == []
