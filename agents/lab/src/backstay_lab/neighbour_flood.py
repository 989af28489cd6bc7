"""Fills a port's ARP table with broadcasts from unused addresses on its fabric, as in the paper.

"Evaluation of the Ascend GRF in an SP complex" reports broadcasts that filled a HIPPI port's ARP table
until the port failed. The kernel stores the sender of any request for its own address (RFC 826); so each
frame requests that address from another address of 198.18.0.0/15, which is reserved for such tests (RFC
2544). Rate and duration are limited.
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address

from backstay_lab.blueprint import Blueprint, End
from backstay_lab.errors import LabError
from backstay_lab.naming import Names
from backstay_lab.network import netns
from backstay_lab.network.resolving import peers_of

MOST_RATE = 5_000.0
MOST_SECONDS = 300.0
FIRST = IPv4Address("198.18.0.1")
INVENTED = 65_536
"""Number of senders; they repeat afterwards."""
_ARP = struct.Struct("!6s6sHHHBBH6s4s6s4s")
_BROADCAST, _UNKNOWN = b"\xff" * 6, bytes(6)
_ETH_P_ARP, _ETHERNET, _IP, _REQUEST = 0x0806, 1, 0x0800, 1
_BATCH_S = 0.02
"""Seconds of frames sent together."""


@dataclass(frozen=True)
class Flood:
    """Requests per second and duration in seconds."""

    rate: float
    seconds: float
    disguised: bool = False
    """Whether each sender has its own hardware address."""


@dataclass(frozen=True)
class FloodOutcome:
    """The sent frames and their sender."""

    source: End
    frames: int
    seconds: float


def source_of(plan: Blueprint, target: End, by: str | None = None) -> End:
    """The sender of a flood: the other end of the link; on a shared fabric the node `by`, else the first."""
    others = peers_of(plan, target)
    wanted = [end for end in others if by is None or end.node == by]
    if not wanted:
        fabric = plan.node(target.node).port(target.port).fabric
        raise LabError(
            f"{by or 'Nobody'} shares {fabric} with {target.node}:{target.port}.",
            f"Nodes on it: {', '.join(end.node for end in others)}.",
        )
    return wanted[0]


def frames(source: bytes, target: IPv4Address, *, disguised: bool) -> Iterator[bytes]:
    """Endless broadcast ARP requests for `target`, each from the next unused address.

    `disguised`: each also has its own locally administered hardware address.
    """
    number = 0
    while True:
        place = number % INVENTED
        mac = b"\x02\xba" + struct.pack("!I", place) if disguised else source
        yield _ARP.pack(
            _BROADCAST, mac, _ETH_P_ARP, _ETHERNET, _IP, 6, 4, _REQUEST,
            mac, (FIRST + place).packed, _UNKNOWN, target.packed,
        )  # fmt: skip
        number += 1


def flood(plan: Blueprint, names: Names, target: End, source: End, what: Flood) -> FloodOutcome:
    """Send the flood; LabError when it is not permitted."""
    if not 0 < what.rate <= MOST_RATE or not 0 < what.seconds <= MOST_SECONDS:
        raise LabError(
            f"A flood's limits are {MOST_RATE:g}/s and {MOST_SECONDS:g} s.",
            "Correct the options.",
        )
    address = plan.node(target.node).port(target.port).interface.ip
    with netns.inside(names.node(source.node), lambda: _open(source.port)) as wire:
        mac: bytes = wire.getsockname()[4]
        began = time.monotonic()
        sent = _send(wire, frames(mac, address, disguised=what.disguised), what)
    return FloodOutcome(source, sent, time.monotonic() - began)


def _open(port: str) -> socket.socket:
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 0)
    try:
        wire.bind((port, 0))
    except OSError as error:
        wire.close()
        raise LabError(f"{port} cannot send ({error}).", "Restore the node first.") from error
    return wire


def _send(wire: socket.socket, made: Iterator[bytes], what: Flood) -> int:
    """Send at an even rate, independent of the precision of sleep."""
    began, sent = time.monotonic(), 0
    while (elapsed := time.monotonic() - began) < what.seconds:
        for _ in range(int(what.rate * elapsed) - sent):
            wire.send(next(made))
            sent += 1
        time.sleep(_BATCH_S)
    return sent
