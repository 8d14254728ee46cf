"""Files that never change are asked of Streamlit once, and come compressed."""

import asyncio
import gzip
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.web.kept_files import FOR_GOOD, KeptFiles

SCRIPT, FONT = "/static/js/index.DormvYxC.js", "/static/media/SourceSansVF.BsWL4Kly.woff2"
MODULE = "/_stcore/bidi-components/glassformer.head_grid/head_grid-d9795e36bcfc.js"
PUBLIC = {"cache-control": "public", "content-type": "text/javascript"}
GZIP = {"accept-encoding": "gzip, deflate"}
TEXT = b"export default 1;\n" * 99


@dataclass
class Server:
    """Streamlit's own end, which sends a file in two pieces."""

    status: int = 200
    says: Mapping[str, str] = field(default_factory=lambda: PUBLIC)
    fails: bool = False
    asked: list[Mapping[bytes, bytes]] = field(default_factory=list)  # with which headers

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.asked.append(dict(scope["headers"]))
        await asyncio.sleep(0)  # others ask meanwhile
        if self.fails:
            raise OSError("too many open files")
        said = [(name.encode(), value.encode()) for name, value in self.says.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": said})
        await send({"type": "http.response.body", "body": TEXT[:100], "more_body": True})
        await send({"type": "http.response.body", "body": TEXT[100:]})


async def answer(
    files: KeptFiles, path: str, headers: Mapping[str, str] = GZIP, method: str = "GET"
) -> tuple[dict[str, str], bytes]:
    """Headers and body."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope: Any = {"type": "http", "path": path, "method": method, "headers": given}
    await files(scope, send, send)  # type: ignore[arg-type]
    said = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return said, b"".join(message["body"] for message in sent[1:])


async def many(files: KeptFiles, path: str, number: int) -> list[tuple[dict[str, str], bytes]]:
    return await asyncio.gather(*(answer(files, path) for _ in range(number)))


@pytest.mark.parametrize("path", [SCRIPT, MODULE])
def test_a_class_has_it_compressed_for_one_asking(path: str):
    server = Server()
    for said, body in asyncio.run(many(KeptFiles(server), path, 20)):
        assert gzip.decompress(body) == TEXT
        assert len(body) == int(said["content-length"]) < len(TEXT) / 9
        assert said["content-encoding"] == "gzip"
        assert said["content-type"] == "text/javascript; charset=utf-8"
        assert (said["cache-control"], said["vary"]) == (FOR_GOOD, "Accept-Encoding")
    assert [b"accept-encoding" in headers for headers in server.asked] == [False]


def test_what_is_packed_already_comes_as_it_is():
    server = Server(says=PUBLIC | {"content-type": "font/woff2"})
    for said, body in asyncio.run(many(KeptFiles(server), FONT, 3)):
        assert body == TEXT
        assert "content-encoding" not in said
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("path", "headers", "method"),
    [
        ("/attention", GZIP, "GET"),
        ("/static/js/../../secret.js", GZIP, "GET"),
        (f"{SCRIPT}/", GZIP, "GET"),
        ("/_stcore/bidi-components/others.thing/thing-1.js", GZIP, "GET"),
        (SCRIPT, {}, "GET"),
        (SCRIPT, GZIP, "HEAD"),
        (SCRIPT, GZIP | {"range": "bytes=0-9"}, "GET"),
        (SCRIPT, GZIP | {"if-none-match": '"a"'}, "GET"),
    ],
)
def test_all_else_is_streamlits_matter(path: str, headers: Mapping[str, str], method: str):
    server = Server()
    files = KeptFiles(server)
    for _ in range(2):
        assert asyncio.run(answer(files, path, headers, method)) == (PUBLIC, TEXT)
    given = {name.encode(): value.encode() for name, value in headers.items()}
    assert server.asked == [given, given]


@pytest.mark.parametrize(
    "server",
    [
        Server(says={"cache-control": "no-cache", "content-type": "text/html"}),  # its first file
        Server(status=404),
    ],
)
def test_what_is_no_such_file_is_not_kept(server: Server):
    files = KeptFiles(server)
    for times in (2, 4):  # asked to be kept, and then for the reader
        assert asyncio.run(answer(files, SCRIPT)) == (server.says, TEXT)
        assert len(server.asked) == times


def test_what_could_not_be_read_is_asked_for_again():
    async def twice() -> bytes:
        server = Server(fails=True)
        files = KeptFiles(server)
        with pytest.raises(OSError, match="open files"):
            await answer(files, SCRIPT)
        server.fails = False
        return (await answer(files, SCRIPT))[1]

    assert gzip.decompress(asyncio.run(twice())) == TEXT


def test_who_leaves_takes_it_from_nobody():
    async def one_leaves() -> bytes:
        files = KeptFiles(Server())
        leaving = asyncio.create_task(answer(files, SCRIPT))
        staying = asyncio.create_task(answer(files, SCRIPT))
        await asyncio.sleep(0)
        leaving.cancel()
        body = (await staying)[1]
        assert leaving.cancelled()
        return body

    assert gzip.decompress(asyncio.run(one_leaves())) == TEXT


def test_it_knows_what_paths_begin_with():
    server = Server()
    files = KeptFiles(server, "/lab")
    assert asyncio.run(answer(files, SCRIPT)) == (PUBLIC, TEXT)
    assert gzip.decompress(asyncio.run(answer(files, f"/lab{SCRIPT}"))[1]) == TEXT
