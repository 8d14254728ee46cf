"""Names on heads: what each does over many texts. The same on every page that draws heads."""

from app.ui.head_names.legend import INDEX, arrays, caption, named_head, names, note, role_of
from app.ui.head_names.naming import Naming
from app.ui.head_names.own_sentences import OverOwn, OverTheirs, remember

__all__ = [
    "INDEX",
    "Naming",
    "OverOwn",
    "OverTheirs",
    "arrays",
    "caption",
    "named_head",
    "names",
    "note",
    "remember",
    "role_of",
]
