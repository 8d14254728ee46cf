"""What is wrong with the data is said plainly."""

import lzma
from pathlib import Path

import pytest

from core.errors import InputError
from core.training.common.cache_dir import cached_folder
from core.training.common.datafiles import (
    data_folder,
    read_documents,
    read_lines,
    read_table,
)


def test_documents_are_parted_by_blank_lines_and_lose_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "text.txt.xz"
    path.write_bytes(lzma.compress("= A =\nOne.\nTwo.\n\n= B =\n\nThree é.\n".encode()))
    assert list(read_documents(path)) == [("One.", "Two."), ("Three é.",)]


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere is not a folder; give the folder that holds a"):
        data_folder(tmp_path / "nowhere", needs=("a",))


def test_a_wrong_folder_is_told_with_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match="lacks text/b; give the folder that holds all of a, text"):
        data_folder(tmp_path, needs=("a", "text/b"))


@pytest.mark.parametrize("broken", [b"no archive", lzma.compress(b"line\n" * 1_000)[:-20]])
def test_a_broken_archive_is_told(tmp_path: Path, broken: bytes) -> None:
    path = tmp_path / "text.txt.xz"
    path.write_bytes(broken)
    with pytest.raises(InputError, match=r"text\.txt\.xz is a broken \.xz archive .*copy it again"):
        list(read_lines(path))


def test_text_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        list(read_lines(path))


def test_a_row_with_a_column_too_few_is_told(tmp_path: Path) -> None:
    path = tmp_path / "facts.tsv"
    path.write_text("a\tb\nc\n")
    with pytest.raises(InputError, match="line 2: 1 columns came, 2 are expected"):
        list(read_table(path, columns=2))


def test_a_cached_folder_is_filled_once(tmp_path: Path) -> None:
    folder = cached_folder(tmp_path / "made", lambda target: (target / "a").touch())
    assert cached_folder(folder, lambda _: pytest.fail("filled again")) == folder
    assert [file.name for file in folder.iterdir()] == ["a"]


def test_a_cached_folder_whose_filling_stopped_is_not_there(tmp_path: Path) -> None:
    def stopped(target: Path) -> None:
        (target / "half").touch()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cached_folder(tmp_path / "made", stopped)
    assert not (tmp_path / "made").exists()


def test_a_full_disk_while_caching_is_told(tmp_path: Path) -> None:
    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left on device; free some space"):
        cached_folder(tmp_path / "made", full)
