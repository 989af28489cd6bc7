"""Random outages at the lab's sites, reported in random orders: one notified incident per root cause.

The rules about faults, the search for root causes, and the plan of messages are evaluated at every second as
rounds and batches do it; only rows are kept in memory.
"""

from __future__ import annotations

import os
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from backstay.alerts import evaluation, fault_findings, incidents
from backstay.alerts.models import Incident, ReportedIncident, SiteRule
from backstay.alerts.notify import outbox
from backstay.alerts.rule import Finding
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.notify.lab_outages import ASPECTS, START, Aspect, LabSite, Outage, Reports
from backstay.api.tests.world import kept
from backstay.core.alerting.message_groups import GroupState, GroupTimes, plan_messages
from backstay.core.alerting.root_causes import explain, ready
from backstay.core.model.progress import Phase
from backstay.core.thresholds import ROUND_S

pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.timeout(1800)]

SITES = ("argonne", "sdsc", "casa", "cern", "karlsruhe")
SPREAD_S: Mapping[Aspect, int] = {"ports": 6, "paths": 6, "standbys": 10}
"""From an outage to the last report of each aspect: a poll, probes, and probes through standbys."""
EXAMPLES = int(os.environ.get("BACKSTAY_LAB_OUTAGES", "40"))
"""Per site; `make bench-outages` plays 110."""
PLAYED_S = 60
"""After the last outage, until all that it caused is shown."""
KINDS = [kind for kind, rule in RULES.items() if rule.reads_faults]
TRIGGERED = [kind for kind in KINDS if RULES[kind].triggers is not None]


