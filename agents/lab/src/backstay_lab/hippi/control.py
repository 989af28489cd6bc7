"""The fabric's control socket and its client: one JSON request per line, one JSON answer.

`{"verb": "show"}` returns every counter and setting (`snapshot`). The other verbs change a setting and return
`{}`; a failed request returns `{"error": sentence}`. Only the user that runs the lab can open the socket.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from backstay_lab.errors import LabError
from backstay_lab.hippi.fabric import HippiFabric
from backstay_lab.hippi.packet import NS
from backstay_lab.hippi.snapshot import snapshot

TIMEOUT_S = 3.0
MAX_REQUEST = 4096


class Desk:
    """The requests that a running fabric serves."""

    def __init__(self, fabric: HippiFabric, carrier: Callable[[str, bool], None]) -> None:
        self._fabric, self._carrier = fabric, carrier
        self._verbs: dict[str, Callable[[dict[str, Any], int], dict[str, Any]]] = {
            "show": lambda _request, now: snapshot(self._fabric, now),
            "hold": self._hold,
            "block": self._block,
            "stripes": self._stripes,
            "port": self._port,
            "blackhole": self._blackhole,
            "clock": self._clock,
        }

    def handle(self, request: dict[str, Any], now: int) -> dict[str, Any]:
        """Execute the request; the answer is the result or the reason of a refusal."""
        try:
            return self._verbs[request["verb"]](request, now)
        except (KeyError, TypeError, ValueError) as error:
            return {"error": f"{type(error).__name__}: {error}"}

    def _hold(self, request: dict[str, Any], now: int) -> dict[str, Any]:
        self._fabric.gateways[request["gateway"]].hold(request["ticks"], now)
        return {}

    def _block(self, request: dict[str, Any], now: int) -> dict[str, Any]:
        factor_ns = round(request["factor_ms"] * NS / 1000)
        self._fabric.blockers[request["host"]].block(factor_ns, request["duty"], now)
        return {}

    def _stripes(self, request: dict[str, Any], _now: int) -> dict[str, Any]:
        gateway = self._fabric.gateways[request["gateway"]]
        if not 0 <= request["stripes"] <= gateway.config.stripes:
            raise ValueError(f"{request['gateway']} has {gateway.config.stripes} stripes")
        gateway.signal(request["stripes"])
        return {}

    def _port(self, request: dict[str, Any], now: int) -> dict[str, Any]:
        """Switch a port on or off; with `carrier`, the attached host's carrier follows."""
        port, enabled = request["port"], request["enabled"]
        if not 0 <= port < self._fabric.switches[request["switch"]].size:
            raise ValueError(f"{request['switch']} has no port {port}")
        self._fabric.switches[request["switch"]].enable(port, enabled, now)
        name = self._fabric.attached(request["switch"]).get(port)
        if name is not None and request.get("carrier", True):
            self._carrier(name, enabled)
        return {}

    def _blackhole(self, request: dict[str, Any], _now: int) -> dict[str, Any]:
        self._fabric.gateways[request["gateway"]].blackhole = bool(request["on"])
        return {}

    def _clock(self, request: dict[str, Any], _now: int) -> dict[str, Any]:
        if request["switch"] not in self._fabric.clock_offsets:
            raise KeyError(request["switch"])
        self._fabric.clock_offsets[request["switch"]] = float(request["offset_s"])
        return {}


class ControlSocket:
    """The listening socket and its clients, for a loop of select(2)."""

    def __init__(self, path: Path, desk: Desk) -> None:
        self._path, self._desk = path, desk
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._clients: dict[socket.socket, bytes] = {}

    def __enter__(self) -> ControlSocket:
        self._path.unlink(missing_ok=True)
        before = os.umask(0o077)
        try:
            self._listener.bind(str(self._path))
        finally:
            os.umask(before)
        self._listener.listen(16)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in (*self._clients, self._listener):
            client.close()
        self._path.unlink(missing_ok=True)

    def waiting(self) -> list[socket.socket]:
        """The sockets to wait for."""
        return [self._listener, *self._clients]

    def answer(self, ready: socket.socket, now: int) -> None:
        """Accept a client, or answer its request. A misbehaving client is dropped."""
        if ready is self._listener:
            client, _ = ready.accept()
            client.settimeout(0.2)
            self._clients[client] = b""
            return
        try:
            received = ready.recv(MAX_REQUEST)
            *lines, rest = (self._clients[ready] + received).split(b"\n")
            for line in lines:
                ready.sendall(json.dumps(self._reply(line, now)).encode() + b"\n")
            self._clients[ready] = rest
            gone = not received or len(rest) > MAX_REQUEST
        except OSError:
            gone = True
        if gone:
            del self._clients[ready]
            ready.close()

    def _reply(self, line: bytes, now: int) -> dict[str, Any]:
        try:
            request = json.loads(line)
        except ValueError as error:
            return {"error": f"not JSON: {error}"}
        if not isinstance(request, dict):
            return {"error": "not a JSON object"}
        return self._desk.handle(request, now)


def ask(path: Path, **request: Any) -> dict[str, Any]:
    """Send a request to a running fabric; LabError when it does not answer or refuses."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as client:
        client.settimeout(TIMEOUT_S)
        try:
            client.connect(str(path))
            client.sendall(json.dumps(request).encode() + b"\n")
            with client.makefile("rb") as stream:
                answer: dict[str, Any] = json.loads(
                    stream.readline() or b'{"error": "it closed the connection"}'
                )
        except OSError as error:
            raise LabError(
                f"The HIPPI fabric does not answer: {error}.", "See `status` and its log."
            ) from error
    if "error" in answer:
        raise LabError(f"The HIPPI fabric cannot {request['verb']}: {answer['error']}.", "Correct it.")
    return answer
