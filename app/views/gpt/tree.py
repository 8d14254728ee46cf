"""A tree of continuations: paths of token ids that share their beginnings, and a place in it.

Written into links as `12.53.99~0/2.77.8`: the second path takes the first two of path 0.
"""

from dataclasses import dataclass, replace
from typing import Final

Ids = tuple[int, ...]
MOST_PATHS: Final = 12
LONGEST_PATH: Final = 512


@dataclass(frozen=True, slots=True)
class Tree:
    """Paths in the order they were begun; `path` and `length` say where the reader stands."""

    paths: tuple[Ids, ...] = ((),)
    path: int = 0
    length: int = 0

    @property
    def here(self) -> Ids:
        """The ids from the prompt to where the reader stands."""
        return self.paths[self.path][: self.length]

    @property
    def whole(self) -> Ids:
        """The present path to its end."""
        return self.paths[self.path]

    def grow(self, token: int) -> "Tree":
        """Choose the next token: go on along a path that has it, else begin a fork."""
        wanted = (*self.here, token)
        for index in (self.path, *range(len(self.paths))):
            if self.paths[index][: len(wanted)] == wanted:
                return Tree(self.paths, index, len(wanted))
        if self.length == len(self.whole):
            paths = (*self.paths[: self.path], wanted, *self.paths[self.path + 1 :])
            return Tree(paths, self.path, len(wanted))
        paths = (*self.paths, wanted)
        if len(paths) > MOST_PATHS:  # the oldest that is not the one forked from makes room
            oldest = 0 if self.path else 1
            paths = (*paths[:oldest], *paths[oldest + 1 :])
        return Tree(paths, len(paths) - 1, len(wanted))

    def moved(self, steps: int) -> "Tree":
        """Back (negative) or forward along the present path."""
        return replace(self, length=min(len(self.whole), max(0, self.length + steps)))

    def to(self, path: int, length: int | None = None) -> "Tree":
        """Stand at the end of a path, or after its first `length` tokens."""
        end = len(self.paths[path])
        return Tree(self.paths, path, end if length is None else min(length, end))

    def without(self, path: int) -> "Tree":
        """A path taken away; the last one leaves the bare prompt."""
        paths = (*self.paths[:path], *self.paths[path + 1 :]) or ((),)
        return Tree(paths, 0).to(0) if path == self.path else self._kept(paths, path)

    def _kept(self, paths: tuple[Ids, ...], removed: int) -> "Tree":
        return Tree(paths, self.path - (removed < self.path), self.length)

    def fork_of(self, path: int) -> tuple[int, int] | None:
        """The earlier path that shares most of this one's beginning, and how many tokens."""
        shared = [
            (_shared(self.paths[path], self.paths[earlier]), -earlier) for earlier in range(path)
        ]
        if not shared:
            return None
        length, earlier = max(shared)
        return -earlier, length


def write(tree: Tree) -> str:
    """As in links; empty for a bare prompt."""
    if tree == Tree():
        return ""
    written: list[str] = []
    for index, path in enumerate(tree.paths):
        fork = tree.fork_of(index)
        earlier, length = fork or (0, 0)
        prefix = f"{earlier}/{length}." if length else ""
        written.append(prefix + ".".join(map(str, path[length:])))
    return "~".join(written) + f"@{tree.path}.{tree.length}"


def parse(given: str) -> Tree | None:
    """None for anything that `write` can't have written."""
    try:
        body, _, place = given.rpartition("@")
        paths: list[Ids] = []
        for part in body.split("~")[:MOST_PATHS]:
            base: Ids = ()
            if "/" in part:
                earlier, part = part.split("/")
                length, _, part = part.partition(".")
                base = paths[abs(int(earlier))][: abs(int(length))]
            path = (*base, *(abs(int(token)) for token in part.split(".") if token))
            paths.append(path[:LONGEST_PATH])
        path, length = (abs(int(number)) for number in place.split("."))
        return Tree(tuple(paths)).to(path, length)
    except (ValueError, IndexError):
        return None


def _shared(first: Ids, second: Ids) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))
