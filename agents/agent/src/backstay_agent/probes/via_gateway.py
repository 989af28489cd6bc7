"""Probe streams: to a gateway itself, and via a gateway to an end-to-end target, shared between policies.

Several policies with the same gateway, target and interval share one stream. A probe via a gateway is a frame
to its link address (host/via_gateway.py), which the kernel learns from the gateway's own stream: a plain
echo, so ARP or neighbour discovery runs as for any traffic. The address is looked up every few seconds, and
at once after lost probes, so that a replaced gateway is found.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_interface
from typing import Protocol

from backstay_agent.host.clock import Clock
from backstay_agent.host.icmp import Address, EchoSocket, Reply
from backstay_agent.host.via_gateway import Neighbours, NextHopPath, ViaGatewaySocket, drops_detours
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes.echo import EchoProber, Listener
from backstay_wire import Hop

_LOOK_NS = 5_000_000_000
_LOOK_AGAIN_NS = 1_000_000_000
_LOST = 3
"""Probes without an answer: two have certainly timed out, and the gateway may have been replaced."""
_POLL_S = 0.005


class HostPorts(Protocol):
    """This host's ports, from the live view of the kernel."""

    links: dict[int, KernelLink]
    addresses: dict[int, list[str]]


class Frames(Protocol):
    """A socket for frames (host/via_gateway.py); tests inject their own network."""

    def send(self, next_hop: NextHopPath, target: str, slot: int, number: int, wall_ns: int) -> bool:
        """Send a request."""

    def loop(self, next_hop: NextHopPath, slot: int, number: int, wall_ns: int) -> bool:
        """Send a probe that the gateway returns to us."""

    def replies(self) -> list[Reply]:
        """All waiting replies."""

    def close(self) -> None:
        """Close the socket."""


class LinkAddresses(Protocol):
    """The kernel's neighbour table (host/via_gateway.py)."""

    def link_address(self, address: Address, index: int) -> bytes | None:
        """Of a neighbour; None while it is unknown."""

    def close(self) -> None:
        """Close the socket."""


OpenFrames = Callable[[int, bool], Frames]
"""(IP version, whether the kernel drops replies on a detour) -> socket; raises PermissionError."""


def open_frames(version: int, strict: bool) -> ViaGatewaySocket:
    """The real implementation."""
    return ViaGatewaySocket(version, strict=strict)


@dataclass(frozen=True, slots=True)
class ProbeStream:
    """The path of a probe stream."""

    gateway: Address
    port: str
    target: Address | None
    """None: to the gateway itself."""
    interval_ms: int
    loop: bool = False
    """Returned to us by the gateway, without a target."""


@dataclass
class _ActiveStream:
    """Passes each probe and answer to all listeners; sends through the gateway if there is a target."""

    track: ProbeStream
    streams: "ProbeStreams"
    listeners: list[Listener] = field(default_factory=list)
    slot: int = 0
    _next_hop: NextHopPath | None = None
    _look_ns: int = 0
    _unanswered: int = 0

    def sent(self, number: int, now_ns: int) -> None:
        self._unanswered += 1
        if now_ns >= self._look_ns or self._unanswered == _LOST:
            known = self._unanswered < _LOST and self._next_hop is not None
            self._look_ns = now_ns + (_LOOK_NS if known else _LOOK_AGAIN_NS)
            # The last known address stays in use: a dead gateway has no entry, yet its return must be
            # detected.
            self._next_hop = self.streams.next_hop(self.track) or self._next_hop
        for listener in self.listeners:
            listener.sent(number, now_ns)

    def answered(self, number: int, rtt_us: int) -> None:
        self._unanswered = 0
        for listener in self.listeners:
            listener.answered(number, rtt_us)

    def send(self, address: str, slot: int, number: int, wall_ns: int) -> bool:
        if self._next_hop is None:
            return False
        frames = self.streams.frames(self.track)
        if self.track.loop:
            return frames.loop(self._next_hop, slot, number, wall_ns)
        return frames.send(self._next_hop, address, slot, number, wall_ns)


