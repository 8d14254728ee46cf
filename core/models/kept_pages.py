"""Memory that one forward frees stays with the process, for the next.

glibc gives large blocks back to the kernel when they are freed, and every page of them is faulted
in again at the next forward: a trace, which keeps what a bare forward frees, paid most of its
time there.
"""

import ctypes
import os
import sys
from functools import cache
from typing import Final

M_TRIM_THRESHOLD: Final = -1  # mallopt(3)'s own numbers
M_MMAP_THRESHOLD: Final = -3
KEPT: Final = 512 * 2**20  # bytes that stay, once they are free
SHARED: Final = 32 * 2**20  # bytes of a block up to which it comes from what is kept: glibc's most
OWNERS: Final = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "LD_PRELOAD")


@cache
def keep_pages() -> None:
    """Once a process, where there is glibc and its owner said nothing about memory."""
    if not sys.platform.startswith("linux") or any(name in os.environ for name in OWNERS):
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, SHARED)
        mallopt(M_TRIM_THRESHOLD, KEPT)
