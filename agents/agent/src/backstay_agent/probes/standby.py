"""Whether each gateway of a watched path forwards: its target is probed through it, at a low rate.

An echo reply of a gateway proves that the gateway is up, not that it forwards. So the target is probed
through each gateway every ten seconds, whether or not the route uses it (probes/via_gateway.py). The path's
own fast probes show it at once for the gateway in use, so that a path that leaves a gateway reports why.
"""

import logging

from backstay_agent.logs import event
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.probes.via_gateway import HostPorts, ProbeStream, ProbeStreams, port_to
from backstay_wire import GatewayAddress, PathWatch

_log = logging.getLogger(__name__)
INTERVAL_MS = 10_000
_MISSES = 3
"""Probes without an answer, including the one in flight, until a gateway no longer forwards."""


class ForwardingProbe:
    """Listener of the probes through one gateway."""

    def __init__(self) -> None:
        self.forwards: bool | None = None
        """None: not known yet."""
        self._misses = 0

    def sent(self, number: int, now_ns: int) -> None:
        """A probe was sent, or could not be sent."""
        self._misses += 1
        if self._misses > _MISSES:
            self.forwards = False

    def answered(self, number: int, rtt_us: int) -> None:
        """The target answered."""
        self._misses = 0
        self.forwards = True

    def observed(self, *, target_alive: bool) -> None:
        """The target started or stopped to answer while the route used this gateway."""
        self._misses = 0 if target_alive else _MISSES
        self.forwards = target_alive


class StandbyProbes:
    """Probes to the target of one path through each of its gateways."""

    def __init__(
        self, watch: PathWatch, streams: ProbeStreams, ports: HostPorts, interval_ms: int = INTERVAL_MS
    ) -> None:
        self._watch = watch
        self._interval_ms = interval_ms
        self._streams = streams
        self._ports = ports
        self._running: dict[str, tuple[ProbeStream, ForwardingProbe]] = {}

    def start(self) -> None:
        """Start to probe. If this host does not permit it, it stays unknown which gateways forward."""
        for gateway in self._watch.gateways:
            stream = self._stream(gateway)
            if stream is not None:
                self._probe(gateway.name, stream)

    def _probe(self, gateway: str, stream: ProbeStream) -> None:
        probe = ForwardingProbe()
        try:
            self._streams.watch(stream, probe)
        except PermissionError:
            event(_log, logging.WARNING, "not permitted to probe through gateways", gateway=gateway)
            return
        self._running[gateway] = stream, probe

    def stop(self) -> None:
        """Stop probing."""
        for stream, probe in self._running.values():
            self._streams.leave(stream, probe)
        self._running.clear()

    def observed(self, gateway: str, *, target_alive: bool) -> None:
        """The target of the path started or stopped to answer through the gateway in use."""
        known = self._running.get(gateway)
        if known is not None:
            known[1].observed(target_alive=target_alive)

    def forwards(self, gateway: str) -> bool | None:
        """Whether the target answers through this gateway; None: not probed, or not known yet."""
        known = self._running.get(gateway)
        return None if known is None else known[1].forwards

    def _stream(self, gateway: GatewayAddress) -> ProbeStream | None:
        """None: the target cannot be probed through this gateway alone."""
        target, port = self._watch.target, port_to(gateway.address, self._ports)
        if target is None or target.version != gateway.address.version or not port:
            return None
        link = next((link for link in self._ports.links.values() if link.name == port), None)
        if link is None or not self._distinct(link, port):
            return None
        return ProbeStream(gateway.address, port, target, self._interval_ms)

    def _distinct(self, link: KernelLink, port: str) -> bool:
        """A port without link addresses reaches only one gateway: whichever the port chooses."""
        ports = [port_to(gateway.address, self._ports) for gateway in self._watch.gateways]
        return bool(link.mac) or ports.count(port) == 1
