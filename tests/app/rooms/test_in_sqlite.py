"""What is a file's matter alone."""

import sqlite3
import stat
from pathlib import Path

import pytest

from app.rooms import sqlite_connection
from app.rooms.database import AwayError
from tests.app.rooms.rooms import Opened


def test_the_file_is_its_owner_s_alone_and_in_wal_mode(tmp_path: Path):
    file = tmp_path / "rooms.db"
    Opened(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sqlite3.connect(file).execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_another_holds_is_away_until_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(sqlite_connection, "WAIT", 0.01)
    opened = Opened(tmp_path / "rooms.db")
    other = sqlite3.connect(tmp_path / "rooms.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(AwayError, match="can’t be reached at the moment"):
        opened.store.teach(opened.code)
    assert "the rooms' file could not be used" in caplog.text
    other.execute("COMMIT")
    opened.store.teach(opened.code)


def test_what_is_no_database_is_away(tmp_path: Path):
    (tmp_path / "rooms.db").write_text("No database. " * 100)
    with pytest.raises(AwayError):
        Opened(tmp_path / "rooms.db")
