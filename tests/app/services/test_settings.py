"""Where rooms are kept, as the server's owner sets it; the rest of what is set: test_start.py."""

from pathlib import Path

import pytest

from app.services import settings
from core.errors import InputError


@pytest.mark.parametrize(
    "address",
    [
        "redis://localhost",
        "redis://10.0.0.7:6379",
        "redis://[::1]:6379/1",
        "redis://:s3cret@rooms.example.org:6379/0",
        "rediss://user:s3cret@rooms.example.org/0?ssl_ca_certs=/etc/ssl/ours.pem",
    ],
)
def test_rooms_may_be_in_a_redis(monkeypatch: pytest.MonkeyPatch, address: str):
    monkeypatch.setenv(settings.ROOMS_SETTING, address)
    assert settings.rooms() == address
    assert settings.main() == 0


def test_or_in_a_file_or_in_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv(settings.ROOMS_SETTING, str(tmp_path / "rooms.db"))
    assert settings.rooms() == tmp_path / "rooms.db"
    monkeypatch.delenv(settings.ROOMS_SETTING)
    assert settings.rooms() is None


@pytest.mark.parametrize("rest", ["", "host:port/0", "host:0", "host/zero", "host?db=1", "host?x"])
def test_no_password_is_repeated_to_whom_it_is_told_that_an_address_is_none(
    monkeypatch: pytest.MonkeyPatch, rest: str
):
    monkeypatch.setenv(settings.ROOMS_SETTING, f"redis://user:p@ss/word@{rest}")
    with pytest.raises(InputError) as told:
        settings.rooms()
    assert f"not “redis://…@{rest}”" in str(told.value)
    assert "word" not in str(told.value).replace("user:password@host", "")


def test_ray_needs_its_token(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(settings.ENGINE_SETTING, "ray:auto")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "")
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    assert settings.main() == 2
    assert "`ray get-auth-token --generate` makes one" in capsys.readouterr().err
    (tmp_path / "token").write_text("abc")
    assert settings.main() == 0


def test_a_client_that_is_missing_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(settings.ROOMS_SETTING, "redis://localhost")
    monkeypatch.setattr(settings, "find_spec", lambda _: None)
    assert settings.main() == 2
    assert "its client for Python is not installed: `pip install redis`" in capsys.readouterr().err
