"""Recordings of devices: asked for by people, made and anonymised by agents, kept as files.

An agent learns of a request with its desired state and sends the result as a report. A request without a
result is withdrawn after `WAIT`; what arrives later is still stored.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from backstay.core.errors import Conflict, Refused
from backstay.core.formatting import duration
from backstay.inventory.models import Node
from backstay.inventory.services import raise_generations
from backstay.live import publish
from backstay.telemetry.models import NodeState
from backstay.telemetry.recording_models import DeviceRecording
from backstay.telemetry.states.tables import SNMP_POLL

READING_S = 120.0
"""Longest time for reading a device."""
WAIT = timedelta(minutes=10)
"""For a result: the recordings of an agent follow one after the other."""
MOST_WAITING = 16
"""Requests of one agent at a time."""
MOST_KEPT = 10
"""Recordings of a device."""


@dataclass(frozen=True, slots=True)
class WantedRecording:
    """A request as an agent gets it."""

    id: str
    device: str
    seconds: float


def ask(node: Node, person: str, now: datetime) -> DeviceRecording:
    """Ask the device's agent for a recording.

    Raises Refused if the device cannot be recorded, Conflict while one is in progress.
    """
    with transaction.atomic():
        locked = Node.objects.select_related("site").select_for_update(of=("self",)).get(pk=node.pk)
        if reason := refusal_reason(locked):
            raise Refused(reason)
        waiting = _waiting(now).filter(node=locked).first()
        if waiting is not None:
            left = duration((waiting.until - now).total_seconds())
            raise Conflict(f"{locked.name} is being recorded: wait for the result, for {left} at most.")
        if _waiting(now).filter(node__watcher=locked.watcher_id).count() >= MOST_WAITING:
            raise Conflict(f"The agent of {locked.name} makes {MOST_WAITING} recordings already: wait.")
        row = DeviceRecording.objects.create(node=locked, person=person, asked_at=now, until=now + WAIT)
        kept = (
            DeviceRecording.objects.filter(node=locked)
            .order_by("-asked_at")
            .values_list("pk", flat=True)[:MOST_KEPT]
        )
        DeviceRecording.objects.filter(node=locked).exclude(pk__in=list(kept)).delete()
        assert locked.watcher_id is not None
        raise_generations([locked.watcher_id])
        publish.changed(locked.site.name, {"recordings"})
    return row


def refusal_reason(node: Node) -> str:
    """Why the node cannot be recorded, with the next step; empty: it can."""
    if not any(source["kind"] == "snmp" for source in node.sources):
        return f"{node.name} is not read by SNMP: only SNMP devices can be recorded."
    if node.watcher_id is None:
        return f"No agent collects {node.name}: name one in the site file."
    state = NodeState.objects.filter(node=node).only("collectors").first()
    runs = {} if state is None else state.collectors
    if not runs.get(SNMP_POLL, {}).get("tables"):
        # Agents that do not report tables do not know the request either, and would refuse all assignments.
        return f"The agent of {node.name} has not reported how it reads the device: start or upgrade it."
    return ""


def wanted(nodes: Collection[Node], now: datetime) -> list[WantedRecording]:
    """What an agent that collects these nodes is to record, oldest first; one query."""
    names = {node.pk: node.name for node in nodes}
    rows = _waiting(now).filter(node__in=names).order_by("asked_at", "pk")[:MOST_WAITING]
    return [WantedRecording(str(row.pk), names[row.node_id], READING_S) for row in rows.defer("data")]


def _waiting(now: datetime) -> QuerySet[DeviceRecording]:
    return DeviceRecording.objects.filter(state="asked", until__gt=now)


def recordings_of(node: Node) -> QuerySet[DeviceRecording]:
    """A device's recordings without their files."""
    return DeviceRecording.objects.filter(node=node).select_related("node__site").defer("data")


def recording(ident: int) -> DeviceRecording | None:
    """One recording; its file is read when it is used: pages ask for the state again and again."""
    return DeviceRecording.objects.select_related("node__site").defer("data").filter(pk=ident).first()


def outcome(row: DeviceRecording, now: datetime) -> tuple[str, str]:
    """(asked, recorded or failed; a sentence about it)."""
    if row.state == "recorded":
        return "recorded", f"Not complete: {row.detail}." if row.detail else "Complete."
    if row.state == "failed":
        return "failed", f"{row.detail or 'no reason given'}."
    if row.until > now:
        return "asked", f"The agent records {row.node.name}."
    return "failed", (
        f"The agent sent no recording within {duration(WAIT.total_seconds())}: check that it runs, or record"
        " on its host."
    )
