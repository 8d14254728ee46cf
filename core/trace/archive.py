"""Values as files: .npz, arrays by number and their places in a JSON text. Nothing is pickled.

`numpy.load` reads them without this project: `about` says what made it, `tree` where each array
belongs. What is opened is a stranger's file: only the classes that may occur are made of it, and
every array has the dtype and the axes that its field declares.
"""

# It takes apart and puts together what may be anything.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import numpy as np

from core.errors import InputError
from core.trace.whole_file import write_whole
from core.version import VERSION

FORMAT: Final = 1
UNREADABLE: Final = (
    *(OSError, EOFError, zipfile.BadZipFile, zlib.error, struct.error),
    *(ValueError, KeyError, TypeError, AttributeError, RuntimeError),
)


@dataclass(frozen=True, eq=False)
class Archive:
    """Files of values that consist of some frozen dataclasses and string enums."""

    holds: str  # what its files hold, as a message names it: "trace"
    written_by: str
    classes: Iterable[type]
    _by_name: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {one.__name__: one for one in self.classes})

    def save(self, value: Any, path: Path, about: Mapping[str, str]) -> None:
        """Exactly this file name, whole or not at all; what parts share is written once.

        Raises InputError where it can't be written.
        """
        arrays: dict[int, np.ndarray] = {}
        tree = json.dumps(self._taken_apart(value, arrays), ensure_ascii=False)
        made = {"format": FORMAT, "made by": f"glassformer {VERSION}", **about}
        texts = {"about": json.dumps(made, ensure_ascii=False), "tree": tree}
        named = {f"a{index}": array for index, array in enumerate(arrays.values())}
        write_whole(path, lambda file: np.savez_compressed(file, **texts, **named))  # pyright: ignore[reportArgumentType]

    def open(self, path: Path) -> tuple[Any, Mapping[str, Any]]:
        """The value, and what was said about it.

        Raises InputError for a file that is missing, cut off, of a later format, or made up.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                about, tree = (json.loads(str(kept[name])) for name in ("about", "tree"))
                if about["format"] > FORMAT:
                    raise InputError(
                        f"{path.name} is of format {about['format']}, written by a later "
                        f"Glassformer; this one reads up to {FORMAT}. Update it."
                    )
                arrays = {name: kept[name] for name in kept.files if name not in ("about", "tree")}
            for array in arrays.values():
                array.setflags(write=False)
            return self._put_together(tree, arrays), about
        except FileNotFoundError as error:
            raise InputError(f"There is no file {path}.") from error
        except UNREADABLE as error:
            raise self.refusal(path, error) from error

    def refusal(self, path: Path, why: object) -> InputError:
        """The error for a file that holds something else."""
        return InputError(
            f"{path.name} is no {self.holds} that Glassformer saved ({why}). "
            f"Give a file that {self.written_by} wrote."
        )

    def _taken_apart(self, value: Any, arrays: dict[int, np.ndarray]) -> Any:
        match value:
            case None | bool() | int() | float():
                return value
            case StrEnum():
                return {"word": type(value).__name__, "is": str(value)}
            case str():
                return {"text": value}
            case np.ndarray():
                arrays[id(value)] = value
                return {"array": f"a{list(arrays).index(id(value))}"}
            case Mapping():
                return {"by": [self._taken_apart(item, arrays) for item in value.items()]}
            case frozenset():
                return {"set": [self._taken_apart(one, arrays) for one in sorted(value)]}
            case tuple() | list():
                return [self._taken_apart(one, arrays) for one in value]
            case _ if is_dataclass(value) and type(value).__name__ in self._by_name:
                kept = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
                parts = {name: self._taken_apart(one, arrays) for name, one in kept.items()}
                return {"class": type(value).__name__, "of": parts}
            case _:
                raise TypeError(f"{type(value).__name__} is no part of a saved {self.holds}")

    def _put_together(self, tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
        match tree:
            case None | bool() | int() | float():
                return tree
            case list():
                return tuple(self._put_together(one, arrays) for one in tree)
            case {"text": str(text)}:
                return text
            case {"word": str(name), "is": str(word)}:
                return self._by_name[name](word)
            case {"array": str(name)}:
                return arrays[name]
            case {"by": list(items)}:
                return dict(self._put_together(item, arrays) for item in items)
            case {"set": list(members)}:
                return frozenset(self._put_together(one, arrays) for one in members)
            case {"class": str(name), "of": dict(parts)}:
                made = {str(key): self._put_together(part, arrays) for key, part in parts.items()}
                for key, value in made.items():
                    _refuse_misfit(self._by_name[name], key, value)
                return self._by_name[name](**made)
            case _:
                raise ValueError(f"{str(tree)[:40]} is no part of a saved {self.holds}")


@cache
def _hints(one: type) -> dict[str, Any]:
    return get_type_hints(one)


def _refuse_misfit(one: type, key: str, value: object) -> None:
    """What stands in a field is of the class that it declares; an array, of its dtype and axes."""
    if not _fits(value, _hints(one)[key]):
        shape = f" {value.dtype} {value.shape}" if isinstance(value, np.ndarray) else ""
        raise ValueError(f"{one.__name__}.{key} can't be a {type(value).__name__}{shape}")


def _fits(value: Any, hint: Any) -> bool:
    if type(hint) is type:  # most are plain, and there are thousands
        return isinstance(value, (int, float) if hint is float else hint)
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in of)
    if origin is tuple and of[-1] is Ellipsis:
        return isinstance(value, tuple) and all(_fits(one, of[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and all(map(_fits, value, of))
    if origin is frozenset:
        return isinstance(value, frozenset) and all(_fits(one, of[0]) for one in value)
    if origin is Mapping:
        return isinstance(value, dict) and all(
            _fits(key, of[0]) and _fits(one, of[1]) for key, one in value.items()
        )
    return isinstance(value, hint)
