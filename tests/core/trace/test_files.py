"""A trace saved and opened again is the same, and a made-up file is refused by name."""

import json
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
from PIL import Image

import core
from core.errors import InputError
from core.trace import Trace
from core.trace.archive import Archive
from tests.tiny_pictures import ARCHITECTURES, save_picture_model

PICTURE = Image.fromarray(np.arange(32 * 32 * 3, dtype=np.uint8).reshape(32, 32, 3))
FAMILIES: dict[str, Callable[[Any], Trace]] = {
    "bert": lambda model: model.trace("The cat sat.", blocks=True),
    "llama": lambda model: model.trace("The cat sat."),
    "deberta": lambda model: model.trace("The cat sat."),
    "t5": lambda model: model.trace("The cat sat.", target="Die Katze."),
    "vit": lambda model: model.trace(PICTURE, gradient_of=core.ClassTarget(1)),
    "swin": lambda model: model.trace(PICTURE),
}


def expect_same(one: Any, other: Any) -> None:
    assert type(one) is type(other) or (isinstance(one, dict) and isinstance(other, dict))
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
        assert not other.flags.writeable
    elif is_dataclass(one):
        for entry in fields(one):
            expect_same(getattr(one, entry.name), getattr(other, entry.name))
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            expect_same(one[key], other[key])
    elif isinstance(one, tuple):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            expect_same(a, b)
    else:
        assert one == other


@pytest.fixture
def bert(tiny_checkpoint: Callable[[str], Path]) -> Trace:
    return FAMILIES["bert"](core.load(tiny_checkpoint("bert"), device="cpu"))


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_opened_is_what_was_saved(
    family: str, tiny_checkpoint: Callable[[str], Path], tmp_path: Path
):
    pictured = family in ARCHITECTURES
    folder = save_picture_model(family, tmp_path) if pictured else tiny_checkpoint(family)
    trace = FAMILIES[family](core.load(folder, device="cpu"))
    trace.save(tmp_path / "trace.npz")
    opened = Trace.open(tmp_path / "trace.npz")
    expect_same(trace, opened)
    assert opened.nbytes == trace.nbytes  # a mask that layers share is still one
    kind = trace.kinds[0]
    np.testing.assert_array_equal(
        opened.attention(0, kind=kind).weights, trace.attention(0, kind=kind).weights
    )


def test_numpy_reads_it_and_it_says_what_made_it(bert: Trace, tmp_path: Path):
    bert.save(tmp_path / "trace.npz")
    with np.load(tmp_path / "trace.npz", allow_pickle=False) as kept:
        about = json.loads(str(kept["about"]))
        assert about["model"] == bert.model_id
        assert about["made by"].startswith("glassformer ")
        assert any(np.array_equal(kept[name], bert.states["encoder"][0]) for name in kept.files)


def changed(path: Path, change: Callable[[str], str]) -> None:
    """The same file with another tree."""
    with np.load(path) as kept:
        arrays = dict(kept.items())
    arrays["tree"] = np.array(change(str(arrays["tree"])))
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda tree: tree.replace('"class": "Encoding"', '"class": "Path"'), "Path"),
        (lambda tree: tree.replace('"word": "AttentionKind"', '"word": "os"'), "os"),
        (lambda tree: tree.replace('"array": "a0"', '"array": "none"'), "none"),
        (
            lambda tree: re.sub('"ids": {"array": "a[0-9]+"', '"ids": {"array": "a0"', tree),
            "ids can't",
        ),
        (lambda tree: tree.replace('"tokens": [', '"tokens": [3, '), r"Encoding.tokens can't be"),
        (lambda tree: tree.replace('"special"', '"specials"'), "specials"),
        (lambda _: "[1, 2]", "a tuple"),
        (lambda _: "{", "Expecting"),
    ],
)
def test_a_made_up_file_is_refused(
    change: Callable[[str], str], why: str, bert: Trace, tmp_path: Path
):
    path = tmp_path / "trace.npz"
    bert.save(path)
    changed(path, change)
    with pytest.raises(InputError, match=f"no trace that Glassformer saved .*{why}"):
        Trace.open(path)


def test_other_files_are_refused(bert: Trace, tmp_path: Path):
    with pytest.raises(InputError, match="There is no file"):
        Trace.open(tmp_path / "missing.npz")
    path = tmp_path / "trace.npz"
    for content in (b"", b"PK", b"\x93NUMPY", b"text"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="no trace that Glassformer saved"):
            Trace.open(path)
    np.savez(path, weights=np.zeros(3))
    with pytest.raises(InputError, match="no trace that Glassformer saved"):
        Trace.open(path)
    bert.save(path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError, match="no trace that Glassformer saved"):
        Trace.open(path)
    assert not zipfile.is_zipfile(path)


def test_a_file_with_a_wrong_byte_is_refused_or_opened(tmp_path: Path):
    """zipfile, zlib and NumPy each have errors of their own for it."""
    archive, path = Archive("answer", "a test", ()), tmp_path / "answer.npz"
    archive.save(("text" * 20, np.arange(300.0)), path, {})
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(InputError):
            archive.open(path)


def test_a_later_format_is_named(bert: Trace, tmp_path: Path):
    path = tmp_path / "trace.npz"
    bert.save(path)
    with np.load(path) as kept:
        arrays = dict(kept.items())
    arrays["about"] = np.array(json.dumps({"format": 2}))
    np.savez(path, **arrays)  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="format 2, written by a later Glassformer"):
        Trace.open(path)


def test_a_trace_says_what_it_holds(bert: Trace):
    said = repr(bert)
    layers, heads = bert.n_layers(), bert.n_heads()
    size = len(bert.tokens)
    assert f"encoder: {layers} layers of {heads} heads, maps {size} × {size}" in said
    assert " ".join(bert.tokens) in said
    assert len(said.splitlines()) <= 7


def test_a_full_disk_is_told_and_leaves_the_last_good_file(
    bert: Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    bert.save(tmp_path / "it.npz")

    def full(file: BinaryIO, **_: object) -> None:
        file.write(b"half of it")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(core.InputError, match=r"No space left.*last good file is untouched"):
        bert.save(tmp_path / "it.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["it.npz"]
    assert Trace.open(tmp_path / "it.npz").tokens == bert.tokens
