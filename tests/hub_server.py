"""A model hub on loopback: the part of the protocol that a download uses, and a log of it."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REPOSITORY = "tester/tiny-bert"
REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass
class HubServer:
    """Serves the files of one folder as one repository."""

    folder: Path
    repository: str = REPOSITORY
    revision: str = REVISION
    seconds: float = 0.0  # how long the weights take to come
    claimed_sizes: dict[str, int] = field(default_factory=dict)  # told in place of the true ones
    cut_after: dict[str, int] = field(default_factory=dict)  # bytes until the line goes dead, once
    dead_after: dict[str, int] = field(default_factory=dict)  # the same, for good
    refused: set[str] = field(default_factory=set)  # files answered with 403
    gated: bool = False  # its owner lets nobody in who has not accepted terms
    licence: str | None = None
    requests: list[tuple[str, str]] = field(default_factory=list)  # method, path
    url: str = ""

    def downloaded(self) -> list[str]:
        """The files whose content was asked for."""
        marker = f"/{self.repository}/resolve/{self.revision}/"
        return [path.removeprefix(marker) for method, path in self.requests
                if method == "GET" and path.startswith(marker)]  # fmt: skip

    def tree(self) -> list[dict[str, object]]:
        return [
            {
                "type": "file",
                "path": str(path.relative_to(self.folder)),
                "oid": blob_id(path),
                "size": self.size(path),
            }
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        ]

    def about(self) -> dict[str, object]:
        siblings = [{"rfilename": file["path"], "size": file["size"]} for file in self.tree()]
        card = {"license": self.licence} if self.licence else {}
        return {"id": self.repository, "sha": self.revision, "siblings": siblings,
                "cardData": card, "gated": "manual" if self.gated else False}  # fmt: skip

    def size(self, path: Path) -> int:
        return self.claimed_sizes.get(path.name, path.stat().st_size)

    @contextmanager
    def running(self) -> Iterator["HubServer"]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def blob_id(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:40]


def _handler(hub: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def _answer(self, *, with_body: bool) -> None:
            path = self.path.split("?")[0]
            hub.requests.append((self.command, path))
            if path == f"/api/models/{hub.repository}/tree/{hub.revision}":
                self._json(hub.tree())
            elif path in (
                f"/api/models/{hub.repository}",
                f"/api/models/{hub.repository}/revision/main",
            ):
                self._json(hub.about())
            elif path.startswith(f"/{hub.repository}/resolve/{hub.revision}/"):
                if hub.gated:
                    self._refuse("GatedRepo")
                else:
                    self._file(hub.folder / path.split(hub.revision + "/")[1], with_body=with_body)
            elif path.startswith(f"/api/models/{hub.repository}/") or "/resolve/" in path:
                self.send_error(404)
            else:
                self._refuse("RepoNotFound")

        def _refuse(self, why: str) -> None:
            """As the hub does, which tells strangers nothing more."""
            self.send_response(401)
            self.send_header("X-Error-Code", why)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _json(self, content: object) -> None:
            body = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _file(self, path: Path, *, with_body: bool) -> None:
            if path.name in hub.refused and with_body:
                self.send_error(403)
                return
            body = path.read_bytes()
            start = 0
            if wanted := self.headers.get("Range"):
                start = int(wanted.removeprefix("bytes=").split("-")[0])
            self.send_response(206 if start else 200)
            self.send_header("ETag", f'"{blob_id(path)}"')
            self.send_header("X-Repo-Commit", hub.revision)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("X-Linked-Size", str(hub.size(path)))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            self.send_header(
                "Content-Length", str(len(body) - start if with_body else hub.size(path))
            )
            self.end_headers()
            if not with_body:
                return
            cut = hub.cut_after.pop(path.name, hub.dead_after.get(path.name))
            self._send(body[start:cut], slowly=path.suffix == ".safetensors")
            if cut is not None:
                self.close_connection = True

        def _send(self, body: bytes, *, slowly: bool) -> None:
            parts = 10 if slowly and hub.seconds else 1
            size = -(-len(body) // parts) or 1
            for start in range(0, len(body), size):
                self.wfile.write(body[start : start + size])
                time.sleep(hub.seconds / parts if slowly else 0)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler
