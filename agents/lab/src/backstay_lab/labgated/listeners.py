"""The sockets of labgated: one for RIP, one for router discovery.

A socket is open while its protocol is enabled. It joins the multicast groups on the ports in use and
requests the neighbours' routes once, as a newly started router does.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import struct
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address
from typing import Protocol

from backstay_gatedconf.rip import RipPorts
from backstay_lab.labgated import discovery, rip
from backstay_lab.labgated.config import Config, rip_password
from backstay_lab.labgated.values import GatedPort

_log = logging.getLogger("labgated")
_MREQN = struct.Struct("=4s4si")
_PKTINFO = struct.Struct("=i4s4s")
_SOL_RAW, _ICMP_FILTER = 255, 1
_IP_PKTINFO = 8
"""Linux's value; Python 3.11 has no constant for it."""
_BUFFER = 2048
_MANY = 64
"""Maximum messages per read."""


class Listener(Protocol):
    """One protocol's socket."""

    socket: socket.socket | None

    def settle(self, config: Config, ports: Sequence[GatedPort]) -> None:
        """Open or close the socket, and join the groups on new ports."""

    def receive(self, config: Config, ports: Sequence[GatedPort], now: float) -> None:
        """Read pending messages. Never raises for invalid ones."""


class RipListener:
    """UDP port 520 (RFC 2453)."""

    def __init__(self, table: rip.RipTable) -> None:
        self.table = table
        self.socket: socket.socket | None = None
        self._joined: set[int] = set()

    def settle(self, config: Config, ports: Sequence[GatedPort]) -> None:
        """See Listener."""
        if not config.rip.on:
            self._close()
            return
        if self.socket is None:
            self.socket = _open(socket.SOCK_DGRAM, 0, rip.PORT)
        if self.socket is not None:
            listening = [port for port in _usable(ports) if _rip_rule(config, port).receives is not False]
            _join(self.socket, self._joined, listening, rip.GROUP)
            if config.send:
                new = [port for port in listening if port.index not in self._joined]
                _ask(self.socket, new, rip.REQUEST, (rip.GROUP, rip.PORT))
            self._joined = {port.index for port in listening}

    def _close(self) -> None:
        self._joined.clear()
        self.table.clear()
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def receive(self, config: Config, ports: Sequence[GatedPort], now: float) -> None:
        """See Listener."""
        for message, index, (source, sent_from) in _messages(self.socket):
            port = next((port for port in ports if port.index == index), None)
            neighbour = IPv4Address(source)
            if port is None or sent_from != rip.PORT or port.attached(neighbour) is None:
                continue  # RFC 2453, 3.9.2: from port 520 of a neighbour; our own messages arrive too
            rule = _rip_rule(config, port)
            if rule.receives is False or (config.rip.trusted and neighbour not in config.rip.trusted):
                continue
            try:
                version = int(rule.version[:1] or 0)
                check_zero = "nocheckzero" not in config.rip.flags
                entries = rip.response(message, rip_password(rule), version, check_zero)
            except rip.BadMessageError as error:
                _log.info("RIP: %s on %s: %s", neighbour, port.name, error)
                continue
            cost = 1 if rule.metric_in is None else rule.metric_in
            for entry in entries:
                self.table.receive(entry, neighbour, port.name, cost, now)


def _rip_rule(config: Config, port: GatedPort) -> RipPorts:
    found = (rule for rule in config.rip.ports if port.meant_by(rule.names))
    return next(found, RipPorts(("all",)))