@dataclass
class Ledger:
    """Incidents and what was notified of them, as the tables hold them."""

    lab: LabSite
    rows: dict[str, Incident] = field(default_factory=dict)
    """Unresolved ones by fingerprint."""
    ended: list[Incident] = field(default_factory=list)
    paths: dict[int, frozenset[int]] = field(default_factory=dict)
    rules: dict[str, SiteRule] = field(default_factory=dict)
    reported: dict[str, ReportedIncident] = field(default_factory=dict)
    sent: list[datetime] = field(default_factory=list)
    made: int = 0

    def __post_init__(self) -> None:
        self.rules = {kind: SiteRule(site=self.lab.site, kind=kind) for kind in KINDS}

    def shown(self, _: object, fingerprints: Collection[str]) -> set[str]:
        """Of these fingerprints those of shown incidents (`selectors.incidents.with_fingerprints`)."""
        return {name for name in fingerprints if name in self.rows and _is_shown(self.rows[name])}

    def evaluate(self, snapshot: SiteSnapshot, kinds: Collection[str]) -> None:
        """As `evaluation` does for one unit of rules."""
        for kind in kinds:
            present = {name: row for name, row in self.rows.items() if row.rule.kind == kind}
            result = RULES[kind].evaluate(snapshot, RULES[kind].defaults, present)
            for finding in result.findings:
                self._follow(kind, present.get(finding.fingerprint), finding, snapshot.now)
            found = {finding.fingerprint for finding in result.findings} | result.undecided
            for name in present.keys() - found:
                self._end(self.rows.pop(name), snapshot.now)
        self._link(snapshot)

    def _follow(self, kind: str, row: Incident | None, finding: Finding, now: datetime) -> None:
        if row is not None and (row.phase != Phase.PENDING or finding.is_pending):
            incidents._follow(row, kind, finding, now)
        else:
            if row is None:
                self.made += 1
                row = incidents._new(self.rules[kind], finding)
                row.pk, row.found_at = self.made, now
                self.rows[finding.fingerprint] = row
            waits = not finding.is_pending and incidents._waits(row, kind, now)
            incidents._describe(row, kind, finding, now)
            row.is_waiting = waits
            if not waits and not finding.is_pending:
                _show(row, now)
            else:
                row.phase = Phase.PENDING
        if finding.count is None:
            self.paths[row.pk] = self.paths.get(row.pk, frozenset()) | {*finding.path_ids}

    def _end(self, row: Incident, now: datetime) -> None:
        if row.phase != Phase.PENDING:
            row.phase, row.resolved_at = Phase.RESOLVED, now
            self.ended.append(row)

    def _link(self, snapshot: SiteSnapshot) -> None:
        """As `evaluation.link_causes`."""
        now, watchers = snapshot.now, self.lab.watchers
        tolerance = max(
            evaluation.MIN_TOLERANCE,
            timedelta(seconds=evaluation.TOLERANCE_INTERVALS * snapshot.site.interval_s),
        )
        late = [
            row for row in self.ended if row.resolved_at and row.resolved_at > now - evaluation.LINKED_FOR
        ]
        rows = [row for row in self.rows.values() if row.phase != Phase.PENDING or row.is_waiting] + late
        troubles = [evaluation._trouble(snapshot, row, self.paths) for row in rows]
        waiting = {row.pk: row.found_at or now for row in rows if row.is_waiting}
        due = ready(troubles, waiting, watchers, tolerance, now)
        for row in rows:
            if row.pk in due:
                _show(row, now)
        seen = {row.pk: row for row in rows if not row.is_waiting}
        causes = explain([one for one in troubles if one.id in seen], watchers, tolerance)
        unresolved = {key: row for key, row in seen.items() if row.phase != Phase.RESOLVED}
        for key, row in seen.items():
            if evaluation._is_moved(row, causes, unresolved):
                cause = causes[key]
                row.cause = None if cause is None else seen[cause]

    def notify(self, now: datetime) -> None:
        """As `outbox` does for a route that matches everything."""
        current = {name: row for name, row in self.rows.items() if row.phase != Phase.PENDING}
        roots = {name for name, row in current.items() if outbox._is_root(row)}
        members = {
            name: outbox._member(current.get(name), self.reported.get(name), name, may_notify=name in roots)
            for name in roots | self.reported.keys()
        }
        times = GroupTimes()
        lately = [at for at in self.sent if at > now - timedelta(seconds=times.interval_s)]
        state = GroupState(max(lately, default=None), len(lately))
        for message in plan_messages(members.values(), times, state, now):
            self.sent.append(now)
            for name in message.keys:
                row = current.get(name)
                self.reported[name] = ReportedIncident(
                    fingerprint=name,
                    incident=row or self.reported[name].incident,
                    reported="resolved" if row is None else "open",
                    severity=members[name].severity,
                    first_at=now,
                    last_at=now,
                    messages=[*members[name].messages, now],
                )


def _is_shown(row: Incident) -> bool:
    return row.phase in {Phase.OPEN, Phase.ACKNOWLEDGED}


def _show(row: Incident, now: datetime) -> None:
    row.phase, row.is_waiting = Phase.OPEN, False
    row.shown_at = now  # type: ignore[attr-defined]  # The annotation of the outbox's query.


Arrival = tuple[int, int, int, Aspect, Outage]
"""(second, position in the order, node, aspect, outage)."""


def play(lab: LabSite, outages: list[tuple[int, Outage]], arrivals: list[Arrival], phase: int) -> set[str]:
    """Fingerprints of the incidents that were notified; `phase`: second of the first round."""
    reports, ledger = Reports(lab), Ledger(lab)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fault_findings, "with_fingerprints", ledger.shown)
        for second in range(max(at for at, _ in outages) + PLAYED_S):
            now = START + timedelta(seconds=second)
            for at, outage in outages:
                if at == second:
                    reports.happens(outage, now)
            arrived = [
                reports.arrive(node, aspect, outage, now)
                for at, _, node, aspect, outage in arrivals
                if at == second
            ]
            if second % ROUND_S == phase:
                ledger.evaluate(reports.snapshot(now), KINDS)
            elif any(arrived):
                ledger.evaluate(reports.snapshot(now), TRIGGERED)
            ledger.notify(now)
        # A warning after other messages waits for the end of the group's interval.
        ledger.notify(now + timedelta(seconds=GroupTimes().interval_s))
    return set(ledger.reported)


