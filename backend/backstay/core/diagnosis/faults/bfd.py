"""What routing daemons' BFD sessions (RFC 5880) show about a gateway that is down.

A session shows whether the gateway answers, not whether it forwards. One that was read before the fault began
describes the past, except that BFD notices a dead gateway before probes do (`EARLIER`): an agent reports a
session again only when it changes, or after 10 s, with the counters of its host if it saw no event.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from backstay.core.diagnosis.faults.fault import Fault, FaultEvidence, FaultKind
from backstay.core.diagnosis.faults.observations import Observations
from backstay.core.formatting import count

EARLIER = timedelta(seconds=10)
"""How long before the fault is found by other means a session may have been read as down."""


@dataclass(frozen=True, slots=True)
class BfdPeer:
    """One session as the daemon of a node reported it."""

    node_id: int
    neighbour: str
    """Address of the other end."""
    is_up: bool
    """False: down or being set up. Sessions that are administratively down are left out."""
    at: datetime
    """When it was read."""


def bfd_evidence(seen: Observations, fault: Fault, peers: Iterable[BfdPeer]) -> tuple[FaultEvidence, ...]:
    """Sessions of reporting nodes with the fault's gateway: those that are down, and those that are up."""
    mine = [peer for peer in peers if _is_of(seen, fault, peer)]
    answers = fault.kind == FaultKind.GATEWAY_NOT_FORWARDING
    found = []
    for is_up, state in ((False, "down"), (True, "up")):
        these = [peer for peer in mine if peer.is_up is is_up]
        if these:
            nodes = {peer.node_id for peer in these}
            text = f"BFD sessions of {count(len(nodes), 'node')} with {fault.subject} are {state}"
            at = max(peer.at for peer in these)
            found.append(FaultEvidence("bfd", text, at, seen.names(nodes), supports=is_up is answers))
    return tuple(found)


def _is_of(seen: Observations, fault: Fault, peer: BfdPeer) -> bool:
    since = fault.since if peer.is_up else fault.since - EARLIER
    if peer.node_id not in seen.reporting or peer.at < since:
        return False
    port = seen.address_ports.get(peer.neighbour)
    if port is None or port.node_id != fault.node_id:
        return False
    return fault.fabric_id is None or port.fabric_id == fault.fabric_id
