"""Memory that threads free is free for the others.

glibc gives each thread an arena of its own, up to eight a core, and each of them keeps what was
freed there: a class that uploads its pictures leaves half a gigabyte in arenas of threads that
have ended.
"""

import ctypes
import os
import sys
from typing import Final

M_ARENA_MAX: Final = -8  # mallopt(3)'s own number
ARENAS: Final = 2
OWNER: Final = "MALLOC_ARENA_MAX"


def share() -> None:
    """Before there are threads; where there is glibc, and its owner said nothing about arenas."""
    if not sys.platform.startswith("linux") or OWNER in os.environ:
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_ARENA_MAX, ARENAS)
