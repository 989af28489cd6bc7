"""Everything that the overview shows of a past moment, read at one point in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from backstay.alerts.models import Incident
from backstay.alerts.selectors import incidents
from backstay.alerts.selectors.event_groups import CHANGES, EventGroupPage, event_groups
from backstay.alerts.selectors.history.history_snapshot import PastLinks, PastSnapshot, past_links
from backstay.alerts.selectors.history.history_totals import (
    OutageSum,
    SwitchTotal,
    outage_sums,
    switch_totals,
)
from backstay.alerts.selectors.overview import TOP_LINKS
from backstay.alerts.selectors.paths.groups import GroupPage, ListedGroup, listed_groups
from backstay.core.alerting.headline import TILE_ITEMS, Outcome, PathTotals
from backstay.core.alerting.link_rates import LoadSummary, load_summary
from backstay.core.model.state import WORST_FIRST, State
from backstay.core.thresholds import NEARLY_FULL
from backstay.inventory.models import Site
from backstay.inventory.read_transaction import read_transaction
from backstay.policy.holds import was_held
from backstay.policy.models import Hold
from backstay.policy.selectors import Policy, policies
from backstay.telemetry.selectors.events import events

MOST_GROUPS = 10_000
"""Groups of paths that are read: more than a site of 10,000 paths has."""


@dataclass(frozen=True, slots=True)
class PastPolicy:
    """The paths of one policy at a past moment; whether a standby worked is not kept."""

    policy: Policy
    totals: PathTotals
    active: tuple[tuple[str, int], ...]
    """Gateways in use and their numbers of nodes, most used first; empty name: no route."""
    state: State
    """Of the worst path; unknown instead of ok."""


@dataclass(frozen=True, slots=True)
class PastOverviewFacts:
    """One site at a past moment."""

    snapshot: PastSnapshot
    start: datetime
    """Start of the range of switches, outages and changes; it ends at the moment."""
    loads: LoadSummary
    busiest: PastLinks
    """The links with the highest utilisation, the highest first."""
    incidents: Sequence[Incident]
    """Those that were open, newest first."""
    policies: Mapping[int, Policy]
    groups: GroupPage
    """The paths, the worst group first."""
    held_nodes: int
    switches: Sequence[SwitchTotal]
    outages: Sequence[OutageSum]
    changes: EventGroupPage
    has_events: bool
    """Whether events of the start of the range or before are still stored."""

    @property
    def root_causes(self) -> Mapping[int, list[Incident]]:
        """Root cause id -> it and its effects."""
        return incidents.roots(self.incidents)

    @property
    def paths(self) -> PathTotals:
        return _totals(self.groups.groups)

    @property
    def policy_paths(self) -> list[PastPolicy]:
        """Policies that have paths, by name."""
        found: dict[int, list[ListedGroup]] = {}
        for group in self.groups.groups:
            found.setdefault(group.policy_id, []).append(group)
        known = sorted(self.policies.values(), key=lambda policy: policy.name)
        return [_past_policy(policy, found[policy.id]) for policy in known if policy.id in found]


def past_overview_facts(site: Site, at: datetime, present: datetime, start: datetime) -> PastOverviewFacts:
    """Read what is stored of a moment and the range before it, in one transaction; few queries."""
    with read_transaction():
        snapshot = PastSnapshot(site, at, present)
        loads = load_summary(snapshot.link_table, snapshot.link_rates, TOP_LINKS, NEARLY_FULL)
        stored = events(site, end=start)
        return PastOverviewFacts(
            snapshot=snapshot,
            start=start,
            loads=loads,
            busiest=past_links(site, at, present, loads.busiest),
            incidents=incidents.open_at(site, at),
            policies=policies(site),
            groups=listed_groups(site, present, MOST_GROUPS, sort="state", descending=False, at=at),
            held_nodes=Hold.objects.filter(was_held(at), node__site=site).values("node").distinct().count(),
            switches=switch_totals(site, start, at),
            outages=outage_sums(site, start, at),
            changes=event_groups(site, events(site, start=start, end=at, kind__in=CHANGES), TILE_ITEMS),
            has_events=stored.exists(),
        )


def outcome_of(group: ListedGroup) -> Outcome:
    """How the paths of a group delivered."""
    if group.end_to_end in {"unknown", "dead"}:
        return "unknown" if group.end_to_end == "unknown" else "dead"
    return "rerouted" if group.preferred and group.active != group.preferred else "preferred"


def _past_policy(policy: Policy, groups: Sequence[ListedGroup]) -> PastPolicy:
    active: Counter[str] = Counter()
    for group in groups:
        active[group.active] += group.paths
    worst = min((group.state for group in groups), key=lambda state: WORST_FIRST[state])
    state: State = "unknown" if worst == "ok" else worst
    return PastPolicy(policy, _totals(groups), tuple(active.most_common()), state)


def _totals(groups: Sequence[ListedGroup]) -> PathTotals:
    known: Counter[Outcome] = Counter()
    for group in groups:
        known[outcome_of(group)] += group.paths
    return PathTotals(known["preferred"], known["rerouted"], known["dead"], known["unknown"])
