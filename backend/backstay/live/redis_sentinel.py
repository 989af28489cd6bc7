"""The address of Redis: one server, or Sentinels that name the current one.

redis://:PASSWORD@HOST:PORT/DB      one server; rediss:// with TLS, unix://PATH
sentinel://:PASSWORD@HOST:PORT,HOST:PORT,HOST:PORT/SERVICE/DB
                                    Sentinels (port 26379), the name of the master in sentinel.conf, and
                                    the database (0); the password is both the servers' and the Sentinels'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

SCHEME = "sentinel://"
DEFAULT_PORT = 26379
EXPECTED = "expected sentinel://HOST:PORT,HOST:PORT/SERVICE"
VISIBILITY_S = 60
"""A task whose worker is gone is given to another after this time."""
BROKER_S, BROKER_CONNECT_S = 10.0, 2.0
"""Limits of a call of the broker's; a worker's longest wait for a task is one second."""


@dataclass(frozen=True, slots=True)
class SentinelAddress:
    """The Sentinels of one Redis."""

    sentinels: tuple[tuple[str, int], ...]
    service: str
    database: int
    password: str

    @classmethod
    def parse(cls, url: str) -> SentinelAddress | None:
        """None: one server. Raises ValueError."""
        if not url.startswith(SCHEME):
            return None
        before, separator, hosts = url.removeprefix(SCHEME).rpartition("@")
        hosts, _, path = hosts.partition("/")
        service, _, database = path.partition("/")
        if (
            not service
            or (database and not database.isdecimal())
            or (separator and not before.startswith(":"))
        ):
            raise ValueError(EXPECTED)
        sentinels = tuple(_host_and_port(text) for text in hosts.split(","))
        return cls(sentinels, service, int(database or 0), unquote(before.removeprefix(":")))


def _host_and_port(text: str) -> tuple[str, int]:
    host, separator, port = text.strip().rpartition(":")
    if not separator or text.endswith("]"):
        host, port = text.strip(), str(DEFAULT_PORT)
    if not host or not port.isdecimal():
        raise ValueError(EXPECTED)
    return host.strip("[]"), int(port)


def with_password(url: str, password: str) -> str:
    """The URL with a password that came as a secret of its own."""
    scheme, separator, rest = url.partition("://")
    if not password or scheme not in {"redis", "rediss", "sentinel"} or "@" in rest:
        return url
    return f"{scheme}{separator}:{quote(password, safe='')}@{rest}"


def broker_url(url: str) -> str:
    """As Celery's transport writes it: another scheme for a socket, and a URL for each Sentinel."""
    address = SentinelAddress.parse(url)
    if address is None:
        return url.replace("unix://", "redis+socket://", 1)
    secret = f":{quote(address.password, safe='')}@" if address.password else ""
    urls = (
        f"sentinel://{secret}{f'[{host}]' if ':' in host else host}:{port}/{address.database}"
        for host, port in address.sentinels
    )
    return ";".join(urls)


def broker_options(url: str) -> dict[str, Any]:
    """Options of Celery's transport."""
    options: dict[str, Any] = {"visibility_timeout": VISIBILITY_S}
    address = SentinelAddress.parse(url)
    if address is None:
        return options
    limits = {"socket_timeout": BROKER_CONNECT_S, "socket_connect_timeout": BROKER_CONNECT_S}
    return options | {
        "master_name": address.service,
        "sentinel_kwargs": limits | ({"password": address.password} if address.password else {}),
        "socket_timeout": BROKER_S,
        "socket_connect_timeout": BROKER_CONNECT_S,
        "socket_keepalive": True,
    }
