"""Any model, on the reader's own machine: a folder, or a repository of the hub, beside the list.

A hub model is told before it comes: what it is, its licence, its size. On a server that others
reach, none of this is there: a link could fill its disk.
"""

from collections.abc import Collection
from typing import Final

import streamlit as st

from app.services import any_model, models, settings
from app.style.markdown_escape import plain
from app.style.number_format import three
from app.ui import out_of_reach, progress
from app.ui.params import Param
from core.catalog import Family, ModelCard
from core.catalog.any_hub import HubModel
from core.errors import InputError

CLOSED: Final = (
    "This server shows its own models alone. On your own machine any model of the hub and any "
    "folder can be shown: start it for this machine alone (make app)."
)
SAFE: Final = "Only safetensors are opened, and no code that comes with a model is run."


def is_open() -> bool:
    """Whether readers may open what is not offered: the owner said so, or is the one reader."""
    if (told := settings.open_hub()) is not None:
        return told
    names = {st.get_option("server.address"), *st.get_option("server.allowedHosts")}
    proxied = any(name in st.context.headers for name in settings.FORWARDED)
    return names <= {*settings.LOOPBACK} and not proxied


def any_model_field(param: Param[str]) -> None:
    """Where another model can be named; nothing on a server."""
    if not is_open():
        return
    key = f"{param.key}:any"

    def take() -> None:
        forget(param)
        wish(param, st.session_state[key].strip())
        st.session_state[key] = ""

    st.text_input(
        "Any other model",
        key=key,
        placeholder="owner/name on the hub, or a folder",
        help=f"Its size and its licence are told before it is downloaded. {SAFE}",
        on_change=take,
    )


def wish(param: Param[str], text: str) -> bool:
    """A model is asked for by a link or a reader; whether it is at hand, and shown from now on."""
    if not text:
        return False
    try:
        card = any_model.at_hand(text)
        if card is None and not any_model.may_be_model(text):
            raise InputError(
                f"“{text}” is neither a folder (/home/me/model) nor a repository of the hub "
                "(owner/name)."
            )
    except InputError as error:
        st.session_state[_refused(param)] = str(error)
        return False
    if card is None:
        st.session_state[_wished(param)] = text
        return False
    param.put(card.id)
    return True


def linked(param: Param[str]) -> bool:
    """Whether a link's model, which the page does not know, can be shown all the same."""
    new = models.card_of(param.value) is None and any_model.may_be_model(param.value)
    return new and is_open() and _wished(param) not in st.session_state and wish(param, param.value)


def told(param: Param[str], shown: ModelCard, families: Collection[Family]) -> bool:
    """Say what became of a wish, in the page's notices; whether there was one.

    families: what the view can show.
    """
    text: str | None = st.session_state.get(_wished(param))
    if text is not None:
        place = st.empty()
        try:
            found = progress.waited(
                any_model.look(text).future,
                lambda: place.caption(f"Asking the hub about {plain(text)} …"),
            )
        except progress.READER_ERRORS as error:
            del st.session_state[_wished(param)]
            st.session_state[_refused(param)] = str(error)
        else:
            with place.container():
                _offer(param, found, shown, families)
    if reason := st.session_state.get(_refused(param)):
        st.warning(f"{plain(reason)} Still shown: {plain(shown.title)}.", icon=":material/info:")
    return text is not None or reason is not None


def why_unknown(asked: str) -> str:
    """Why a model that a link asks for is not here."""
    if (card := models.card_of(asked)) is not None:
        return f"{card.title} is a {_name(card.family)}, which this view can't show"
    if any_model.may_be_model(asked) and not is_open():
        return f"There is no model “{asked}” here. {CLOSED.removesuffix('.')}"
    return f"There is no model “{asked}” here"


def forget(param: Param[str]) -> None:
    """Another model was chosen."""
    for note in (param.unknown, _wished(param), _refused(param)):
        st.session_state.pop(note, None)
    out_of_reach.try_again(param)


def _offer(
    param: Param[str], found: HubModel, shown: ModelCard, families: Collection[Family]
) -> None:
    card = found.card
    fits = card.family in families
    heads = f", {card.layers} layers × {card.heads} heads" if card.heads else ""
    with st.container(border=True):
        st.markdown(
            f"**{plain(card.id)}** is not on this machine yet. It is a {_name(card.family)} "
            f"({plain(found.kind)}{heads}), licence: {plain(card.licence)}, "
            f"{three(found.nbytes / 1e6)} MB to download. {SAFE} "
            f"Still shown: {plain(shown.title)}."
        )
        if not fits:
            views = " or ".join(_name(family) for family in families)
            st.markdown(f"This view can't show it: it shows a {views}.")
        with st.container(horizontal=True):
            if fits:
                st.button("Download and show it", on_click=_accept, args=(param, card))
            st.button("Not now", on_click=forget, args=(param,))


def _accept(param: Param[str], card: ModelCard) -> None:
    forget(param)
    models.add(card)
    param.put(card.id)


def _name(family: Family) -> str:
    return "picture model" if family is Family.VISION else str(family).replace("-", " ")


def _wished(param: Param[str]) -> str:
    return f"{param.key}:wished"


def _refused(param: Param[str]) -> str:
    return f"{param.key}:no-model"
