"""The sending agent: its row, locked to the end of the transaction, and the devices it may report."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from backstay.core.errors import Unauthenticated
from backstay.inventory.sweeps import swept_nodes
from backstay.telemetry.ingest import store
from backstay.telemetry.models import NodeState


@dataclass(frozen=True, slots=True)
class Sender:
    """The agent's row, locked, and its site."""

    agent: UUID
    generation: int
    clock_offset_ms: float | None
    spool_dropped: int
    site: str
    site_id: int
    site_version: int
    interval_s: float
    host: int | None
    """Id of the node on which it runs."""
    clock_kept_at: datetime | None
    """Time of the newest stored measurement of its clock."""
    clock_kept_ms: float | None
    """Its clock minus ours at that time."""
    has_drift: bool = False
    """Whether enough measurements are stored for its drift."""


_SENDER = """
SELECT a.id, a.generation, a.clock_offset_ms, a.spool_dropped, a.site, coalesce(s.id, 0),
       coalesce(s.version, 0), coalesce(s.interval_s, 0), h.id, c.at, c.offset_ms, c.rate_ppm IS NOT NULL
FROM accounts_agent a LEFT JOIN inventory_site s ON s.name = a.site
LEFT JOIN inventory_node h ON h.agent_id = a.id
LEFT JOIN telemetry_clockstate c ON c.node_id = h.id AND c.source = 'agent'
WHERE a.revoked_at IS NULL AND
"""
_ONE = f"{_SENDER} a.id = %s FOR NO KEY UPDATE OF a"
_FREE = f"{_SENDER} a.id = ANY (%s::uuid[]) ORDER BY a.id FOR NO KEY UPDATE OF a SKIP LOCKED"
_GENERATION = "SELECT generation FROM accounts_agent WHERE id = %s AND revoked_at IS NULL"
_GENERATIONS = "SELECT id, generation FROM accounts_agent WHERE id = ANY(%s) AND revoked_at IS NULL"
_DEVICES = """
SELECT w.agent_id, n.name, n.id FROM inventory_node n JOIN inventory_node w ON w.id = n.watcher_id
WHERE w.agent_id = ANY (%s::uuid[])
"""


@dataclass(frozen=True, slots=True)
class DeviceAssignment:
    """The devices that an agent may report, by name, and those that other agents may report too."""

    devices: dict[str, int]
    shared: frozenset[int]


_duties: dict[UUID, tuple[tuple[int, int | None], DeviceAssignment]] = {}
"""Agent -> ((site version, host), assignment); an import or an enrolment changes the key."""


def generation_of(agent: UUID) -> int | None:
    """Generation of its desired state; None if it is unknown or revoked. One prepared statement."""
    found = store.query(_GENERATION, [agent])
    return found[0][0] if found else None


def generations_of(agents: Collection[UUID]) -> dict[UUID, int]:
    """Agent -> generation, without those that are unknown or revoked."""
    return dict(store.query(_GENERATIONS, [list(agents)]))


def locked_sender(agent: UUID) -> Sender:
    """Lock the agent; Unauthenticated if it is unknown or revoked."""
    found = store.query(_ONE, [agent])
    if not found:
        raise Unauthenticated("The agent is unknown or revoked: enrol it again.")
    return Sender(*found[0])


def lock_free_senders(agents: Iterable[UUID]) -> list[Sender]:
    """Lock those agents that no other transaction has locked, in the order of their ids, without waiting.

    Unknown and revoked agents are left out too.
    """
    return [Sender(*row) for row in store.query(_FREE, [list(agents)])]


def assignment_of(sender: Sender) -> DeviceAssignment:
    """The devices it may report; reloaded after an import or an enrolment."""
    return assignments_of([sender])[sender.agent]


def assignments_of(senders: Sequence[Sender]) -> dict[UUID, DeviceAssignment]:
    """Agent -> the devices it may report; those that are not known are read together."""
    found = {sender.agent: known for sender in senders if (known := _cached(sender)) is not None}
    unread = {sender.agent: _stamp(sender) for sender in senders if sender.agent not in found}
    return found | _read(unread) if unread else found


def _cached(sender: Sender) -> DeviceAssignment | None:
    known = _duties.get(sender.agent)
    return known[1] if known is not None and known[0] == _stamp(sender) else None


def _read(stamps: Mapping[UUID, tuple[int, int | None]]) -> dict[UUID, DeviceAssignment]:
    """Agent -> assignment; `stamps`: what is noted with each once the transaction commits."""
    devices: dict[UUID, dict[str, int]] = {agent: {} for agent in stamps}
    for agent, name, node in store.query(_DEVICES, [list(stamps)]):
        devices[agent][name] = node
    swept = swept_nodes(stamps)
    for agent, nodes in swept.items():
        devices[agent] |= {name: node for node, name in nodes.items()}
    _ensure_states({node for nodes in devices.values() for node in nodes.values()})
    found = {
        agent: DeviceAssignment(nodes, frozenset(swept.get(agent, ()))) for agent, nodes in devices.items()
    }
    noted = {agent: (stamps[agent], duty) for agent, duty in found.items()}
    transaction.on_commit(lambda: _duties.update(noted))
    return found


def _stamp(sender: Sender) -> tuple[int, int | None]:
    return sender.site_version, sender.host


def _ensure_states(nodes: set[int]) -> None:
    """Create missing state rows."""
    known = set(NodeState.objects.filter(node_id__in=nodes).values_list("node_id", flat=True))
    missing = [NodeState(node_id=node) for node in sorted(nodes - known)]
    NodeState.objects.bulk_create(missing, ignore_conflicts=True)
