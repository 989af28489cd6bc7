"""Connections of channels: resolved once, checked, with one limit for everything that follows.

Each wait of a socket has a limit, but a peer that sends an octet a second meets them all. So a `Deadline`
ends the connection from outside when the time of the whole delivery is over.
"""

from __future__ import annotations

import http.client
import ipaddress
import smtplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from backstay.alerts.notify.destinations import DestinationPolicy
from backstay.alerts.notify.transport import DeliveryFailed
from backstay.core.alerting.message import one_line
from backstay.live.redis_sentinel import SentinelAddress

DELIVERY_S = 20.0
"""Limit of one delivery, from the resolution to the reply."""
CONNECT_S = 5.0
"""Limit of a name's resolution and of each attempt to connect."""
OWN_FRESH_S = 60.0
"""How long addresses of own servers are used before their names are resolved again."""
MAX_ADDRESSES = 4
"""Addresses of one name that are tried."""
WEB_PORTS = (80, 443, 8080)
"""Ports of the pages: behind a proxy, and of the web server itself."""
_PORTS = {"http": 80, "https": 443, "redis": 6379, "rediss": 6379}


class Deadline:
    """The time that one delivery may take."""

    def __init__(self, seconds: float = DELIVERY_S) -> None:
        self.seconds = seconds
        self._ends = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._ends

    def left(self, most: float = DELIVERY_S) -> float:
        """Seconds that are left, at most `most`; DeliveryFailed if none."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise self.failure()
        return min(left, most)

    def failure(self) -> DeliveryFailed:
        """What a delivery that took too long fails with."""
        return DeliveryFailed(f"No complete reply within {self.seconds:g} s")

    @contextmanager
    def enforced(self, connected: socket.socket) -> Iterator[None]:
        """Within, the connection ends at the deadline, whatever its peer sends."""
        # A duplicate, because the caller may wrap the socket in TLS or close it.
        twin = connected.dup()
        timer = threading.Timer(self.left(), _end, [twin])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            twin.close()


def _end(connected: socket.socket) -> None:
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


@contextmanager
def failures_of(deadline: Deadline, host: str) -> Iterator[None]:
    """Within, errors of the network become DeliveryFailed."""
    try:
        yield
    except DeliveryFailed:
        raise
    except (OSError, EOFError, ValueError, http.client.HTTPException, smtplib.SMTPException) as problem:
        if deadline.is_over or isinstance(problem, TimeoutError):
            raise deadline.failure() from None
        if isinstance(problem, ssl.SSLCertVerificationError):
            raise DeliveryFailed(
                f"The certificate of {host} is not valid: {problem.verify_message}", permanent=True
            ) from None
        text = getattr(problem, "strerror", None) or str(problem) or type(problem).__name__
        raise DeliveryFailed(one_line(f"{host}: {text}")) from None


def connect(
    host: str, port: int, deadline: Deadline, policy: DestinationPolicy | None = None
) -> socket.socket:
    """A connection to the first address of the host that answers; DeliveryFailed.

    The name is resolved once and the connection goes to an address that was checked: a name that resolves to
    another address a moment later (DNS rebinding) gains nothing. One refused address refuses the name.
    """
    rules = current_policy() if policy is None else policy
    if (host, port) in own_servers():
        raise DeliveryFailed(f"{host} port {port} is a server of Backstay itself", permanent=True)
    found = resolve(host, port, deadline)
    for item in found:
        why = rules.refusal(item[4][0], port)
        if why:
            raise DeliveryFailed(
                f"{host} port {port} {why}; BACKSTAY_NOTIFY_ALLOWED lists exceptions", permanent=True
            )
    problem: OSError | None = None
    for family, kind, protocol, _, address in found[:MAX_ADDRESSES]:
        made = socket.socket(family, kind, protocol)
        made.settimeout(deadline.left(CONNECT_S))
        try:
            made.connect(address)
        except OSError as failed:
            made.close()
            problem = failed
            continue
        made.settimeout(deadline.left())
        return made
    text = problem.strerror or str(problem) if problem is not None else "no address"
    raise DeliveryFailed(f"{host} port {port}: {text}")


Resolved = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[str, int]]


def resolve(host: str, port: int, deadline: Deadline) -> list[Resolved]:
    """The addresses of a host; DeliveryFailed. getaddrinfo(3) has no limit of its own, hence the thread."""
    found: list[Resolved] = []
    failed: list[OSError] = []

    def look_up() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))  # type: ignore[arg-type]
        except (OSError, UnicodeError) as problem:
            failed.append(problem if isinstance(problem, OSError) else OSError(str(problem)))

    thread = threading.Thread(target=look_up, name="resolve", daemon=True)
    thread.start()
    thread.join(deadline.left(CONNECT_S))
    if failed:
        raise DeliveryFailed(f"{host}: {failed[0].strerror or failed[0]}")
    if not found:
        raise DeliveryFailed(f"{host} was not resolved within {CONNECT_S:g} s")
    return found


def current_policy() -> DestinationPolicy:
    """The policy of the settings, with the addresses of this system's own servers."""
    own, deadline = own_servers(), Deadline(CONNECT_S)
    addresses = {host: _own_addresses(host, deadline) for host in dict.fromkeys(host for host, _ in own)}
    return DestinationPolicy(
        tuple(settings.NOTIFY_ALLOWED),
        settings.NOTIFY_REFUSE_PRIVATE,
        tuple((address, port) for host, port in own for address in addresses[host]),
    )


def own_servers() -> list[tuple[str, int]]:
    """Host and port of database, Redis, ingest and web, as the settings name them, and of what they add."""
    found = [server for database in settings.DATABASES.values() for server in _database_servers(database)]
    sentinels = SentinelAddress.parse(settings.REDIS_URL)
    found += sentinels.sentinels if sentinels is not None else [_url_server(settings.REDIS_URL)]
    found += [_url_server(url) for url in settings.INGEST_URLS]
    found += settings.NOTIFY_REFUSED
    for host in settings.ALLOWED_HOSTS:
        name = host.strip("[]")
        if name and name[0] not in "*.":
            found += [(name, port) for port in WEB_PORTS]
    return [(host, port) for host, port in found if host]


def _database_servers(database: Mapping[str, Any]) -> list[tuple[str, int]]:
    hosts = str(database["HOST"] or "").split(",")
    ports = str(database["PORT"] or "5432").split(",")
    return [
        (host, int(ports[place] if place < len(ports) else ports[-1]))
        for place, host in enumerate(hosts)
        if host and not host.startswith("/")
    ]


def _url_server(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)


_resolved: dict[str, tuple[float, tuple[str, ...]]] = {}
"""Own server -> time until which its addresses are fresh, and the addresses."""


def _own_addresses(host: str, deadline: Deadline) -> tuple[str, ...]:
    """The addresses of an own server, resolved once a minute; if its name server fails, those of before."""
    try:
        return (str(ipaddress.ip_address(host)),)
    except ValueError:
        pass
    fresh_until, known = _resolved.get(host, (0.0, ()))
    if time.monotonic() < fresh_until:
        return known
    try:
        found = tuple(item[4][0].partition("%")[0] for item in resolve(host, 0, deadline))
    except DeliveryFailed:
        return known
    _resolved[host] = (time.monotonic() + OWN_FRESH_S, found)
    return found