@st.composite
def histories(draw: st.DrawFn, lab: LabSite) -> list[tuple[int, Outage]]:
    """Up to three outages, each a root cause of its own, at random times."""
    every = lab.outages()
    chosen: list[Outage] = []
    for _ in range(draw(st.integers(1, 3))):
        left = [one for one in every if are_independent(lab, [*chosen, one])]
        if left:
            chosen.append(draw(st.sampled_from(left)))
    return [(draw(st.integers(0, 25)) if place else 0, one) for place, one in enumerate(chosen)]


def are_independent(lab: LabSite, outages: Sequence[Outage]) -> bool:
    """Whether each is a root cause of its own: they share no object, at most one is of a gateway, whose
    observers it would be, none silences what polls another, and together they neither cut off a further
    gateway nor darken a fabric."""
    *others, newest = outages
    if any(newest.objects & other.objects or newest.root == other.root for other in others):
        return False
    if others and "reporting_lost:0" in {outage.root for outage in outages}:
        return False
    of_gateways = [one for one in outages if one.kind != "cable" and one.ident in lab.gateways]
    cables = [one for one in outages if one.kind == "cable"]
    are_shown = all(
        lab.shows_blackhole(one.ident, frozenset(outages) - {one})
        for one in outages
        if one.kind == "blackhole"
    )
    silent = {one.ident for one in outages if one.kind == "silence"}
    are_polled = not any(lab.lost_with(node) & (silent - {node}) for node in silent)
    are_distinct = are_shown and are_polled and not lab.bystanders(outages)
    return len(of_gateways) < 2 and len(cables) < 3 and are_distinct


def unreported(lab: LabSite, outages: list[tuple[int, Outage]], arrivals: list[Arrival]) -> list[Outage]:
    """Lost carriers that no end, or not the node that lost all, can report: its reports ended before."""
    silent = {
        node: at
        for at, outage in sorted(outages, key=lambda one: -one[0])
        if outage.kind == "silence"
        for node in lab.lost_with(outage.ident)
    }
    known = {
        outage
        for at, _, node, aspect, outage in arrivals
        if aspect == "ports" and node in lab.watchers and at < silent.get(node, at + 1)
        if (("node", node) in outage.objects if outage.kind == "cable" else node == outage.ident)
    }
    return [outage for _, outage in outages if outage.kind in {"cable", "cut"} and outage not in known]


def may_stand_for(lab: LabSite, outage: Outage, notified: str) -> bool:
    """Whether this may be notified of carriers that nobody reports: what their loss does at their nodes."""
    nodes = {ident for kind, ident in outage.objects if kind == "node"}
    kind, *ids = notified.split(":")
    if kind == "fabric_down":
        links = (lab.topology.links[ident] for of, ident in outage.objects if of == "link")
        return int(ids[0]) in {link.fabric_id for link in links}
    if kind in {"gateway_isolated", "gateway_unreachable", "gateway_failed_over", "standby_dead"}:
        return int(ids[-1 if kind == "gateway_failed_over" else 0]) in nodes
    return notified == outage.root or kind == "path_dead"


def arrivals_of(data: st.DataObject, lab: LabSite, outages: list[tuple[int, Outage]]) -> list[Arrival]:
    found = [
        (at, node, aspect, outage)
        for at, outage in outages
        for node in sorted(lab.topology.nodes)
        for aspect in ASPECTS
    ]
    delays = [data.draw(st.integers(0, SPREAD_S[aspect])) for _, _, aspect, _ in found]
    order = data.draw(st.permutations(range(len(found))))
    rows = zip(found, delays, order, strict=True)
    return sorted(
        ((at + delay, place, node, aspect, outage) for (at, node, aspect, outage), delay, place in rows),
        key=lambda one: one[:2],
    )


