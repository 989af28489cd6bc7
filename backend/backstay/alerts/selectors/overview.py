"""Everything that the overview shows, read at one point in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from backstay.accounts.models import Agent
from backstay.accounts.selectors import silent_agents
from backstay.alerts.models import Incident
from backstay.alerts.notify.selectors import failed_deliveries
from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.event_groups import (
    CHANGES,
    FAULTS,
    EventGroupPage,
    event_groups,
)
from backstay.alerts.selectors.incidents import IncidentCounts
from backstay.alerts.selectors.path_groups import path_groups
from backstay.alerts.selectors.path_outcomes import KnownFaults, PathOutcomes
from backstay.alerts.selectors.rounds import SiteEvaluation, evaluation_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.alerting.headline import TILE_ITEMS
from backstay.core.alerting.link_rates import LoadSummary, load_summary
from backstay.core.model.freshness import max_age_s
from backstay.core.model.state import OpenIncidents
from backstay.core.thresholds import NEARLY_FULL
from backstay.core.timerange import span
from backstay.inventory import selectors as inventory
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.policy.capacity_models import CapacityFailure
from backstay.policy.capacity_results import FallbackSummary, capacity_failures, fallback_summary
from backstay.policy.selectors import paths_by_id
from backstay.rollout.changes import selectors as changes
from backstay.rollout.changes.rules import ActionContext
from backstay.rollout.changes.selectors import Actor, WaitingChange
from backstay.rollout.plans.plan_inputs import PlanInputs
from backstay.telemetry.selectors.events import events
from backstay.telemetry.selectors.nodes import NodeNow, lost_nodes
from backstay.telemetry.wiring import last_evidence

TOP_LINKS = 5
_NAMING = FAULTS | {"port_down"}
"""Kinds of root causes that the headline names."""


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """Evidence of the busiest links."""

    rows: Mapping[int, tuple[bool, list[Any], list[Any]]] = field(default_factory=dict)
    last_reported: Mapping[tuple[str, int], datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OverviewFacts:
    """One site at one moment."""

    snapshot: SiteSnapshot
    """Without the parts that grow with the site: nodes, ports, loads and paths."""
    busiest: SiteSnapshot
    """Limited to the links with the highest utilisation, the highest first."""
    loads: LoadSummary
    lost: Mapping[int, NodeNow]
    """Node id -> last report, of the nodes that do not report or that no agent collects from."""
    outcomes: PathOutcomes
    incidents: list[Incident]
    """Open and acknowledged."""
    incident_paths: Mapping[int, Sequence[int]]
    """Path id -> incidents that affect it."""
    evaluation: SiteEvaluation
    changes: EventGroupPage
    agents: list[Agent]
    """Active ones that do not report."""
    waiting: list[WaitingChange]
    """Most urgent first."""
    contexts: Mapping[int, ActionContext]
    """Change id -> what this user may do; of the first `TILE_ITEMS`."""
    fallbacks: FallbackSummary
    failing_fallbacks: Sequence[CapacityFailure]
    """The worst of those that would not hold, without their details."""
    failed_deliveries: int
    """Of the last 24 hours."""
    evidence: LinkEvidence = field(default_factory=LinkEvidence)

    @property
    def link_incidents(self) -> Mapping[int, OpenIncidents]:
        """By link id."""
        return incidents.by_link(self.incidents)

    @property
    def root_causes(self) -> Mapping[int, list[Incident]]:
        """Root cause id -> it and its effects."""
        return incidents.roots(self.incidents)

    @property
    def awaiting(self) -> Mapping[str, int]:
        """Awaited action -> changes."""
        return Counter(item.awaits for item in self.waiting)


@dataclass(frozen=True, slots=True)
class OverviewCounts:
    """Counts that the navigation shows next to its pages."""

    at: datetime
    incidents: IncidentCounts
    awaiting: int
    failed_deliveries: int
    """Of the last 24 hours."""
    evaluation: SiteEvaluation


def overview_facts(
    site: Site, actor: Actor, now: datetime, period: tuple[str, str] = ("now-1h", "now")
) -> OverviewFacts:
    """Read a site in one transaction; `period`: start and end of the recent changes. Raises `Invalid`."""
    start, latest = span(*period, now)
    end = None if period[1] == "now" else latest
    with read_transaction():
        row = Site.objects.select_related("round").get(pk=site.pk)
        snapshot = _with(SiteSnapshot(row, now), "topology", "listening_since", "policies", "holds")
        loads = load_summary(snapshot.link_table, snapshot.link_rates, TOP_LINKS, NEARLY_FULL)
        busiest = _with(
            snapshot.of_links(loads.busiest), "nodes", "ends", "loads", "policies", "carries", "gateways"
        )
        current, affected = incidents.current(row), incidents.paths_of_current(row)
        inputs = PlanInputs(row, now)
        waiting = changes.waiting(row, now, reading=inputs)
        fallbacks = fallback_summary(row, now)
        return OverviewFacts(
            snapshot=snapshot,
            busiest=busiest,
            loads=loads,
            lost=lost_nodes(row, now),
            outcomes=_outcomes(snapshot, _known_faults(current, affected)),
            incidents=current,
            incident_paths=affected,
            evaluation=evaluation_of(row, now),
            changes=event_groups(row, events(row, start=start, end=end, kind__in=CHANGES), TILE_ITEMS),
            agents=silent_agents(row.name, now - timedelta(seconds=max_age_s(row.interval_s))),
            waiting=waiting,
            contexts=_contexts(waiting[:TILE_ITEMS], actor, now, inputs),
            fallbacks=fallbacks,
            failing_fallbacks=_failing_fallbacks(row, fallbacks),
            evidence=_evidence(loads.busiest),
            failed_deliveries=failed_deliveries(row, now),
        )


def _failing_fallbacks(site: Site, summary: FallbackSummary) -> list[CapacityFailure]:
    if not summary.number("would_not_hold"):
        return []
    rows = capacity_failures(site, "would_not_hold", has_fallback=True).defer("detail")
    return list(rows.order_by("rank", "-worst_utilisation", "pk")[:TILE_ITEMS])


def _outcomes(snapshot: SiteSnapshot, faults: KnownFaults) -> PathOutcomes:
    """Two queries: only paths that something is wrong with are read as values."""
    groups = path_groups(snapshot.site, snapshot.now)
    wrong = [path for group in groups for path in group.affected]
    return PathOutcomes(snapshot, groups, paths_by_id(wrong), faults)


def overview_counts(site: Site, now: datetime) -> OverviewCounts:
    """Counts of the same selectors as the overview's, at one point in time."""
    with read_transaction():
        row = Site.objects.select_related("round").get(pk=site.pk)
        waiting = len(changes.waiting(row, now))
        failed = failed_deliveries(row, now)
        return OverviewCounts(now, incidents.incident_counts(row), waiting, failed, evaluation_of(row, now))


