"""A browser tab's end of Streamlit's protocol, without a browser.

Messages go over one websocket: BackMsg out, ForwardMsg back until the script has finished. As a
browser does, it keeps elements by their place, drops what a run did not draw again, and says which
large messages it still has, so that the server sends their hash alone.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import (
    BackendOperationRequest,
    BackMsg,
    DeferredFileRequestPayload,
)
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import (
    FileUploaderState,
    FileURLs,
    FileURLsRequest,
    UploadedFileInfo,
)
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.util import calc_hash
from websockets.asyncio.client import ClientConnection

from tests.load.shown import Answer, Shown

LARGEST: Final = 64 * 2**20  # bytes of a message: server.maxMessageSize
KEPT_FOR: Final = 50  # runs: global.maxCachedMessageAge
ANSWER_LIMIT: Final = 180.0  # seconds; far beyond what 200 at once take on a slow machine
DONE: Final = (
    ForwardMsg.FINISHED_SUCCESSFULLY,
    ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
)


class Session:
    """One tab: what it shows, and the changes that a reader makes there."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._elements: dict[tuple[int, ...], Shown] = {}
        self._states: dict[str, WidgetState] = {}
        self._large: dict[str, tuple[Element, int]] = {}  # by hash: it, and the run that used it
        self._runs = 0
        self._run = ""  # the one whose messages come
        self._id = ""
        self._hash, self._link = "", ""  # the page's name for Streamlit

    @property
    def id(self) -> str:
        """The server's name for it, by which a tab that lost its connection comes back."""
        return self._id

    @property
    def link(self) -> dict[str, str]:
        """The parameters that the page writes into the address bar."""
        components = (one.figure[0] for one in self.elements if one.kind == "bidi_component")
        return next(dict(header["params"]) for header in components if "params" in header)

    @property
    def elements(self) -> tuple[Shown, ...]:
        """What the page shows."""
        return tuple(self._elements.values())

    def named(self, key: str) -> Shown:
        """The element that the app calls so. Raises LookupError, which says what is there."""
        for shown in self.elements:
            if shown.key == key:
                return shown
        keys = [shown.key for shown in self.elements if shown.key]
        raise LookupError(f"no {key!r} among {keys}; the page says {[*self._said()]}")

    async def go(self, path: str, link: Mapping[str, str]) -> Answer:
        """Open a page by its link, as the sidebar does."""
        self._hash, self._link = calc_hash(path), urlencode(link)
        return await self._rerun("")

    async def again(self, socket: ClientConnection) -> Answer:
        """Go on over a new connection: what is in the address bar, and every widget's state."""
        self._socket, self._link = socket, urlencode(self.link)
        return await self._rerun("")

    async def change(self, widget: Shown, **value: Any) -> Answer:
        """Give a widget a value: `change(area, string_value="…")`."""
        self._states[widget.proto.id] = WidgetState(id=widget.proto.id, **value)
        return await self._rerun(widget.fragment)

    async def select(self, component: Shown, value: object) -> Answer:
        """Choose in a figure whose selection the page seeds: see app/components/selection.py."""
        serial = component.figure[0]["selection"]["serial"]
        told = {"selection": {"serial": serial, "value": value}}
        return await self.change(component, json_value=json.dumps(told))

    async def click(self, component: Shown, value: object) -> Answer:
        """Click something that does not stay selected: the report holds for one run."""
        trigger = f"$$STREAMLIT_INTERNAL_KEY_{component.proto.id}__events"
        told = {"serial": component.figure[0]["clicks"], "value": value}
        events = json.dumps([{"event": "click", "value": told}])
        self._states[trigger] = WidgetState(id=trigger, json_trigger_value=events)
        try:
            return await self._rerun(component.fragment)
        finally:
            del self._states[trigger]

    async def open(self, menu: str) -> Answer:
        """Open a menu, which is filled then."""
        return await self.change(self.named(menu), bool_value=True)

    async def press(self, button: Shown) -> Answer:
        """Press one of Streamlit's own buttons."""
        self._states[button.proto.id] = WidgetState(id=button.proto.id, trigger_value=True)
        try:
            return await self._rerun(button.fragment)
        finally:
            del self._states[button.proto.id]

    async def file_address(self, name: str) -> FileURLs:
        """Where a file of the reader's is to be put before `uploaded` tells the page."""
        asked = FileURLsRequest(request_id=name, file_names=[name], session_id=self._id)
        await self._socket.send(BackMsg(file_urls_request=asked).SerializeToString())
        async for message in self._messages(Answer()):
            if message.WhichOneof("type") == "file_urls_response":
                return message.file_urls_response.file_urls[0]
        raise AssertionError("the connection ended")

    async def uploaded(self, widget: Shown, name: str, size: int, place: FileURLs) -> Answer:
        """Tell the page of a file that was put at its address."""
        info = UploadedFileInfo(name=name, size=size, file_id=place.file_id, file_urls=place)
        state = FileUploaderState(uploaded_file_info=[info])
        return await self.change(widget, file_uploader_state_value=state)

    async def made(self, button: Shown) -> str:
        """Where the file lies that a button hands out, made when it is pressed."""
        if button.proto.url:
            return button.proto.url
        asked = BackendOperationRequest(
            request_id=button.proto.id,
            session_id=self._id,
            deferred_file=DeferredFileRequestPayload(file_id=button.proto.deferred_file_id),
        )
        await self._socket.send(BackMsg(backend_operation_request=asked).SerializeToString())
        async for message in self._messages(Answer()):
            if message.WhichOneof("type") == "backend_operation_response":
                answer = message.backend_operation_response
                assert not answer.error_msg, answer.error_msg
                return answer.deferred_file.url
        raise AssertionError("the connection ended")

    def _said(self) -> Iterator[str]:
        """What broke, and what a reader can mend."""
        for shown in self.elements:
            if shown.kind in ("exception", "alert"):
                yield shown.error or shown.proto.body

    async def _rerun(self, fragment: str) -> Answer:
        here = {shown.proto.id for shown in self.elements if hasattr(shown.proto, "id")}
        states = [s for s in self._states.values() if s.id in here or s.json_trigger_value]
        state = ClientState(
            query_string=self._link,
            widget_states=WidgetStates(widgets=states),
            page_script_hash=self._hash,
            fragment_id=fragment,
            cached_message_hashes=self._large,
        )
        answer, began = Answer(), time.perf_counter()
        async with asyncio.timeout(ANSWER_LIMIT):
            await self._socket.send(BackMsg(rerun_script=state).SerializeToString())
            async for message in self._messages(answer):
                match message.WhichOneof("type"):
                    case "new_session":
                        self._run = message.metadata.run.script_run_id
                        self._id = message.new_session.initialize.session_id
                        self._hash = message.new_session.page_script_hash
                    case "delta" | "ref_hash":
                        self._draw(message, answer)
                    case "script_finished" if message.script_finished in DONE:
                        break
                    case _:
                        pass
        answer.seconds = time.perf_counter() - began
        self._forget(fragment)
        return answer

    async def _messages(self, answer: Answer):
        async for data in self._socket:
            answer.nbytes += len(data)
            message = ForwardMsg()
            message.ParseFromString(data)
            yield message

    def _draw(self, message: ForwardMsg, answer: Answer) -> None:
        place = tuple(message.metadata.delta_path)
        if message.WhichOneof("type") == "ref_hash":
            delta = self._large[message.ref_hash][0]
            self._large[message.ref_hash] = (delta, self._runs)
        else:
            delta = message.delta
        if message.metadata.cacheable:
            self._large[message.hash] = (delta, self._runs)
        what = delta.new_element if delta.HasField("new_element") else delta.add_block
        kind = what.WhichOneof("type")
        if kind != "popover" and not delta.HasField("new_element"):
            return
        shown = Shown(kind, getattr(what, kind), delta.fragment_id, self._run)
        self._elements[place] = shown
        answer.drawn.append(shown)

    def _forget(self, fragment: str) -> None:
        """Drop what the run did not draw again, and large messages that were long of no use."""
        self._elements = {
            place: shown
            for place, shown in self._elements.items()
            if shown.run == self._run or (fragment and shown.fragment != fragment)
        }
        self._runs += not fragment
        self._large = {k: v for k, v in self._large.items() if self._runs - v[1] < KEPT_FOR}
