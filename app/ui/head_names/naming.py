"""Which names the reader wants on a page's heads, and where they come from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.components.head_grid.names import HeadNames
from app.services import head_roles
from app.style.markdown_escape import plain
from app.ui import progress
from app.ui.head_names.legend import names
from app.ui.head_names.own_sentences import OverOwn, OverTheirs, over_own
from app.ui.param import Param
from app.ui.params import Choice, Flag, Scope, Text
from core.data.known_roles import Layers, Roles
from core.trace import AttentionKind

HELP: Final = (
    "What every head does, by where it looks or by what it writes. Measured over a hundred "
    "sentences of our own and texts of repeated words. What a head writes counts a token by its "
    "weight times the length of its value behind W^O (Kobayashi et al. 2020)."
)
OF_PICTURES: Final = (
    "What every head does, by where it looks. Measured over sixty squares of six photographs."
)
MEASURE_HELP: Final = (
    "This model's heads were not measured before: it reads 156 texts or 60 pictures, which takes "
    "it some time. Others' questions come in between, and leaving the page ends it."
)
OVER_OWN: Final = (
    "The names that the heads got over your own sentences, under All heads › Over many sentences. "
    "Roles that need annotated sentences, such as a syntactic relation, are not among them."
)
NOT_READ: Final = (
    "Names over a reader's own sentences show once this model has read the file, under Attention › "
    "All heads › Over many sentences. Until then they are those over the built-in ones."
)


@dataclass(frozen=True)
class Naming:
    """A page's choice. Names that lie on the disk are shown; others are measured if asked for."""

    model: Text  # the page's
    by: Choice[str]
    measure: Flag
    help: str
    own: Flag | None = None  # over the reader's sentences, once a model has read them

    @classmethod
    def of(cls, scope: Scope, model: Text, own: Flag | None = None) -> "Naming":
        """Of texts. own: the page's wish for the reader's sentences, where it has one already."""
        ways = {"weights": "looks", "written": "writes", "off": "none"}
        return cls(
            model,
            scope.choice("roles", ways),
            scope.flag("measured"),
            HELP,
            own or OverTheirs(scope, model),
        )

    @classmethod
    def of_pictures(cls, scope: Scope, model: Text) -> "Naming":
        """What heads write is not measured there."""
        ways = {"weights": "looks", "off": "none"}
        return cls(model, scope.choice("roles", ways), scope.flag("measured"), OF_PICTURES)

    @property
    def params(self) -> Sequence[Param[Any]]:
        return self.by, self.measure, *(() if self.own is None else (self.own,))

    def control(self) -> None:
        """Both choices; the second one only where there is something to measure."""
        self.by.segmented("Names", help=self.help)
        if self.by.value != "off" and head_roles.known(self.model.value) is None:
            self.measure.toggle("Measure this model's heads", help=MEASURE_HELP)
        if self.own is None or self.by.value == "off":
            return
        if (over := over_own(self.model.value)) is not None:
            self.own.toggle(f"Over {plain(over.words)}", help=OVER_OWN)
        elif self.own.value:
            st.caption(NOT_READ)

    def measured(self, model_id: str, kind: AttentionKind) -> Roles | None:
        """None where none are asked for or known, and after saying why there are none."""
        if self.by.value == "off":
            return None
        if (over := self._over_own(model_id)) is not None:
            return over.roles[kind]
        found: Mapping[AttentionKind, Roles] | None = head_roles.known(model_id)
        if found is None and self.measure.value:
            job = head_roles.of_model(model_id)
            found = progress.trained(job, "Naming the heads", "inputs")
        return None if found is None else found[kind]

    def chosen(self, roles: Roles | None) -> Layers | None:
        """By where the heads look, or by what they write, as the reader asked."""
        if roles is None or self.by.value == "weights":
            return roles and roles.weights
        if roles.written is None:
            st.info(
                "This model hides its values or its output matrices, so what a head writes is not "
                "known. The names tell where its heads look."
            )
            return roles.weights
        return roles.written

    def layers(self, model_id: str, kind: AttentionKind) -> Layers | None:
        """Every head's role, as asked; None where the heads have no names."""
        return self.chosen(self.measured(model_id, kind))

    def names(self, model_id: str, kind: AttentionKind) -> HeadNames | None:
        """The same for a figure."""
        layers = self.layers(model_id, kind)
        return None if layers is None else names(layers, self.over(model_id))

    def over(self, model_id: str) -> str:
        """ "52 sentences of tales.txt" where the names are of the reader's own; else ""."""
        over = self._over_own(model_id)
        return "" if over is None else over.words

    def _over_own(self, model_id: str) -> OverOwn | None:
        return over_own(model_id) if self.own is not None and self.own.value else None