def _known_faults(current: Sequence[Incident], affected: Mapping[int, Sequence[int]]) -> KnownFaults:
    """Clauses of open root causes, as the incidents' titles have them."""
    root_of = {
        incident.pk: family[0]
        for family in incidents.roots(current).values()
        for incident in family
        if family[0].rule.kind in _NAMING
    }
    by_path = {
        path: _clause(root_of[ident])
        for path, idents in affected.items()
        for ident in idents
        if ident in root_of
    }
    return KnownFaults(by_path, {root.subject: _clause(root) for root in root_of.values()})


def _clause(root: Incident) -> str:
    """`grf1 lost all links`, `grf1:ga031-router:at0 is down`: the title without its numbers."""
    return root.title.partition(": ")[0]


def _with(snapshot: SiteSnapshot, *parts: str) -> SiteSnapshot:
    """With these parts already read: the presenter runs after the transaction."""
    for part in parts:
        getattr(snapshot, part)
    return snapshot


def _contexts(
    waiting: Sequence[WaitingChange], actor: Actor, now: datetime, inputs: PlanInputs
) -> dict[int, ActionContext]:
    return {
        item.change.pk: changes.action_context(
            item.change, item.progress, item.plan, actor, now, reading=inputs
        )
        for item in waiting
    }


def _evidence(links: Sequence[int]) -> LinkEvidence:
    """Three queries."""
    rows = inventory.link_evidence(links)
    nodes = {item["node_id"] for _, known, conflicts in rows.values() for item in (*known, *conflicts)}
    return LinkEvidence(rows, last_evidence(nodes - {None}))