def assert_one_each(
    lab: LabSite, outages: list[tuple[int, Outage]], arrivals: list[Arrival], notified: set[str]
) -> None:
    """Each root cause was notified, and nothing else."""
    unknown = unreported(lab, outages, arrivals)
    known = {outage.root for _, outage in outages if outage not in unknown}
    others = notified - known
    assert known <= notified
    assert all(any(may_stand_for(lab, outage, name) for outage in unknown) for name in others), others
    assert len(others) <= len(unknown)


@pytest.fixture(scope="module", params=SITES)
def lab(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[LabSite]:
    with kept(django_db_blocker):
        yield LabSite.imported(request.param)


# The same examples in every run: what a random one finds must not fail an unrelated change. Without
# `derandomize`, each run searches further.
@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None, derandomize=True)
@given(data=st.data())
def test_each_root_cause_at_a_site_of_the_lab_is_one_notified_incident(
    lab: LabSite, data: st.DataObject
) -> None:
    outages = data.draw(histories(lab))
    arrivals = arrivals_of(data, lab, outages)
    notified = play(lab, outages, arrivals, data.draw(st.integers(0, int(ROUND_S) - 1)))
    assert_one_each(lab, outages, arrivals, notified)


SEQUENCES: Mapping[str, Sequence[tuple[str, Sequence[tuple[int, str]]]]] = {
    "argonne": [
        (
            "the agent that polls a gateway fails after its port",
            [(0, "cable grf1:gt000"), (20, "silence mgmt1")],
        ),
        ("a router is cut while a message waits", [(0, "silence sp03"), (13, "cut router")]),
    ],
    "sdsc": [
        (
            "a gateway fails while a message waits",
            [(0, "silence bh006"), (11, "silence bh007"), (18, "blackhole gw1")],
        ),
        ("a target fails while a message waits", [(0, "silence bh005"), (14, "silence mover1")]),
    ],
    "cern": [
        (
            "a host reports its link to a router that nobody polls",
            [(0, "silence mgmt1"), (1, "cable gr2:gf030")],
        ),
        ("the agent that polls a cut switch fails", [(0, "cut hippi-switch"), (10, "silence mgmt1")]),
        ("the agent that polls the ends fails", [(0, "silence mgmt1"), (0, "blackhole gr1")]),
    ],
}


def outage_named(lab: LabSite, name: str) -> Outage:
    return next(outage for outage in lab.outages() if outage.name == name)


def test_root_causes_that_were_notified_with_an_effect_or_not_at_all(lab: LabSite) -> None:
    wrong = {}
    for title, named in SEQUENCES.get(lab.site.name, ()):
        outages = [(at, outage_named(lab, name)) for at, name in named]
        for seed in range(4):
            arrivals = arrivals_at_random(lab, outages, random.Random(seed))
            notified = play(lab, outages, arrivals, seed % int(ROUND_S))
            if notified != {outage.root for _, outage in outages}:
                wrong[title, seed] = notified
    assert wrong == {}


def arrivals_at_random(lab: LabSite, outages: list[tuple[int, Outage]], dice: random.Random) -> list[Arrival]:
    found = [
        (at + dice.randint(0, SPREAD_S[aspect]), dice.random(), node, aspect, outage)
        for at, outage in outages
        for node in sorted(lab.topology.nodes)
        for aspect in ASPECTS
    ]
    return [
        (at, place, node, aspect, outage)
        for place, (at, _, node, aspect, outage) in enumerate(sorted(found, key=lambda one: one[:2]))
    ]


def test_every_single_outage_at_a_site_of_the_lab_is_its_own_root(lab: LabSite) -> None:
    pairs = [(node, aspect) for node in sorted(lab.topology.nodes) for aspect in ASPECTS]
    wrong = {}
    for outage in lab.outages():
        arrivals = [(2, place, node, aspect, outage) for place, (node, aspect) in enumerate(pairs)]
        notified = play(lab, [(0, outage)], arrivals, 0)
        if notified != {outage.root}:
            wrong[outage.name] = notified
    assert wrong == {}
