"""A small backend with the real agent protocol: it validates with the wire's models, checks signatures,
stores each report once, and fails on request like a backend.

Used by benchmarks and tests; it keeps everything in memory.
"""

import base64
import gzip
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from uuid import UUID, uuid4

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import BaseModel, ValidationError

from backstay_wire import (
    CREDENTIAL_PROOF_PREFIX,
    BatchReply,
    Credential,
    Desired,
    Enrol,
    Enrolled,
    Reached,
    Rejection,
    RejectionCode,
    Renew,
    Report,
    ReportBatch,
)

Key = tuple[UUID, int]


@dataclass
class Faults:
    """The backend's current faults."""

    status: int | None = None
    """Answer reports with this status and store nothing."""
    retry_after: str = ""
    lose_acks: int = 0
    """Store so many batches, but close the connection instead of answering."""
    most_octets: int | None = None
    """413 for larger bodies."""
    seconds_a_report: float = 0.0
    """How long it takes over each report before it answers."""


@dataclass
class Stored:
    """A report and its arrival time (wall-clock ns)."""

    report: Report
    arrived_ns: int


@dataclass
class Sink:
    """The backend's memory. `desired` is sent to every agent."""

    desired: Desired
    token: str = "sink-token-0123456789"
    credential_life_s: float = 3600.0
    holds: bool = False
    """Hold a request that prefers to wait until the generation changes, as the ingest does."""
    faults: Faults = field(default_factory=Faults)
    stored: dict[Key, Stored] = field(default_factory=dict)
    duplicates: int = 0
    requests: Counter[str] = field(default_factory=Counter)
    foreign_devices: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    arrived: threading.Condition = field(init=False)
    _agent: str = field(default_factory=lambda: str(uuid4()))
    _key: Ed25519PublicKey | None = None
    _credentials: dict[str, float] = field(default_factory=dict)
    _nonces: set[str] = field(default_factory=set)
    _server: ThreadingHTTPServer | None = None
    _thread: threading.Thread | None = None
    port: int = 0
    host: str = "127.0.0.1"
    """Address to listen on."""

    def __post_init__(self) -> None:
        self.arrived = threading.Condition(self.lock)

    @property
    def url(self) -> str:
        """Base URL."""
        return f"http://{self.host}:{self.port}"

    def start(self) -> Self:
        """Listen on `port` (0: any free one, kept across restarts)."""
        handler = type("Handler", (_Handler,), {"backend": self})
        self._server = ThreadingHTTPServer((self.host, self.port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop listening and close every connection; stored reports are kept."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            self._server = None

    def reports(self, kind: str | None = None) -> list[Report]:
        """Stored reports in order of arrival."""
        with self.lock:
            return [s.report for s in self.stored.values() if kind is None or s.report.kind == kind]

    def revoke_credentials(self) -> None:
        """Revoke every credential."""
        with self.lock:
            self._credentials.clear()

    def enrol(self, request: Enrol) -> BaseModel | int:
        """Enrol an agent; each token is valid once."""
        with self.lock:
            if request.token != self.token or self._key is not None:
                return 401
            self._key = Ed25519PublicKey.from_public_bytes(base64.b64decode(request.public_key))
            desired = self.desired
            return Enrolled(
                agent=self._agent, site=desired.site, node=desired.node, credential=self._new_credential()
            )

    def renew(self, request: Renew) -> BaseModel | int:
        """A new credential for a good signature, a fresh nonce and a time near ours."""
        with self.lock:
            text = f"{CREDENTIAL_PROOF_PREFIX}\n{request.agent}\n{request.at}\n{request.nonce}"
            stale = abs(request.at - time.time()) > 300 or request.nonce in self._nonces
            if self._key is None or request.agent != self._agent or stale:
                return 401
            try:
                self._key.verify(base64.b64decode(request.signature), text.encode())
            except InvalidSignature:
                return 401
            self._nonces.add(request.nonce)
            return self._new_credential()

    def authorised(self, header: str) -> bool:
        """Whether the bearer credential is ours and valid."""
        with self.lock:
            return self._credentials.get(header.removeprefix("Bearer "), 0.0) > time.time()

    def reached(self) -> Reached:
        """Confirm to the agent that it reached the backend."""
        return Reached(agent=self._agent)

    def ingest(self, batch: ReportBatch) -> BatchReply:
        """Store new reports; invalid ones are listed."""
        now = time.time_ns()
        rejected: list[Rejection] = []
        with self.lock:
            for index, report in enumerate(batch.reports):
                key = (report.boot, report.seq)
                if key in self.stored:
                    self.duplicates += 1
                    rejected.append(_reject(index, RejectionCode.DUPLICATE))
                elif report.device in self.foreign_devices:
                    rejected.append(_reject(index, RejectionCode.FOREIGN))
                else:
                    self.stored[key] = Stored(report, now)
            self.arrived.notify_all()
            stored = len(batch.reports) - len(rejected)
            return BatchReply(
                stored=stored, rejected=rejected, generation=self.desired.generation, received=now
            )

    def _new_credential(self) -> Credential:
        name = uuid4().hex
        self._credentials[name] = time.time() + self.credential_life_s
        expires = datetime.now(UTC) + timedelta(seconds=self.credential_life_s)
        return Credential(credential=name, expires_at=expires)


def _reject(index: int, code: RejectionCode) -> Rejection:
    return Rejection(index=index, code=code, reason=str(code))


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    backend: Sink
    timeout = 60

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Log nothing; requests are counted instead."""

    def do_GET(self) -> None:
        """`GET desired | reach`."""
        name = self.path.rpartition("/")[2]
        self.backend.requests[name] += 1
        if not self._allowed():
            self._answer(401)
        elif name == "reach":
            self._answer(200, self.backend.reached())
        else:
            held = self._hold()
            if self._is_known():
                self.backend.requests["unchanged"] += 1
                self._answer(304, held=held)
            else:
                self._answer(200, self.backend.desired, held=held)

    def _is_known(self) -> bool:
        return self.headers.get("If-None-Match") == f'"{self.backend.desired.generation}"'

    def _hold(self) -> bool:
        """Whether the request was held."""
        preferred = self.headers.get("Prefer", "")
        if not self.backend.holds or not preferred.startswith("wait=") or not self._is_known():
            return False
        end = time.monotonic() + int(preferred.removeprefix("wait="))
        while time.monotonic() < end and self._is_known():
            time.sleep(0.02)
        return True

    def do_POST(self) -> None:
        """`POST enrol | credential | reports`."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        name = self.path.rpartition("/")[2]
        self.backend.requests[name] += 1
        try:
            if name == "enrol":
                self._answer_result(self.backend.enrol(Enrol.model_validate_json(body)))
            elif name == "credential":
                self._answer_result(self.backend.renew(Renew.model_validate_json(body)))
            else:
                self._reports(body)
        except ValidationError as error:
            self._answer(400, text=str(error))

    def _reports(self, body: bytes) -> None:
        faults = self.backend.faults
        if not self._allowed():
            self._answer(401)
        elif faults.status is not None:
            self._answer(faults.status, text="failure on request")
        elif faults.most_octets is not None and len(body) > faults.most_octets:
            self._answer(413)
        else:
            batch = ReportBatch.model_validate_json(gzip.decompress(body))
            reply = self.backend.ingest(batch)
            time.sleep(faults.seconds_a_report * len(batch.reports))
            if faults.lose_acks:
                faults.lose_acks -= 1
                self.close_connection = True
                return
            self._answer(422 if reply.rejected else 200, reply)

    def _allowed(self) -> bool:
        return self.backend.authorised(self.headers.get("Authorization", ""))

    def _answer_result(self, result: BaseModel | int) -> None:
        if isinstance(result, int):
            self._answer(result)
        else:
            self._answer(200, result)

    def _answer(
        self, status: int, message: BaseModel | None = None, text: str = "", *, held: bool = False
    ) -> None:
        body = message.model_dump_json().encode() if message is not None else json.dumps(text).encode()
        self.send_response(status)
        if held:
            self.send_header("Preference-Applied", "wait")
        if status == 304:
            body = b""
        else:
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
        if status >= 400 and self.backend.faults.retry_after:
            self.send_header("Retry-After", self.backend.faults.retry_after)
        self.end_headers()
        self.wfile.write(body)
