"""Background traffic: one process sends slowly varying UDP flows between the lab's nodes.

It opens one sending and one sink socket inside each node's namespace. The sinks are bound to the discard port
(RFC 863) and never read: the kernel drops what exceeds their small buffers, which costs no time and sends no
port-unreachable. Datagrams have the path's MTU and are never fragmented, so a few hundred per second suffice.
"""

from __future__ import annotations

import contextlib
import math
import signal
import socket
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from backstay_lab.blueprint import Blueprint, FlowSpec
from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.state import StateFolder

DISCARD = 9
TICK_S = 0.025
SWING = 0.6
"""A flow's rate moves between 0.4 and 1.6 of its mean."""
HEADERS = 42
"""Ethernet, IPv4 and UDP headers count on the wire."""
MAX_STALL_S = 0.1
"""Time caught up after a stall; the rest is skipped to avoid a burst."""


def offered(flow: FlowSpec, at: float) -> float:
    """The flow's rate in bit/s, `at` seconds on a monotonic clock."""
    return flow.rate * (1 + SWING * math.sin(2 * math.pi * (at / flow.period_s + flow.phase)))


class Pacer:
    """Selects the flows that are due for a datagram; its only state is each flow's credit."""

    def __init__(self, flows: Iterable[FlowSpec], start: float) -> None:
        self._flows = list(flows)
        # Spread the first datagrams, so that flows of one rate do not send in step.
        self._credit = [flow.phase for flow in self._flows]
        self._at = start

    def due(self, now: float) -> list[FlowSpec]:
        """The flows to send on now, one entry per datagram."""
        elapsed, self._at = min(now - self._at, MAX_STALL_S), now
        ready = []
        for place, flow in enumerate(self._flows):
            size = 8 * (flow.datagram + HEADERS)
            credit = self._credit[place] + offered(flow, now) * elapsed / size
            whole = int(credit)
            ready += [flow] * whole
            self._credit[place] = credit - whole
        return ready


class Sockets:
    """Sending sockets by node, and sinks that prevent ICMP errors from the far ends."""

    def __init__(self, plan: Blueprint, names: Names) -> None:
        self._senders = {}
        self._sinks = []
        self._targets = {}
        for name in sorted({end for flow in plan.flows for end in (flow.source, flow.target)}):
            namespace, address = names.node(name), str(plan.node(name).service)
            self._senders[name] = netns.inside(namespace, lambda address=address: sender(address))  # type: ignore[misc]
            self._sinks.append(netns.inside(namespace, sink))
            self._targets[name] = (address, DISCARD)
        self._payload = bytes(max(flow.datagram for flow in plan.flows))

    def send(self, flow: FlowSpec) -> None:
        """Send one datagram; errors are ignored, because paths fail on purpose."""
        with contextlib.suppress(OSError):
            payload = memoryview(self._payload)[: flow.datagram]
            self._senders[flow.source].sendto(payload, self._targets[flow.target])


def sender(address: str) -> socket.socket:
    """A UDP socket that never blocks and never fragments (IP_MTU_DISCOVER, ip(7))."""
    handle = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    handle.setsockopt(socket.IPPROTO_IP, 10, 2)  # IP_MTU_DISCOVER, IP_PMTUDISC_DO: not in the socket module
    handle.bind((address, 0))
    handle.setblocking(False)
    return handle


def sink() -> socket.socket:
    """A UDP socket on the discard port with the smallest buffer."""
    handle = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    handle.bind(("0.0.0.0", DISCARD))  # noqa: S104 - every address of one lab node
    return handle


def run(pacer: Pacer, sockets: Sockets, alive: Path) -> None:
    """Send until the lab ends."""
    ticks = 0
    while ticks % 40 or alive.exists():
        for flow in pacer.due(time.monotonic()):
            sockets.send(flow)
        ticks += 1
        time.sleep(TICK_S)


def main() -> None:
    """`python -m backstay_lab.background STATE`: background traffic of the lab in that state folder."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    folder = StateFolder(Path(sys.argv[1]))
    lab = folder.require()
    plan = lab.plan()
    run(Pacer(plan.flows, time.monotonic()), Sockets(plan, lab.names), folder.alive_file(lab))


if __name__ == "__main__":
    main()
