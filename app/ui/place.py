"""A place where something stands in for what is still to come, and is then replaced by it."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


class Place:
    """Begun where it is made; filled later in the same run.

    What was there from the start stands at the same depth as what came late, so the browser
    keeps a figure from one run to the next.
    """

    def __init__(self) -> None:
        self._box = st.container()
        self._slot: DeltaGenerator | None = None

    def meanwhile(self) -> DeltaGenerator:
        """For what the next drawing replaces."""
        if self._slot is None:
            self._slot = self._box.empty()
        return self._slot

    def figure(self) -> DeltaGenerator:
        """For the one element that has come."""
        return self._slot or self._box

    def below(self) -> DeltaGenerator:
        """For what follows it."""
        return self._box
