"""What heads are called, on the grid and on any other map of layers by heads."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeadName:
    """A name that heads can have."""

    name: str
    letter: str
    meaning: str
    colour: int  # index into theme.HEADS


@dataclass(frozen=True, slots=True)
class HeadNames:
    """What each head is called. Layers may have different numbers of heads."""

    legend: tuple[HeadName, ...]
    named: tuple[tuple[int, ...], ...]  # of each layer: index into the legend, or -1
    notes: tuple[tuple[str, ...], ...]  # told on hover, before what the head does here
    over: str = ""  # which sentences of the reader's they were measured over; "": our own
