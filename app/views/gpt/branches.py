"""Every path that was written: where it forks, how it reads, how probable it is."""

import streamlit as st

from app.services import decoder
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import progress
from app.views.gpt.inputs import Opened
from app.views.gpt.state import HERE, TEXT, TREE
from app.views.gpt.tree import Tree


def show(opened: Opened, place: Tree) -> None:
    """The tree as a list, each path under the one it left."""
    if place.paths == ((),):
        return
    st.subheader("Paths so far")
    for index in _in_order(place):
        _row(opened, place, index)


def _in_order(place: Tree) -> list[int]:
    """Depth first: a fork stands under the path it left."""
    children: dict[int | None, list[int]] = {}
    for index in range(len(place.paths)):
        children.setdefault(_parent(place, index), []).append(index)
    order: list[int] = []
    waiting_paths = children.get(None, [])[::-1]
    while waiting_paths:
        index = waiting_paths.pop()
        order.append(index)
        waiting_paths += children.get(index, [])[::-1]
    return order


def _parent(place: Tree, index: int) -> int | None:
    fork = place.fork_of(index)
    return fork[0] if fork and fork[1] else None


def _depth(place: Tree, index: int) -> int:
    parent = _parent(place, index)
    return 0 if parent is None else 1 + _depth(place, parent)


def _row(opened: Opened, place: Tree, index: int) -> None:
    path = place.paths[index]
    fork = place.fork_of(index)
    shared = fork[1] if fork else 0
    step = progress.outcome(decoder.next_step(opened.card.id, TEXT.value, path), opened.card.id)
    if step is None:
        return
    branch = decoder.next_step(opened.card.id, TEXT.value, path[:shared]).result()
    own = step.continuation[len(branch.continuation) :]
    indent = "\u2003" * _depth(place, index) + ("↳ … " if shared else "")
    with st.container(horizontal=True, vertical_alignment="center", key=f"gpt-path-{index}"):
        st.button(
            f"{indent}{plain(own.strip() or '(the prompt)')}",
            key=HERE.key(f"path.{index}"),
            on_click=_return_to,
            args=(index,),
            type="tertiary" if index != place.path else "secondary",
            help="Go to the end of this path.",
        )
        st.caption(
            f"{len(path)} tokens"
            + (f", forks after {shared}" if shared else "")
            + (f" · {three(step.bits / len(path))} bits a token" if path else "")
        )
        st.button(
            "Remove",
            key=HERE.key(f"drop.{index}"),
            on_click=_drop,
            args=(index,),
            type="tertiary",
            icon=":material/close:",
        )


def _return_to(index: int) -> None:
    TREE.put(TREE.value.to(index))


def _drop(index: int) -> None:
    TREE.put(TREE.value.without(index))
