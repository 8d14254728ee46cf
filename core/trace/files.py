"""A trace as a file: .npz, arrays by number and their places in a JSON text. Nothing is pickled.

`numpy.load` reads it without this project: `about` says what made it, `tree` where each array
belongs. What is opened is a stranger's file: only the classes of a trace are made of it, and
every array has the dtype and the axes that its field declares.
"""

# It takes apart and puts together what may be anything.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

import json
import zipfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import numpy as np

from core.errors import InputError
from core.trace.attention_layer import AttentionKind, AttentionLayer
from core.trace.encoding import Encoding, PatchGrid
from core.trace.residual_stream import Block, Part, Sublayer
from core.trace.trace import Trace
from core.trace.windows import WindowPartition, Windows

FORMAT: Final = 1
CLASSES: Final = {
    one.__name__: one
    for one in (
        *(Trace, AttentionLayer, Encoding, PatchGrid, Block, Sublayer),
        *(Windows, WindowPartition),
    )
}
WORDS: Final = {one.__name__: one for one in (AttentionKind, Part)}
UNREADABLE: Final = (
    *(OSError, EOFError, zipfile.BadZipFile),
    *(ValueError, KeyError, TypeError, AttributeError),
)
NOT_A_TRACE: Final = (
    "{name} is no trace that Glassformer saved ({why}). Give a file that Trace.save wrote."
)


def save_trace(trace: Trace, path: Path) -> None:
    """Exactly this file name; an array that layers share is written once."""
    arrays: dict[int, np.ndarray] = {}
    tree = json.dumps(_taken_apart(trace, arrays), ensure_ascii=False)
    about = {
        "format": FORMAT,
        "made by": f"glassformer {version('glassformer')}",
        "model": trace.model_id,
    }
    named = {f"a{index}": array for index, array in enumerate(arrays.values())}
    with path.open("wb") as file:
        np.savez_compressed(file, about=json.dumps(about, ensure_ascii=False), tree=tree, **named)  # pyright: ignore[reportArgumentType]


def open_trace(path: Path) -> Trace:
    """Raises InputError for a file that is missing, cut off, of a later format, or made up."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            about, tree = (json.loads(str(kept[name])) for name in ("about", "tree"))
            if about["format"] > FORMAT:
                raise InputError(
                    f"{path.name} is of format {about['format']}, written by a later Glassformer; "
                    f"this one reads up to {FORMAT}. Update it."
                )
            arrays = {name: kept[name] for name in kept.files if name not in ("about", "tree")}
        for array in arrays.values():
            array.setflags(write=False)
        trace = _put_together(tree, arrays)
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except UNREADABLE as error:
        raise InputError(NOT_A_TRACE.format(name=path.name, why=error)) from error
    if not isinstance(trace, Trace):
        raise InputError(NOT_A_TRACE.format(name=path.name, why=f"a {type(trace).__name__}"))
    return trace


def _taken_apart(value: Any, arrays: dict[int, np.ndarray]) -> Any:
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
            items = value.items()
            return {"by": [[_taken_apart(k, arrays), _taken_apart(v, arrays)] for k, v in items]}
        case tuple() | list():
            return [_taken_apart(one, arrays) for one in value]
        case _ if is_dataclass(value) and type(value).__name__ in CLASSES:
            kept = {f.name: getattr(value, f.name) for f in fields(value) if f.init}
            parts = {name: _taken_apart(one, arrays) for name, one in kept.items()}
            return {"class": type(value).__name__, "of": parts}
        case _:
            raise TypeError(f"{type(value).__name__} is no part of a trace")


def _put_together(tree: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    match tree:
        case None | bool() | int() | float():
            return tree
        case list():
            return tuple(_put_together(one, arrays) for one in tree)
        case {"text": str(text)}:
            return text
        case {"word": str(name), "is": str(word)}:
            return WORDS[name](word)
        case {"array": str(name)}:
            return arrays[name]
        case {"by": list(items)}:
            return {_put_together(k, arrays): _put_together(v, arrays) for k, v in items}
        case {"class": str(name), "of": dict(parts)}:
            made = {str(key): _put_together(part, arrays) for key, part in parts.items()}
            for key, value in made.items():
                _refuse_misfit(name, key, value)
            return CLASSES[name](**made)
        case _:
            raise ValueError(f"{str(tree)[:40]} is no part of a trace")


@cache
def _hints(name: str) -> dict[str, Any]:
    return get_type_hints(CLASSES[name])


def _refuse_misfit(name: str, key: str, value: object) -> None:
    """What stands in a field is of the class that it declares; an array, of its dtype and axes."""
    if not _fits(value, _hints(name)[key]):
        shape = f" {value.dtype} {value.shape}" if isinstance(value, np.ndarray) else ""
        raise ValueError(f"{name}.{key} can't be a {type(value).__name__}{shape}")


def _fits(value: Any, hint: Any) -> bool:
    origin, of = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in of)
    if origin is tuple and of[-1] is Ellipsis:
        return isinstance(value, tuple) and all(_fits(one, of[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and all(map(_fits, value, of))
    if origin is Mapping:
        return isinstance(value, dict) and all(
            _fits(key, of[0]) and _fits(one, of[1]) for key, one in value.items()
        )
    return isinstance(value, (int, float) if hint is float else hint)
