"""What heads do, measured before anybody asks: files of the roles of models on board.

A file says with which weights, inputs and definitions it was measured. Where one of them is
another by now, the file is not read, and the heads are measured anew.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from core.catalog import CATALOG, Family, ModelCard, bases_of, card_of
from core.catalog.checkpoints import hash_of_weights, is_on_board
from core.data.aligned_pairs import aligned_pairs
from core.data.pictures import squares_hash
from core.data.sentences import repeated_words, sentences
from core.data.treebank import parsed_sentences
from core.errors import InputError
from core.explain.attention.head_roles import ENOUGH, FOUND, MARGIN, NEARLY_ALL, HeadRole, RoleScore
from core.explain.attention.relation_heads import MANY_LINKS
from core.explain.attention.role_patterns import ROLES
from core.explain.attribution.bootstrap import LEVEL, RESAMPLES, Interval
from core.trace import AttentionKind
from core.trace.archive import Archive

LOG = logging.getLogger(__name__)
FOLDER: Final = Path(__file__).parents[2] / "assets" / "head_roles"
DEFINITIONS: Final = (
    *(*ROLES.items(), ENOUGH, MARGIN, FOUND, MANY_LINKS, NEARLY_ALL, RESAMPLES, LEVEL),
)
Layers = tuple[tuple[HeadRole, ...], ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The heads of one kind; whoever measures a further role adds it to their scores."""

    weights: Layers  # by where they look
    written: Layers | None  # by what they write there; None where the model hides it


FILES: Final = Archive(
    "set of head roles",
    "core.data.known_roles.keep_roles",
    (Roles, HeadRole, RoleScore, Interval, AttentionKind),
)


def known_roles(model_id: str, folder: Path = FOLDER) -> Mapping[AttentionKind, Roles] | None:
    """The roles of every head, by kind; None where none are known of the present weights."""
    path, card = folder / f"{model_id}.npz", card_of(model_id)
    if card is None or not is_on_board(card) or not path.exists():
        return None
    try:
        roles, about = FILES.open(path)
    except InputError as error:
        LOG.warning("%s", error)
        return None
    stale = [name for name, value in measured_with(model_id).items() if about.get(name) != value]
    if stale:
        LOG.warning("%s is of other %s: its heads are measured anew", path.name, ", ".join(stale))
    return None if stale else roles


def keep_roles(model_id: str, roles: Mapping[AttentionKind, Roles], folder: Path = FOLDER) -> Path:
    """The file; a model of the catalog that is on board."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{model_id}.npz"
    FILES.save(roles, path, measured_with(model_id))
    return path


def measured_with(model_id: str) -> Mapping[str, str]:
    """What the roles of a model on board follow from, as SHA-256 in hexadecimal."""
    card = next(one for one in CATALOG if one.id == model_id)
    return {
        "model": model_id,
        "weights": " ".join(map(hash_of_weights, (card, *bases_of(card)))),
        "inputs": _inputs(card),
        "definitions": _digest(tuple(map(repr, DEFINITIONS))),
    }


def _inputs(card: ModelCard) -> str:
    if card.family in (Family.VISION, Family.MASKED_AUTOENCODER):
        return squares_hash()
    linked = [repr(one) for one in (*parsed_sentences(), *aligned_pairs())]
    return _digest((*sentences(), *repeated_words(), *linked))


def _digest(lines: Sequence[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()