class ProbeStreams:
    """All probe streams of this host."""

    def __init__(
        self,
        prober: EchoProber,
        ports: HostPorts,
        open_socket: OpenFrames = open_frames,
        neighbours: Callable[[], LinkAddresses] = Neighbours,
    ) -> None:
        self._prober = prober
        self._ports = ports
        self._open = open_socket
        self._open_neighbours = neighbours
        self._neighbours: LinkAddresses | None = None
        self._sockets: dict[tuple[int, bool], Frames] = {}
        self._strict: dict[str, bool] = {}
        self._streams: dict[ProbeStream, _ActiveStream] = {}

    def watch(self, track: ProbeStream, listener: Listener) -> None:
        """Receive a stream's probes and answers. Raises PermissionError if such probes are not permitted."""
        active = self._streams.get(track)
        if active is None:
            active = _ActiveStream(track, self)
            if track.target is None and not track.loop:
                active.slot = self._prober.add(_scoped(track), track.interval_ms, active)
            else:
                self.frames(track)
                active.slot = self._prober.add(
                    track.target or track.gateway, track.interval_ms, active, active
                )
            self._streams[track] = active
        active.listeners = [*active.listeners, listener]

    def leave(self, track: ProbeStream, listener: Listener) -> None:
        """Undo `watch`; the last listener ends the stream."""
        active = self._streams.get(track)
        if active is None:
            return
        active.listeners = [other for other in active.listeners if other is not listener]
        if not active.listeners:
            del self._streams[track]
            self._prober.remove(active.slot)

    def hasten(self, track: ProbeStream) -> None:
        """Send one extra probe now, after a doubtful event."""
        self._prober.hasten(self._streams[track].slot)

    def close(self) -> None:
        """Close the sockets that the prober does not close."""
        if self._neighbours is not None:
            self._neighbours.close()

    def frames(self, track: ProbeStream) -> Frames:
        """The socket for a stream. Raises PermissionError."""
        if track.port not in self._strict:
            self._strict[track.port] = drops_detours(track.port)
        key = (track.gateway.version, track.loop or self._strict[track.port])
        if key not in self._sockets:
            self._sockets[key] = self._open(*key)
            self._prober.read_from(self._sockets[key])
        return self._sockets[key]

    def next_hop(self, track: ProbeStream) -> NextHopPath | None:
        """Path of a frame to the stream's gateway; None while unknown."""
        if self._neighbours is None:
            self._neighbours = self._open_neighbours()
        return find_next_hop_path(self._ports, self._neighbours, track.gateway, track.port)


def find_next_hop_path(
    ports: HostPorts, neighbours: LinkAddresses, gateway: Address, port: str
) -> NextHopPath | None:
    """Path of a frame to `gateway` out of `port`; None while unknown."""
    link = next((link for link in ports.links.values() if link.name == port), None)
    if link is None:
        return None
    source = _source(ports.addresses.get(link.index, []), gateway)
    if source is None:
        return None
    if not link.mac:
        return NextHopPath(source, port, b"")
    with contextlib.suppress(OSError):
        found = neighbours.link_address(gateway, link.index)
        return None if found is None else NextHopPath(source, port, found)
    return None


def unreachable_via(hops: Iterable[Hop], ports: HostPorts) -> list[str]:
    """The gateways that cannot be distinguished on their port, because it has no link addresses."""
    listed = list(hops)
    bare = {link.name for link in ports.links.values() if not link.mac}
    crowded = {hop.port for hop in listed if sum(other.port == hop.port for other in listed) > 1}
    return [hop.gateway for hop in listed if hop.port in bare & crowded]


def _source(own: Iterable[str], gateway: Address) -> Address | None:
    """Our address on the gateway's network, else any of its family that is not link-local."""
    interfaces = [ip_interface(text) for text in own]
    same = [one for one in interfaces if one.version == gateway.version]
    wide = [one for one in same if not one.ip.is_link_local]
    near = [one for one in wide if gateway in one.network]
    return next((one.ip for one in [*near, *wide, *same]), None)


def _scoped(track: ProbeStream) -> Address:
    """A link-local address is meaningful on its port only (RFC 4007)."""
    if isinstance(track.gateway, IPv6Address) and track.gateway.is_link_local and not track.gateway.scope_id:
        return IPv6Address(f"{track.gateway}%{track.port}")
    return track.gateway


def port_to(gateway: Address, ports: HostPorts) -> str:
    """Name of the port whose network contains the gateway; empty: none does."""
    for index, own in ports.addresses.items():
        if index in ports.links and any(gateway in ip_interface(text).network for text in own):
            return ports.links[index].name
    return ""


async def echo_via(
    target: Address, gateway: Address, port: str, *, ports: HostPorts, clock: Clock, timeout_s: float = 1.0
) -> int | None:
    """Round trip in microseconds of one echo to `target` through `gateway`; None without an answer in time.

    Without `port` it is the port whose network contains the gateway. Raises PermissionError if such probes
    are not permitted.
    """
    port = port or port_to(gateway, ports)
    plain = EchoSocket(gateway.version)
    frames = open_frames(gateway.version, drops_detours(port))
    neighbours = Neighbours()
    track = ProbeStream(gateway, port, target, 1000)
    end = clock.monotonic_ns() + round(timeout_s * 1e9)
    sent = False
    try:
        plain.send(str(_scoped(track)), 1, 1, clock.wall_ns())
        while clock.monotonic_ns() < end:
            if not sent and (next_hop := find_next_hop_path(ports, neighbours, gateway, port)) is not None:
                sent = frames.send(next_hop, str(target), 2, 1, clock.wall_ns())
            for reply in frames.replies():
                return reply.rtt_us
            await asyncio.sleep(_POLL_S)
        return None
    finally:
        for one in (plain, frames, neighbours):
            one.close()
