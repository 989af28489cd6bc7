"""Plans of changes (routing, ARP or both), made from one snapshot, stored with each node's assignment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from backstay.accounts.models import User
from backstay.core.model.arp_plan import ArpPlan
from backstay.core.model.plan import Finding, Plan
from backstay.core.planning.arp.site import ArpSite
from backstay.core.planning.digest import digest
from backstay.core.planning.probes import MOST
from backstay.core.planning.reminders import checklist, system_of
from backstay.core.planning.scope import Scope
from backstay.core.planning.waves import Waves, cut
from backstay.inventory.models import Site
from backstay.rollout.models import Change, Intended, PlannedNode, PlanRecord
from backstay.rollout.plans.arp_document import arp_document, shapes
from backstay.rollout.plans.arp_plan import arp_assignments, arp_plan, arp_site, arp_wanted
from backstay.rollout.plans.plan_document import (
    Limits,
    bounded,
    checks,
    routing_document,
    stale_because,
    summary_of,
)
from backstay.rollout.plans.plan_inputs import Parts, PlanInputs, changed
from backstay.rollout.plans.plan_summary import head_of
from backstay.rollout.plans.routing_plan import named, routing_assignments, routing_plan, scope_of, wanted_of
from backstay.rollout.plans.undo_plan import parts_undone

Assignments = dict[str, dict[str, Any]]
"""`PlanRecord.assignments`."""
_PART_DIGITS = 16
"""Hexadecimal digits of a part's digest."""
_NOTHING: dict[str, Any] = {
    "base": "", "routing": None, "arp_base": "", "arp": None, "probes": [], "orders": {}, "orders_before": {},
    "running": [], "files_before": [], "handed_back": [],
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Made:
    """The parts of one plan; at least one is set."""

    routing: Plan | None
    arp: ArpPlan | None
    site: ArpSite | None

    @property
    def findings(self) -> tuple[Finding, ...]:
        parts = (self.routing, self.arp)
        return tuple(finding for part in parts if part is not None for finding in part.findings)

    def sealed(self, name: str) -> str:
        """`digest` or `inputs` of the only part, or a digest over both parts."""
        found = [getattr(part, name) for part in (self.routing, self.arp) if part is not None]
        return found[0] if len(found) == 1 else digest(found)

    def waves(self, most: int | None) -> Waves:
        """Every node once; at most `most` per wave. Nodes whose ARP is switched come last, in one wave."""
        routing = () if self.routing is None else self.routing.waves
        arp = () if self.arp is None else self.arp.waves
        if self.arp is not None and any(node.flips for node in self.arp.nodes):
            together = {node for wave in arp for node in wave}
            before = (tuple(node for node in wave if node not in together) for wave in routing)
            return (*(wave for wave in before if wave), *arp)
        seen: set[int] = set()
        found: list[tuple[int, ...]] = []
        for one, other in zip_longest(routing, arp, fillvalue=()):
            wave = tuple(node for node in dict.fromkeys((*one, *other)) if node not in seen)
            seen.update(wave)
            found += [wave] if wave else []
        return cut(found, most)


def make_plan(change: Change, reading: PlanInputs, person: User | None = None) -> PlanRecord:
    """Make and store a plan of this person. Problems block the plan; nothing is raised."""
    made = _made(change, reading)
    waves = made.waves(change.wave_size)
    findings = made.findings
    document = _bounded(change, reading, made, waves)
    assignments = _assignments(made, reading, scope_of(change, reading), waves)
    plan = PlanRecord.objects.create(
        change=change,
        made_at=reading.now,
        person=person,
        digest=made.sealed("digest"),
        inputs=made.sealed("inputs"),
        blocked=any(finding.level == "failed" for finding in findings),
        warnings=sum(finding.level == "warning" for finding in findings),
        nodes=sum(map(len, waves)),
        waves=len(waves),
        document=document,
        head=head_of(document),
        assignments=assignments,
    )
    PlannedNode.objects.bulk_create(
        PlannedNode(plan=plan, node_id=int(node), wave=item["wave"], engine=_engine(item))
        for node, item in assignments.items()
    )
    return plan


def _engine(assignment: Mapping[str, Any]) -> str | None:
    routing = assignment["routing"]
    return None if routing is None else routing["engine"]["kind"]


def is_stale(change: Change, plan: PlanRecord, reading: PlanInputs) -> bool:
    """Whether an input of the plan has changed."""
    return _inputs(change, reading) != plan.inputs


def staleness(change: Change, plan: PlanRecord, reading: PlanInputs) -> str:
    """Why the plan is stale; empty: its inputs are unchanged."""
    if not is_stale(change, plan, reading):
        return ""
    return stale_because(changed(_short(plan.document["parts"]), _short(_parts(change, reading))))


def _about(change: Change, reading: PlanInputs) -> tuple[bool, bool]:
    """Whether the change covers routing, and ARP."""
    if change.kind == "undo":
        return parts_undone(change)
    if change.kind != "restore":
        return change.kind != "arp", change.kind == "arp"
    nodes = set(named(change, reading))
    arp = bool(nodes & reading.arp.confirmed.keys())
    return bool(nodes & reading.confirmed.keys()) or not arp, arp


def _made(change: Change, reading: PlanInputs) -> _Made:
    routing, arp = _about(change, reading)
    site = arp_site(change, reading) if arp else None
    return _Made(
        routing=routing_plan(change, reading, wanted_of(change, reading)) if routing else None,
        arp=None if site is None else arp_plan(change, reading, site),
        site=site,
    )


def _inputs(change: Change, reading: PlanInputs) -> str:
    """`_Made.sealed("inputs")` without making the plan."""
    routing, arp = _about(change, reading)
    found = [reading.inputs(wanted_of(change, reading), scope_of(change, reading))] if routing else []
    found += [arp_site(change, reading).inputs(arp_wanted(change, reading))] if arp else []
    return found[0] if len(found) == 1 else digest(found)


def _parts(change: Change, reading: PlanInputs) -> Parts:
    routing, arp = _about(change, reading)
    found: Parts = {}
    if routing:
        found |= reading.parts(wanted_of(change, reading), scope_of(change, reading))
    if arp:
        found |= arp_site(change, reading).parts(arp_wanted(change, reading))
    return found


def _short(parts: Parts) -> Parts:
    """Parts as stored; whether a plan is stale is decided by `inputs`, so these need not be safe."""
    return {label: found[:_PART_DIGITS] for label, found in parts.items()}


def _bounded(change: Change, reading: PlanInputs, made: _Made, waves: Waves) -> dict[str, Any]:
    """The document, with the parts by which a stale plan names what changed."""
    parts = _short(_parts(change, reading))
    return bounded(lambda limits: {**_document(change, reading, made, waves, limits), "parts": parts})


def _document(
    change: Change, reading: PlanInputs, made: _Made, waves: Waves, limits: Limits
) -> dict[str, Any]:
    names = {node.id: node.name for node in reading.topology.nodes.values()}
    found: dict[str, Any] = {"shapes": [], "impacts": []}
    if made.routing is not None:
        found = routing_document(reading.topology, made.routing, change.kind, limits)
    if made.arp is not None and made.site is not None:
        differing = sum(map(len, waves))
        kinds = len(found["shapes"]) + len(shapes(made.arp))
        found |= {
            "summary": summary_of(differing, kinds, made.findings),
            "checks": checks(made.findings, limits),
            "arp": arp_document(made.arp, made.site, limits),
        }
    handed = [] if made.arp is None else [over.node for over in made.arp.hand_overs]
    gateways = {gateway for intent in wanted_of(change, reading) for gateway in intent.gateways}
    return found | {
        "waves": [[names[node] for node in wave] for wave in waves],
        "reminders": reminders_of(reading.site, gateways, handed),
    }


def _assignments(made: _Made, reading: PlanInputs, scope: Scope, waves: Waves) -> Assignments:
    routing = {} if made.routing is None else routing_assignments(made.routing, reading, scope)
    arp = {} if made.arp is None or made.site is None else arp_assignments(made.arp, made.site)
    places = {node: number for number, wave in enumerate(waves) for node in wave}
    earlier = {row.node_id: _earlier(row) for row in Intended.objects.filter(node__in=places)}
    return {
        str(node): {
            **_NOTHING,
            **routing.get(node, {}),
            **arp.get(node, {}),
            "probes": _probes(routing.get(node), arp.get(node)),
            "wave": wave,
            "earlier": earlier.get(node),
        }
        for node, wave in places.items()
    }


def _probes(*parts: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    probes: Iterable[dict[str, Any]] = (item for part in parts if part for item in part["probes"])
    return list({(item["address"], item["via"], item["port"]): item for item in probes}.values())[:MOST]


def _earlier(row: Intended) -> dict[str, Any]:
    return {
        "revision": row.revision,
        "routing": row.routing,
        "arp": row.arp,
        "change_id": row.change_id,
        "at": row.at.isoformat(),
    }


def reminders_of(site: Site, gateways: Collection[int], handed: Collection[str]) -> list[str]:
    """Manual save steps by device name (`grf1: Save its configuration ...`) for devices without own agent.

    Most devices do not report whether their configuration was saved. `gateways`: ids of the gateways of the
    change's policies; `handed`: names of devices with manual steps. One query.
    """
    rows = site.nodes.exclude(agent__isnull=False).values_list(
        "pk", "name", "watcher_id", "sources", "state__sys_descr"
    )
    return checklist(
        (name, system_of([source.get("system", "") for source in sources], description or ""))
        for pk, name, watcher, sources, description in rows
        if watcher != pk and (pk in gateways or name in handed)
    )
