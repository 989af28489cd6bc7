"""The sending agent: its row, locked to the end of the transaction, and the devices it may report."""

from __future__ import annotations

from collections.abc import Collection, Iterable
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


_SENDER = """
SELECT a.id, a.generation, a.clock_offset_ms, a.spool_dropped, a.site, coalesce(s.id, 0),
       coalesce(s.version, 0), coalesce(s.interval_s, 0), h.id, c.at, c.offset_ms
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
SELECT n.name, n.id FROM inventory_node n JOIN inventory_node w ON w.id = n.watcher_id
WHERE w.agent_id = %s
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


def cached_assignment(sender: Sender) -> DeviceAssignment | None:
    """The devices it may report, if this process has read them since the last import or enrolment."""
    known = _duties.get(sender.agent)
    return known[1] if known is not None and known[0] == _stamp(sender) else None


def assignment_of(sender: Sender) -> DeviceAssignment:
    """The devices it may report; reloaded after an import or an enrolment."""
    known = cached_assignment(sender)
    if known is not None:
        return known
    agent, stamp = sender.agent, _stamp(sender)
    devices: dict[str, int] = dict(store.query(_DEVICES, [agent]))
    swept = {name: node for node, name in swept_nodes(agent).items()}
    devices.update(swept)
    _ensure_states(set(devices.values()))
    duty = DeviceAssignment(devices, frozenset(swept.values()))
    transaction.on_commit(lambda: _duties.update({agent: (stamp, duty)}))
    return duty


def _stamp(sender: Sender) -> tuple[int, int | None]:
    return sender.site_version, sender.host


def _ensure_states(nodes: set[int]) -> None:
    """Create missing state rows."""
    known = set(NodeState.objects.filter(node_id__in=nodes).values_list("node_id", flat=True))
    missing = [NodeState(node_id=node) for node in sorted(nodes - known)]
    NodeState.objects.bulk_create(missing, ignore_conflicts=True)
