"""The line above a page in a room: a student's switch, or the teacher's desk with code and QR."""

from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from app.components.room_stream import Ear, heard, room_stream
from app.services.settings import LOOPBACK
from app.style.markdown_escape import plain
from app.ui.room import attending, qr
from app.ui.room.attending import Attending

CODE: Final = "room.code"
FOLLOW: Final = "room.follow"


def attend(page: str) -> None:
    """Before a page is drawn: come in, hear what is new, draw the line. May show another page."""
    attending.come(st.query_params.get(attending.PARAM))
    if (key := heard()) is not None:
        attending.recognise(key)
    attending.catch_up(page)
    here = attending.now()
    if here is not None:
        with st.container(key="room", horizontal=True, vertical_alignment="center"):
            if here.teaches:
                _desk(here, qr.link(st.context.url or "", page, here.code))
            else:
                _switch(here)
            room_stream(
                Ear(
                    at=attending.routes_at(),
                    code=here.code,
                    key=here.key,
                    teaches=here.teaches,
                    follows=here.follows,
                    known=here.version,
                    settled=here.settled,
                )
            )
    if told := st.session_state.pop(attending.TOLD, None):
        st.info(plain(told), icon=":material/groups:")


def opener(page: str) -> None:
    """Among a page's controls."""
    if attending.now() is None:
        st.button(
            "Open a room",
            key=f"{page}.open-room",
            icon=":material/groups:",
            on_click=attending.open_room,
            help="Students see on their own screens what you show, and vote.",
        )


def door() -> None:
    """For who has a code and no link."""
    if attending.now() is None:
        st.text_input(
            "Join a room",
            key=CODE,
            max_chars=12,
            placeholder="its code, such as KX4PQ",
            on_change=lambda: attending.join(st.session_state[CODE]),
            width=260,
        )


def _switch(here: Attending) -> None:
    st.session_state[FOLLOW] = here.follows
    st.toggle(
        f"Follow room **{here.code}**",
        key=FOLLOW,
        on_change=lambda: attending.turn(follow=st.session_state[FOLLOW]),
    )
    if not here.follows:
        st.button(
            "Leave", key="room-leave", type="tertiary", icon=":material/close:",
            on_click=attending.leave,
        )  # fmt: skip


def _desk(here: Attending, link: str) -> None:
    desk = st.popover(f"Room **{here.code}**", icon=":material/groups:", width="content")
    with desk, st.container(key="room-desk"):
        at = urlsplit(link)
        picture, words = st.columns([5, 4], vertical_alignment="center")
        picture.image(qr.picture(link), alt=f"QR code of {link}", width=260)
        with words:
            st.markdown(f"# {here.code}")
            st.markdown(f"Scan, or type this code at **{plain(at.netloc + at.path)}**")
            if at.hostname in LOOPBACK:
                st.caption(
                    f"{at.hostname} is this machine alone: nobody else reaches it. Start with "
                    "`make app HOST=0.0.0.0`, and open this page by the machine’s name."
                )
            st.button("Close the room", key="room-close", on_click=attending.close_room)
