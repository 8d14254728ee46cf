"""A room's code, which is read aloud and typed; a key, which proves that somebody has come in.

A student's key is random and signed (HMAC) with the room's own salt: who has none can ask for
nothing, so codes are tried at the door alone. The teacher's is random, and known by its hash.
"""

import hmac
import re
import secrets
from hashlib import sha256
from typing import Final

LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is taken for another: 0 O, 1 I L
LENGTH: Final = 5  # 29 million codes
SALT: Final = 16  # bytes
KEY: Final = re.compile(rf"([{LETTERS}]{{{LENGTH}}})-([0-9a-f]{{32}})-([0-9a-f]{{32}})")


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def new_salt() -> bytes:
    return secrets.token_bytes(SALT)


def read_code(given: str) -> str | None:
    """A code as somebody writes it: “kx4 pq”; None for what can't be one."""
    code = re.sub(r"[\s-]", "", given[:40]).upper()
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else None


def student_key(code: str, salt: bytes) -> str:
    """A new one, for one browser."""
    name = secrets.token_hex(16)
    return f"{code}-{name}-{_signed(name, salt)}"


def teacher_key(code: str) -> str:
    return f"{code}-{secrets.token_hex(16)}-{secrets.token_hex(16)}"


def hashed(key: str) -> bytes:
    """What is kept of a teacher's."""
    return sha256(key.encode()).digest()


def code_of(key: str) -> str | None:
    """The room that a key is for, if it is one."""
    found = KEY.fullmatch(key)
    return found[1] if found else None


def is_students(key: str, salt: bytes) -> bool:
    found = KEY.fullmatch(key)
    return found is not None and hmac.compare_digest(found[3], _signed(found[2], salt))


def _signed(name: str, salt: bytes) -> str:
    return hmac.digest(salt, name.encode(), "sha256").hex()[:32]
