"""The attention view's own sentences: what a weight means, where the rest of the mass is."""

import streamlit as st

from app.services.vision_attention import Traced
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.views.vision.attention import params
from app.views.vision.attention.params import ALL_PATCHES, token_name
from core.explain.attention.patch_attention import (
    Direction,
    Fusion,
    Look,
    PatchReading,
    read_patches,
    top_mass,
)


def reading(read: PatchReading) -> str:
    """ "0.0430 · rank 7 of 196 · 8.40 × uniform"."""
    if not read.times_uniform and not read.weight:
        return "0: outside what this layer can see"
    ratio = f"{three(read.times_uniform)} × uniform"
    return f"{three(read.weight)} · rank {read.rank} of {read.visible} · {ratio}"


def head_notes(look: Look, direction: Direction) -> tuple[str, ...]:
    """A line a head for the grid of all heads."""
    notes: list[str] = []
    for patches, prefix in zip(look.patches, look.prefix, strict=True):
        top = f"largest {three(float(patches.max()))}"
        rest = f", {three(float(prefix.sum()))} on prefix tokens" if prefix.size else ""
        notes.append(top + (rest if direction == "from" else ""))
    return tuple(notes)


def answered(
    which: str, traced: Traced, token: int | None, look: Look, direction: Direction
) -> str:
    """The patch with the largest weight, in Markdown."""
    patches = look.patches[0]
    best = int(patches.argmax())
    row, column = divmod(best, look.grid.columns)
    told = reading(read_patches(patches, look.uniform)[best])
    who, there = plain(token_name(traced, token)), f"the patch in row {row}, column {column}"
    if direction == "from":
        return f"In {which}, of all patches **{who}** looks most at {there}: **{told}**."
    return f"In {which}, {there} looks most at **{who}**: **{told}**."


def sums(traced: Traced, look: Look, direction: Direction, fusion: Fusion | None) -> None:
    """The mass on prefix tokens, always; the largest weight; how many patches hold the mass."""
    patches = look.patches[0]
    lines = [_prefix_line(traced, look, direction, fusion)]
    best = int(patches.argmax())
    row, column = divmod(best, look.grid.columns)
    told = reading(read_patches(patches, look.uniform)[best])
    lines.append(f"Most: row {row}, column {column}: {told}.")
    keep = params.KEEP.value
    if keep < 100:
        kept = int(top_mass(patches, keep / 100).sum())
        lines.append(
            f"The {kept} brightest of {patches.size} patches hold {keep} % of the patches’ mass; "
            "the others are dimmed."
        )
    larger = traced.grid.rows // look.grid.rows, traced.grid.columns // look.grid.columns
    if larger != (1, 1):
        lines.append(
            f"In this layer a patch is {larger[0]} × {larger[1]} of the picture’s: ranks count "
            f"its {look.grid.rows} × {look.grid.columns}."
        )
    st.caption(plain(" ".join(lines)))


def _prefix_line(traced: Traced, look: Look, direction: Direction, fusion: Fusion | None) -> str:
    """Where the weight went that the picture does not show."""
    on_patches = float(look.patches.sum())
    if not look.prefix.size:
        named = "This layer has no prefix tokens"
        total = f"its patches get {three(on_patches)} in all"
        return f"{named}: {total}."
    weights = look.prefix[0]
    each = " · ".join(
        f"{name} {three(float(weight))}"
        for name, weight in zip(traced.prefix, weights, strict=False)
    )
    if direction == "to":
        expected = three(float(look.uniform.sum()))
        return (
            f"Prefix tokens look at it with {each}. All patches together: {three(on_patches)} "
            f"(uniform: {expected})."
        )
    note = f" They are each the {fusion} of the heads, so they don’t sum to one."
    return (
        f"On prefix tokens {three(float(weights.sum()))} ({each}), on patches "
        f"{three(on_patches)}.{note if fusion in ('max', 'min') else ''}"
    )


def second_note(first: Traced, second: Traced, token: int | None) -> None:
    """What the second model makes of the same click."""
    grids = (
        f"{first.grid.rows} × {first.grid.columns}",
        f"{second.grid.rows} × {second.grid.columns}",
    )
    parts = [f"Same place: mapped by its centre from {grids[0]} to {grids[1]} patches."]
    if token is not None and token < len(first.prefix):
        name = first.prefix[token]
        missing = name not in second.prefix
        parts = [f"It has no {name}: {ALL_PATCHES}, instead."] if missing else []
    if parts:
        st.caption(plain(" ".join(parts)))
