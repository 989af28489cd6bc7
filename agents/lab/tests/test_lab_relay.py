"""The relay between lab and backend: unchanged bytes, back-pressure, half-close, backend outages."""

from __future__ import annotations

import asyncio
import http.server
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from backstay_lab.network.relay import Relay

LOOPBACK = "127.0.0.1"
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
BLOCK = bytes(range(256)) * 256


async def port_of(server: asyncio.Server) -> int:
    return int(server.sockets[0].getsockname()[1])


async def relayed(handler: Handler) -> tuple[asyncio.Server, asyncio.Server, int]:
    """A backend, its relay, and the relay's port."""
    backend = await asyncio.start_server(handler, LOOPBACK, 0)
    relay = await asyncio.start_server(Relay((LOOPBACK, await port_of(backend))).serve, LOOPBACK, 0)
    return backend, relay, await port_of(relay)


async def answer_reversed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Responds only after the end of input, which requires the half-close to be forwarded."""
    writer.write((await reader.read())[::-1])
    await writer.drain()
    writer.close()


async def ask(port: int, question: bytes) -> bytes:
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(question)
    writer.write_eof()
    try:
        return await asyncio.wait_for(reader.read(), 10)
    finally:
        writer.close()


def test_bytes_and_half_closes_pass_both_ways() -> None:
    async def body() -> None:
        _, _, port = await relayed(answer_reversed)
        answers = await asyncio.gather(*(ask(port, BLOCK * size) for size in range(1, 20)))
        assert answers == [(BLOCK * size)[::-1] for size in range(1, 20)]

    asyncio.run(body())


def test_unreachable_backend_causes_a_reset_until_it_returns() -> None:
    async def body() -> None:
        backend, _, port = await relayed(answer_reversed)
        where = await port_of(backend)
        assert await ask(port, b"abc") == b"cba"
        backend.close()
        await backend.wait_closed()
        with pytest.raises(ConnectionResetError):
            await ask(port, b"abc")
        again = await asyncio.start_server(answer_reversed, LOOPBACK, where)
        assert await ask(port, b"abc") == b"cba"
        again.close()

    asyncio.run(body())


def test_broken_backend_connection_resets_the_client() -> None:
    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.transport.abort()

    async def body() -> None:
        _, _, port = await relayed(break_off)
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.write(bytes(1_000_000))
        with pytest.raises(ConnectionResetError):
            await asyncio.wait_for(reader.read(), 10)
        writer.close()

    asyncio.run(body())


def test_backend_that_does_not_read_blocks_the_sender() -> None:
    async def body() -> None:
        over = asyncio.Event()

        async def never_read(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await over.wait()
            writer.close()

        _, _, port = await relayed(never_read)
        _, writer = await asyncio.open_connection(LOOPBACK, port)
        sent = 0
        while sent < 256 * 1024 * 1024:
            writer.write(bytes(1024 * 1024))
            try:
                await asyncio.wait_for(writer.drain(), 1)
            except TimeoutError:
                break
            sent += 1024 * 1024
        # Kernel buffers take some data; an unbounded relay would take all.
        assert sent < 64 * 1024 * 1024
        writer.transport.abort()
        over.set()
        await asyncio.sleep(0.1)

    asyncio.run(body())


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: Any) -> None:
        return


def fetch(lab: Any, node: str) -> Any:
    code = "import urllib.request as u; print(u.urlopen('http://10.255.0.1:8000/hello', timeout=5).read())"
    return lab.try_inside(node, lab.prefix[0], "-c", code)


@pytest.mark.netns
def test_every_node_reaches_the_external_backend_across_its_restarts(
    argonne_lab: Any, tmp_path: Path
) -> None:
    (tmp_path / "hello").write_text("from outside")
    port = argonne_lab.status()["backend_port"]
    for _ in range(2):
        # On a busy machine the relay starts to listen a moment after the lab is up: until then, refused.
        deadline = time.monotonic() + 30
        while "refused" in (failed := fetch(argonne_lab, "sp01")).stderr and time.monotonic() < deadline:
            time.sleep(0.1)
        assert failed.returncode != 0
        assert "reset" in failed.stderr
        server = http.server.ThreadingHTTPServer((LOOPBACK, port), partial(Quiet, directory=str(tmp_path)))
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            for node in ("sp01", "mgmt1", "origin1"):
                assert "from outside" in fetch(argonne_lab, node).stdout
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
