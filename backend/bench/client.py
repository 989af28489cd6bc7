"""Client of the real HTTP endpoint: a bounded number of connections, each response checked."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bench.site import AgentIdentity

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True)
class Parcel:
    """One request: its agent, and a function that builds its body when sent."""

    identity: AgentIdentity
    pack: Callable[[], bytes]
    reports: int


class Endpoint:
    """`connections` keep-alive connections to 127.0.0.1:port."""

    def __init__(self, port: int, connections: int) -> None:
        self._transports = [
            http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S) for _ in range(connections)
        ]

    def call(self, method: str, path: str, body: bytes = b"", authorization: str = "") -> tuple[int, bytes]:
        """One call on the first connection: status and body."""
        return self._on(self._transports[0], method, path, body, authorization)

    def send_all(self, parcels: Sequence[Parcel]) -> None:
        """Send all requests, each connection its share in order; raises RuntimeError if one is not stored
        completely."""
        with ThreadPoolExecutor(len(self._transports)) as pool:
            shares = [parcels[at :: len(self._transports)] for at in range(len(self._transports))]
            list(pool.map(self._send_share, self._transports, shares))

    def _send_share(self, transport: http.client.HTTPConnection, share: Sequence[Parcel]) -> None:
        for parcel in share:
            authorization = parcel.identity.authorization
            status, body = self._on(transport, "POST", "/api/agent/v1/reports", parcel.pack(), authorization)
            if status != 200 or json.loads(body)["stored"] != parcel.reports:
                raise RuntimeError(f"a batch was not stored: {status} {body[:300]!r}")

    @staticmethod
    def _on(
        transport: http.client.HTTPConnection, method: str, path: str, body: bytes, authorization: str
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Authorization": authorization}
        transport.request(method, path, body, headers)
        reply = transport.getresponse()
        return reply.status, reply.read()
