"""Values as bytes that only who holds the same secret can have written, or is to read.

What comes over a network is taken for a message after its seal has been checked, and then only
classes of this project, of NumPy and of pictures are made of it. Arrays are read-only views of the
message: nothing is copied.
"""

import io
import os
import pickle
from collections.abc import Iterator
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final

import numpy as np
from typing_extensions import override

SEAL: Final = 32  # bytes; what follows is aligned for any array
LENGTH: Final = 16  # bytes of a number
PACKAGES: Final = frozenset({"core", "numpy", "PIL"})
PLAIN: Final = frozenset(
    {"RuntimeError", "set", "frozenset", "slice", "range", "complex", "bytearray"}
)
TOKEN_FILE: Final = "~/.ray/auth_token"


class SealError(Exception):
    """Not a message, or another's."""


def secret() -> bytes:
    """Ray's own token: RAY_AUTH_TOKEN, or what stands in the file that Ray reads.

    Raises ValueError where there is none.
    """
    told = os.environ.get("RAY_AUTH_TOKEN", "")
    path = Path(os.environ.get("RAY_AUTH_TOKEN_PATH") or TOKEN_FILE).expanduser()
    if not told and path.is_file():
        told = path.read_text()
    if not told.strip():
        raise ValueError(
            f"There is no token for Ray: neither RAY_AUTH_TOKEN nor {path}. "
            "`ray get-auth-token --generate` makes one; every machine needs the same."
        )
    return blake2b(told.strip().encode(), digest_size=SEAL).digest()


def seal(value: Any, secret: bytes) -> bytes:
    """A message: its seal, then parts of which each follows its length."""
    buffers: list[pickle.PickleBuffer] = []
    written = io.BytesIO()
    _Pickler(written, protocol=5, buffer_callback=buffers.append).dump(value)
    parts = [written.getvalue(), *(buffer.raw() for buffer in buffers)]
    body = b"".join(piece for part in parts for piece in _piece(part))
    return blake2b(body, key=secret, digest_size=SEAL).digest() + body


def unseal(message: bytes, secret: bytes) -> Any:
    """The value. Raises SealError for what is cut off, changed, or sealed with another secret."""
    whole = memoryview(message)
    right = blake2b(whole[SEAL:], key=secret, digest_size=SEAL).digest()
    if not compare_digest(right, bytes(whole[:SEAL])):
        raise SealError("this message is cut off, was changed, or comes from somebody else")
    first, *buffers = _parts(whole)
    return _Unpickler(io.BytesIO(first), buffers=buffers).load()


def _piece(part: "bytes | memoryview") -> Iterator["bytes | memoryview"]:
    yield len(part).to_bytes(LENGTH, "big")
    yield part
    yield bytes(-len(part) % LENGTH)


def _parts(whole: memoryview) -> Iterator[memoryview]:
    place = SEAL
    while place < len(whole):
        begin = place + LENGTH
        end = begin + int.from_bytes(whole[place:begin], "big")
        yield whole[begin:end]
        place = end + -(end - begin) % LENGTH


class _Pickler(pickle.Pickler):
    @override
    def reducer_override(self, obj: Any) -> Any:
        """Arrays with gaps would travel, and come back, as something that can be written to."""
        if isinstance(obj, np.ndarray) and not (obj.flags.c_contiguous or obj.flags.f_contiguous):
            whole: np.ndarray = np.ascontiguousarray(obj)  # pyright: ignore[reportUnknownArgumentType]
            return whole.__reduce_ex__(5)
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    @override
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        of_builtins = module_name == "builtins" and global_name in PLAIN
        if of_builtins or module_name.partition(".")[0] in PACKAGES:
            return super().find_class(module_name, global_name)
        raise SealError(f"{module_name}.{global_name} is no part of a message")