class DiscoveryListener:
    """ICMP router advertisements (RFC 1256)."""

    def __init__(self, routers: discovery.Routers) -> None:
        self.routers = routers
        self.socket: socket.socket | None = None
        self._asked: set[int] = set()

    def settle(self, config: Config, ports: Sequence[GatedPort]) -> None:
        """See Listener."""
        if not config.discovery.on:
            self._asked.clear()
            self.routers.clear()
            if self.socket is not None:
                self.socket.close()
                self.socket = None
            return
        if self.socket is None:
            self.socket = _open(socket.SOCK_RAW, socket.IPPROTO_ICMP, 0)
        if self.socket is not None:
            wanted = ~(1 << discovery.ADVERTISEMENT) & 0xFFFFFFFF
            self.socket.setsockopt(_SOL_RAW, _ICMP_FILTER, struct.pack("=I", wanted))
            listening = [port for port in _usable(ports) if _discovers(config, port)[0]]
            new = [
                port for port in listening if port.index not in self._asked and _discovers(config, port)[1]
            ]
            if config.send:
                _ask(self.socket, new, discovery.solicitation(), (discovery.GROUP_OF_ROUTERS, 0))
            self._asked = {port.index for port in listening}

    def receive(self, config: Config, ports: Sequence[GatedPort], now: float) -> None:
        """See Listener."""
        for packet, index, (source, _) in _messages(self.socket):
            port = next((port for port in ports if port.index == index), None)
            if port is None or not _discovers(config, port)[0] or port.attached(IPv4Address(source)) is None:
                continue
            try:
                lifetime, routers = discovery.advertisement(packet[(packet[0] & 0xF) * 4 :])
            except discovery.BadAdvertisementError as error:
                _log.info("router discovery: %s on %s: %s", source, port.name, error)
                continue
            for router, level in routers:
                if port.attached(router) is not None:
                    self.routers.receive(router, level, lifetime, now)


def _discovers(config: Config, port: GatedPort) -> tuple[bool, bool]:
    """Whether the client listens on a port, and whether it solicits routers there."""
    for item in config.discovery_ports:
        if port.meant_by(item.names):
            return "disable" not in item.flags, "quiet" not in item.flags
    return True, True


def _usable(ports: Iterable[GatedPort]) -> list[GatedPort]:
    return [port for port in ports if port.up and port.addresses and port.name != "lo"]


def _open(kind: int, protocol: int, port: int) -> socket.socket | None:
    found = socket.socket(socket.AF_INET, kind | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC, protocol)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.setsockopt(socket.IPPROTO_IP, _IP_PKTINFO, 1)
        found.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 1)
        found.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
        if port:
            found.bind(("", port))
    except OSError as error:
        _log.warning("cannot listen on port %d: %s", port, error.strerror)
        found.close()
        return None
    return found


def _join(endpoint: socket.socket, joined: set[int], ports: Iterable[GatedPort], group: str) -> None:
    for port in ports:
        if port.index not in joined:
            request = _MREQN.pack(socket.inet_aton(group), bytes(4), port.index)
            with contextlib.suppress(OSError):  # a port that came back is still a group member
                endpoint.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, request)


def _ask(
    endpoint: socket.socket, ports: Iterable[GatedPort], message: bytes, target: tuple[str, int]
) -> None:
    """Send one request per port; if it is lost, the next announcement follows anyway."""
    for port in ports:
        request = _MREQN.pack(bytes(4), port.addresses[0].ip.packed, port.index)
        try:
            endpoint.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, request)
            endpoint.sendto(message, target)
        except OSError as error:
            _log.info("cannot send a request on %s: %s", port.name, error.strerror)


def _messages(endpoint: socket.socket | None) -> Iterable[tuple[bytes, int, tuple[str, int]]]:
    """(message, index of the receiving port, source)."""
    for _ in range(_MANY if endpoint is not None else 0):
        assert endpoint is not None
        try:
            message, extra, _, source = endpoint.recvmsg(_BUFFER, socket.CMSG_SPACE(_PKTINFO.size))
        except BlockingIOError:
            return
        except OSError as error:
            _log.info("cannot read: %s", error.strerror)
            return
        for level, kind, content in extra:
            if (level, kind) == (socket.IPPROTO_IP, _IP_PKTINFO):
                yield message, _PKTINFO.unpack_from(content)[0], source
