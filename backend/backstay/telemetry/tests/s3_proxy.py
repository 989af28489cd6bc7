"""A proxy before a real S3-compatible store that delays, refuses, breaks or falsifies uploads.

A request is forwarded as it is, because its signature covers the Host header. Uploads are those of the AWS
SDK in pyarrow: a multipart upload whose parts are `aws-chunked`, with a checksum in a trailer
(docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming-trailers.html).
"""

from __future__ import annotations

import hashlib
import http.client
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

import pyarrow as pa

from backstay.telemetry.archive.store import Store, open_store

LIES: Mapping[str, Callable[[bytes], bytes | None]] = {
    "lost": lambda content: None,
    "truncated": lambda content: content[:-100],
    "changed": lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
}
"""What is stored instead of an upload whose reply is a success."""
FORWARD_S = 30.0
_NOT_FORWARDED = frozenset(("transfer-encoding", "content-length", "expect", "connection"))
_NOT_RETURNED = frozenset(("transfer-encoding", "content-length", "connection", "date", "server"))
_FULL = b"<Error><Code>InsufficientStorage</Code><Message>no space left</Message></Error>"
_COMPLETED = "<CompleteMultipartUploadResult><ETag>{}</ETag></CompleteMultipartUploadResult>"


@dataclass
class Fault:
    """What is wrong with the store; nothing by default."""

    delay_s: float = 0.0
    """Of every reply."""
    is_full: bool = False
    """Parts are refused with 507."""
    breaks: bool = False
    """The connection ends within a part."""
    lie: str = ""
    """One of LIES."""
    met: int = 0
    """Number of requests that had the fault."""


class S3Proxy(ThreadingHTTPServer):
    """On a port of its own; `fault` may change between requests."""

    daemon_threads = True

    def __init__(self, setting: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._url = urlsplit(setting)
        options = dict(parse_qsl(self._url.query))
        self.real = options["endpoint_override"]
        bucket = open_store(setting)
        assert bucket is not None
        self.bucket = Store(bucket.filesystem, self._url.netloc, is_local=False)
        self.fault = Fault()
        self.parts: dict[str, dict[int, bytes]] = defaultdict(dict)
        """Parts of uploads about which the proxy lies."""

    def setting(self, prefix: str) -> str:
        """BACKSTAY_ARCHIVE of the store behind the proxy."""
        options = dict(parse_qsl(self._url.query)) | {"endpoint_override": f"127.0.0.1:{self.server_port}"}
        return f"s3://{self._url.netloc}/{prefix}?{urlencode(options)}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: S3Proxy

    def _answer(self) -> None:
        fault, query = self.server.fault, parse_qs(urlsplit(self.path).query)
        upload, is_part = query.get("uploadId", [""])[0], "partNumber" in query
        if is_part and fault.breaks:
            fault.met += 1
            self.rfile.read(100)
            self.close_connection = True
            return
        body = self._body()
        if fault.delay_s:
            fault.met += 1
            time.sleep(fault.delay_s)
        if is_part and fault.is_full:
            fault.met += 1
            self._reply(507, {}, _FULL)
        elif is_part and fault.lie:
            fault.met += 1
            self.server.parts[upload][int(query["partNumber"][0])] = decoded(body)
            self._reply(200, {"ETag": f'"{hashlib.md5(decoded(body)).hexdigest()}"'}, b"")
        elif self.command == "POST" and upload in self.server.parts:
            self._complete(self.server.parts.pop(upload))
        else:
            self._forward(body)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _answer  # noqa: N815 - names of the base class

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        content = bytearray()
        while size := int(self.rfile.readline().split(b";")[0], 16):
            content += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline() != b"\r\n":
            pass
        return bytes(content)

    def _complete(self, parts: dict[int, bytes]) -> None:
        altered = LIES[self.server.fault.lie](b"".join(parts[number] for number in sorted(parts)))
        if altered is not None:
            path = unquote(urlsplit(self.path).path).removeprefix(f"/{self.server.bucket.root}/")
            self.server.bucket.put(path, pa.py_buffer(altered))
        self._reply(200, {"Content-Type": "application/xml"}, _COMPLETED.format('"0"').encode())

    def _forward(self, body: bytes) -> None:
        with _connection(self.server.real) as real:
            real.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in _NOT_FORWARDED:
                    real.putheader(name, value)
            real.putheader("Content-Length", str(len(body)))
            real.endheaders(body)
            answer = real.getresponse()
            content = answer.read()
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in _NOT_RETURNED}
        length = answer.getheader("Content-Length") or str(len(content))
        self._reply(answer.status, headers, content, length)

    def _reply(
        self, status: int, headers: Mapping[str, str], content: bytes, length: str | None = None
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", length or str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *arguments: object) -> None:
        """Print nothing."""


@contextmanager
def _connection(address: str) -> Iterator[http.client.HTTPConnection]:
    connection = http.client.HTTPConnection(address, timeout=FORWARD_S)
    try:
        yield connection
    finally:
        connection.close()


def decoded(body: bytes) -> bytes:
    """The content of an `aws-chunked` body."""
    content, at = bytearray(), 0
    while True:
        head = re.compile(rb"([0-9a-fA-F]+)[^\r\n]*\r\n").match(body, at)
        assert head is not None
        size = int(head[1], 16)
        if not size:
            return bytes(content)
        content += body[head.end() : head.end() + size]
        at = head.end() + size + 2


@contextmanager
def s3_proxy(setting: str) -> Iterator[S3Proxy]:
    """A running proxy of the store that `setting` names, as BACKSTAY_ARCHIVE does."""
    with S3Proxy(setting) as proxy:
        thread = Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join(10)
