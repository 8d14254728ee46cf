"""Two readers at one server: what one takes along, and BertViz's frame, reach nobody else."""

import io

import numpy as np
import pytest
from httpx2 import AsyncClient

from tests.journeys.server import running_server
from tests.load.own_loop import run
from tests.load.session import Session
from tests.load.test_isolation import MARK, two_readers, type_it

TOKEN = "trombone"  # one token, which BertViz shows
KINDS = (".csv", ".html", ".json", ".bin")  # NPZ has no type of its own


async def taken(session: Session, files: AsyncClient) -> dict[str, str]:
    """The words in all that the page hands out, by its address."""
    for menu in ("attention.files", "attention.session-menu"):
        await session.open(menu)
    buttons = [shown for shown in session.elements if shown.kind == "download_button"]
    found = {await session.made(button): "" for button in buttons}
    for address in found:
        answer = await files.get(address)
        assert answer.status_code == 200
        found[address] = words(answer.content)
    assert {kind for kind in KINDS if any(one.endswith(kind) for one in found)} == {*KINDS}
    return found


def words(content: bytes) -> str:
    if not content.startswith(b"PK"):
        return content.decode()
    arrays = np.load(io.BytesIO(content)).values()
    return " ".join(str(array) for array in arrays if array.dtype.kind == "U")


async def meet(address: str) -> None:
    async with two_readers(address) as (files, (ann, ann_s), (ben, ben_s)):
        for reader, text in ((ann, f"The {MARK} has a {TOKEN}."), (ben, "The old dog slept.")):
            await reader.go("attention", {"bertviz": "head"})
            await type_it(reader, text)
        anns, bens = await taken(ann, files), await taken(ben, files)
        assert all(MARK in found for found in anns.values())
        assert not any(MARK in found for found in bens.values())
        assert TOKEN.encode() in ann_s.heard
        told = [MARK, TOKEN, *anns]
        told += [
            one.proto.deferred_file_id
            for one in ann.elements
            if one.kind == "download_button" and one.proto.deferred_file_id
        ]
        assert [one for one in told if one.encode() in ben_s.heard] == []
        (frame,) = (one for one in ann.elements if one.kind == "iframe")
        assert TOKEN in frame.proto.srcdoc
        assert await taken(ann, files) == anns


@pytest.mark.slow
def test_nothing_that_one_takes_along_is_the_others():
    with running_server() as address:
        run(meet(address))
