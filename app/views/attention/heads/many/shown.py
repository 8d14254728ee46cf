"""What the view has measured: the built-in sentences, and the reader's where there are some."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.components.head_grid import HeadId
from app.services.many_sentences import OverMany
from core.data.known_roles import Layers
from core.data.sentence_files import Sentences
from core.trace import AttentionKind


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The heads of one kind."""

    kind: AttentionKind
    built_in: OverMany
    theirs: OverMany | None
    own: Sentences | None  # that `theirs` is of
    written: bool  # named by what the heads write

    @property
    def over(self) -> str:
        """Whose sentences `first` is of, if the reader's: "52 sentences of tales.txt"; else ""."""
        return "" if self.own is None else f"{len(self.own)} sentences of {self.own.name}"

    @property
    def heads(self) -> tuple[HeadId, ...]:
        return tuple(
            (one.layer, one.head) for layer in self.built_in.roles.weights for one in layer
        )

    @property
    def first(self) -> OverMany:
        """What the view is about: the reader's sentences, if they gave some."""
        return self.theirs or self.built_in

    def roles(self, over: OverMany) -> Layers:
        """As asked; by where the heads look if what they write isn't known."""
        return over.roles.written or over.roles.weights if self.written else over.roles.weights

    def every(self) -> Iterator[tuple[str, OverMany]]:
        """By name, the reader's first."""
        if self.theirs is not None:
            yield "yours", self.theirs
        yield "built-in", self.built_in
