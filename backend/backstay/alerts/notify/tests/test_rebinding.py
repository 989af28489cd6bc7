"""DNS rebinding: a name that resolves to a public address once and to a forbidden one afterwards."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_django import Settings

from backstay.alerts.notify.tests.sinks import MESSAGE
from backstay.alerts.notify.transports import TRANSPORTS, DeliveryFailed

PUBLIC, OWN = "93.184.215.14", "198.51.100.7"
NAME, PORT = "rebind.example", 8443
SECOND = ("127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1", OWN)
CONFIGS: dict[str, dict[str, Any]] = {
    "webhook": {"url": f"http://{NAME}:{PORT}/hook"},
    "alertmanager": {"url": f"http://{NAME}:{PORT}"},
    "mail": {
        "host": NAME,
        "port": PORT,
        "security": "none",
        "sender": "backstay@example.org",
        "recipients": ["noc@example.org"],
    },
}


@dataclass
class Network:
    """A resolver that answers each address once, the last one for ever; connections are noted and refused."""

    answers: list[str]
    resolved: int = 0
    connected: list[str] = field(default_factory=list)

    def resolve(self, host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        assert host == NAME, "nothing else is resolved"
        address = self.answers[min(self.resolved, len(self.answers) - 1)]
        self.resolved += 1
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [(family, socket.SOCK_STREAM, 6, "", (address, port))]

    def connect(self, address: tuple[str, int]) -> None:
        self.connected.append(address[0])
        raise ConnectionRefusedError(111, "Connection refused")


@pytest.fixture
def rebinding(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Any:
    """(answers) -> the network that gives them. The database is at `OWN`, at the port of the channel."""
    settings.NOTIFY_ALLOWED, settings.NOTIFY_REFUSED, settings.INGEST_URLS = [], [], []
    settings.ALLOWED_HOSTS, settings.REDIS_URL = [], "redis://198.51.100.8:6379/0"
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", OWN)
    monkeypatch.setitem(settings.DATABASES["default"], "PORT", str(PORT))

    def install(*answers: str) -> Network:
        network = Network(list(answers))

        class Socket(socket.socket):
            def connect(self, address: Any) -> None:
                network.connect(address)

        monkeypatch.setattr(socket, "getaddrinfo", network.resolve)
        monkeypatch.setattr(socket, "socket", Socket)
        return network

    return install


def attempt(kind: str) -> DeliveryFailed:
    transport = TRANSPORTS[kind]
    with pytest.raises(DeliveryFailed) as caught:
        transport.send(transport.config.model_validate(CONFIGS[kind]), MESSAGE, None)
    return caught.value


@pytest.mark.parametrize("kind", list(CONFIGS))
@pytest.mark.parametrize("second", SECOND)
def test_the_connection_goes_to_the_address_that_was_checked(rebinding: Any, kind: str, second: str) -> None:
    network = rebinding(PUBLIC, second)
    problem = attempt(kind)
    assert (network.connected, network.resolved) == ([PUBLIC], 1)
    assert not problem.permanent, "the checked address refused the connection: another attempt may succeed"
    again = attempt(kind)
    assert again.permanent, "the next attempt resolves anew and is checked anew"
    assert NAME in again.reason
    assert network.connected == [PUBLIC]


@pytest.mark.parametrize("kind", list(CONFIGS))
@pytest.mark.parametrize("first", SECOND)
def test_a_forbidden_address_is_refused_without_a_connection(rebinding: Any, kind: str, first: str) -> None:
    network = rebinding(first, PUBLIC)
    assert attempt(kind).permanent
    assert network.connected == []
