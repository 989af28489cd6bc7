"""Whatever the state of a site: headline, tiles, counts and state words of one overview agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.selectors.event_groups import EventGroupPage
from backstay.alerts.selectors.overview import TOP_LINKS, OverviewFacts
from backstay.alerts.selectors.path_outcomes import PathOutcomes
from backstay.alerts.selectors.rounds import SiteEvaluation
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.tests.path_grouping import group_paths
from backstay.api.changes.present import waiting_item
from backstay.api.overview.present import overview_out
from backstay.api.overview.schemas import Overview, OverviewTile
from backstay.core.alerting.headline import MAX_CULPRITS, TILE_ITEMS, Outcome
from backstay.core.alerting.link_rates import LinkRates, LinkTable, LoadSummary, load_summary
from backstay.core.model.change import ChangeProgress
from backstay.core.model.load import Load
from backstay.core.model.progress import Phase
from backstay.core.model.state import ReportTimes
from backstay.core.model.topology import Fabric, Link, Node, Port, Topology
from backstay.core.roles import Role
from backstay.core.thresholds import NEARLY_FULL
from backstay.inventory.models import Site
from backstay.policy.capacity_results import FallbackSummary
from backstay.policy.selectors import PathState, Policy
from backstay.rollout.changes.rules import ActionContext
from backstay.rollout.changes.selectors import WaitingChange
from backstay.rollout.models import Change
from backstay.telemetry.selectors.nodes import NodeNow

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
GATEWAYS = {1: "grf1", 2: "atmgw"}
HOSTS = {10 + place: f"sp{place:02}" for place in range(1, 6)}
KINDS = ("path_dead", "gateway_failed_over", "node_stale", "port_down", "saturation", "clock")
DOWN = (None, False, True)


def topology() -> Topology:
    """Five hosts and two gateways on one switch."""
    names = GATEWAYS | HOSTS
    nodes = {
        ident: Node(ident, name, "gateway" if ident in GATEWAYS else "host", "compute")
        for ident, name in names.items()
    }
    ports = {100 + ident: Port(100 + ident, ident, "css0", 1, False, ()) for ident in names}
    links = {200 + ident: Link(200 + ident, 100 + ident, None, 1, "") for ident in names}
    fabric = Fabric(1, "sp-switch", "sp_switch", 10**9, 10**9, 65520, "on")
    return Topology("argonne", {1: fabric}, nodes, ports, links)


def policy(ident: int) -> Policy:
    return Policy(
        ident, f"policy{ident}", "0.0.0.0/0", "checker", "10.9.0.1", 50, "", dict(GATEWAYS), interval_s=2
    )


@st.composite
def paths(draw: st.DrawFn, ident: int, policy_id: int, node: int) -> PathState:
    active = draw(st.sampled_from([None, 1, 2]))
    known = {
        name: {"alive": draw(st.sampled_from(DOWN)), "forwards": draw(st.sampled_from(DOWN))}
        for name in GATEWAYS.values()
    }
    return PathState(
        id=ident,
        policy_id=policy_id,
        node_id=node,
        active_id=active,
        active_text="" if active is None else GATEWAYS[active],
        since=NOW - timedelta(seconds=3),
        at=draw(st.sampled_from([NOW, NOW, NOW, None])),
        target_alive=draw(st.sampled_from(DOWN)),
        target_since=None,
        target_rtt_us=None,
        liveness=known,
    )


@st.composite
def incidents(draw: st.DrawFn, ident: int, causes: list[int]) -> Incident:
    return Incident(
        pk=ident,
        rule=SiteRule(kind=draw(st.sampled_from(KINDS))),
        phase=draw(st.sampled_from([Phase.OPEN, Phase.ACKNOWLEDGED])),
        severity=draw(st.sampled_from(["warning", "critical"])),
        subject="x",
        title=f"Incident {ident}",
        detail="Detail.",
        cause_id=draw(st.sampled_from([None, *causes, 999])),
        opened_at=NOW - timedelta(seconds=draw(st.integers(0, 100))),
    )


@st.composite
def waiting(draw: st.DrawFn, ident: int) -> tuple[WaitingChange, ActionContext]:
    state = draw(st.sampled_from(["confirming", "planned", "approved"]))
    change = Change(pk=ident, title="Deploy", state=state, since=NOW, kind="policies")
    change._prefetched_objects_cache = {"approvals": []}  # type: ignore[attr-defined]
    role = draw(st.sampled_from([None, Role.VIEWER, Role.OPERATOR, Role.APPROVER]))
    until = NOW + timedelta(seconds=90) if state == "confirming" else None
    context = ActionContext(state, 1, role, planned=True, confirm_by=until)  # type: ignore[arg-type]
    return WaitingChange(change, None, ChangeProgress()), context


def evaluated(age_s: float | None) -> SiteEvaluation:
    at = None if age_s is None else NOW - timedelta(seconds=age_s)
    return SiteEvaluation(Site(imported_at=NOW), at, age_s or 0.0, is_late=(age_s or 0.0) > 6)


@st.composite
def sites(draw: st.DrawFn) -> OverviewFacts:
    """A site in any state, possible or not."""
    snapshot = SiteSnapshot(Site(pk=1, name="argonne", title="A", interval_s=2.0, imported_at=NOW), NOW)
    whole = topology()
    ages = {node: draw(st.sampled_from([1, 1, 1, 60])) for node in whole.nodes}
    loads = {
        link: (Load(1, draw(st.sampled_from([0.1, 0.8, 0.95])), None, NOW, draw(st.booleans())), None)
        for link in whole.links
    }
    numbered = list(enumerate([(policy_id, node) for policy_id in (1, 2) for node in HOSTS], start=1))
    chosen = draw(st.integers(0, len(numbered)))
    observed = [draw(paths(ident, policy_id, node)) for ident, (policy_id, node) in numbered[:chosen]]
    parts: dict[str, Any] = {
        "topology": whole,
        "nodes": {
            node: NodeNow(ReportTimes(NOW - timedelta(seconds=age), watched=True), None)
            for node, age in ages.items()
        },
        "listening_since": draw(st.sampled_from([None, NOW])),
        "ends": {},
        "loads": loads,
        "policies": {1: policy(1), 2: policy(2)},
        "paths": observed,
        "deployed_paths": observed,
        "holds": {},
        "carries": {},
        "gateways": {},
    }
    measured = summary(whole, loads)
    busiest = SiteSnapshot(snapshot.site, NOW, links=measured.busiest)
    for limited in (snapshot, busiest):
        vars(limited).update(parts)
    number = draw(st.integers(0, 4))
    known = [draw(incidents(ident, list(range(1, ident)))) for ident in range(1, number + 1)]
    flat = [_flattened(incident, known) for incident in known]
    changes = [draw(waiting(ident)) for ident in range(1, draw(st.integers(0, 7)) + 1)]
    covered = draw(st.sets(st.integers(1, len(numbered)))) if flat else set()
    groups = group_paths(snapshot, observed)
    affected = {path for group in groups for path in group.affected}
    return OverviewFacts(
        snapshot=snapshot,
        busiest=busiest,
        loads=measured,
        lost={node: item for node, item in snapshot.nodes.items() if not snapshot.is_fresh(node)},
        outcomes=PathOutcomes(snapshot, groups, [path for path in observed if path.id in affected]),
        incidents=flat,
        incident_paths={path: [flat[0].pk] for path in covered},
        evaluation=draw(st.sampled_from([evaluated(None), evaluated(0), evaluated(30)])),
        changes=EventGroupPage([], 0, None),
        agents=[],
        waiting=[item for item, _ in changes],
        contexts={item.change.pk: context for item, context in changes[:TILE_ITEMS]},
        fallbacks=FallbackSummary(None, NOW),
        failing_fallbacks=[],
        failed_deliveries=0,
    )


def summary(whole: Topology, loads: Mapping[int, tuple[Load, None]]) -> LoadSummary:
    """Of these loads, forward only, as arrays."""
    table, nothing = LinkTable.of(whole), np.full(len(loads), np.nan)
    mine = [loads[int(link)][0] for link in table.id]
    rates = LinkRates(
        bps=np.stack([[float(load.bps) for load in mine], nothing]),
        peak_bps=np.stack([nothing, nothing]),
        at=np.stack([[load.at.timestamp() for load in mine], nothing]),
        used=np.stack([[load.utilisation for load in mine], nothing]),
        used_peak=np.stack([nothing, nothing]),
        fresh=np.stack([[load.fresh for load in mine], np.zeros(len(mine), np.bool_)]),
        has_capacity=np.ones(len(mine), np.bool_),
    )
    return load_summary(table, rates, TOP_LINKS, NEARLY_FULL)


def _flattened(incident: Incident, known: list[Incident]) -> Incident:
    """Causes are never chains: an effect of an effect has no cause here."""
    cause = next((other for other in known if other.pk == incident.cause_id), None)
    if cause is not None and cause.cause_id is not None:
        incident.cause_id = None
    return incident


def outcome_of(snapshot: SiteSnapshot, path: PathState) -> Outcome:
    """Of one path, by its end-to-end state."""
    end_to_end = snapshot.end_to_end(path)
    if end_to_end in {"unknown", "dead"}:
        return "dead" if end_to_end == "dead" else "unknown"
    return "rerouted" if path.on_fallback(snapshot.policies[path.policy_id]) else "preferred"


def tiles_of(page: Overview) -> Mapping[str, OverviewTile]:
    return {tile.kind: tile for tile in page.tiles}


def number_before(text: str, text_after: str) -> int:
    """The number in front of this text; 0 if it does not occur."""
    match = re.search(rf"(\d+) (?:{text_after})", text)
    return 0 if match is None else int(match.group(1))


@settings(max_examples=300, deadline=None)
@given(sites())
def test_headline_tiles_counts_and_states_agree(data: OverviewFacts) -> None:
    page = overview_out(data)
    tiles, text = tiles_of(page), page.headline
    outcomes = Counter(outcome_of(data.snapshot, path) for path in data.snapshot.paths)
    assert page.paths_total == len(data.snapshot.paths)
    assert (page.paths_dead, page.paths_on_fallback, page.paths_unknown) == (
        outcomes["dead"],
        outcomes["rerouted"],
        outcomes["unknown"],
    )
    for name, whole in (("dead", page.paths_dead), ("rerouted", page.paths_on_fallback)):
        assert sum(getattr(item, name) for item in page.policies) == whole
    assert sum(item.nodes for item in page.policies) == page.paths_total
    assert tiles["awaiting_confirmation"].total == page.awaiting == len(data.waiting)
    if text.startswith("No node is reporting"):
        assert not any(data.snapshot.is_fresh(node) for node in data.snapshot.topology.nodes)
        return
    assert number_before(text, r"paths? dead|path dead") == page.paths_dead
    assert number_before(text, r"(?:paths? )?rerouted") == page.paths_on_fallback
    assert number_before(text, r"problems? needs? attention") == tiles["problems"].total
    assert number_before(text, r"of \d+ paths? unknown") == page.paths_unknown
    assert number_before(text, r"not reporting\.$") == tiles["not_reporting"].total
    assert number_before(text, r"changes? awaits?") == page.awaiting


@settings(max_examples=300, deadline=None)
@given(sites())
def test_nothing_reads_well_while_something_is_wrong(data: OverviewFacts) -> None:
    page = overview_out(data)
    problems, text = tiles_of(page)["problems"], page.headline
    first = text.split(". ")[0]
    if page.paths_dead and "No node is reporting" not in text:
        assert f"{page.paths_dead} path" in first
        assert "dead" in first
    if page.root_causes or page.paths_dead or page.paths_on_fallback:
        assert problems.total >= max(page.root_causes, 1)
        assert "No problems" not in text
    if problems.total == 0:
        assert (page.open_incidents, page.paths_dead, page.paths_on_fallback) == (0, 0, 0)
    if not (page.paths_dead or page.paths_on_fallback or "No node is reporting" in text):
        assert all(item.title.removesuffix(".") in text for item in problems.items[:MAX_CULPRITS])
    if "every path is on its preferred gateway" in text:
        assert (page.paths_dead, page.paths_on_fallback, page.paths_unknown) == (0, 0, 0)
    assert all(item.state in {"warning", "critical"} for item in problems.items)
    assert all(item.state != "ok" for item in tiles_of(page)["awaiting_confirmation"].items)
    for item in page.policies:
        assert (item.state == "critical") == (item.dead > 0)
        assert item.state != "ok" or (item.verified == item.nodes and not item.rerouted)
        assert ("dead" in item.state_text.replace("standby dead", "")) == (item.dead > 0)


@settings(max_examples=200, deadline=None)
@given(sites())
def test_a_tile_whose_source_is_late_says_so(data: OverviewFacts) -> None:
    tiles = tiles_of(overview_out(data))
    is_late = data.evaluation.finished_at is None or data.evaluation.is_late
    assert bool(tiles["problems"].lag) == is_late
    assert tiles["problems"].as_of == data.evaluation.finished_at
    fresh = [load.fresh for pair in data.snapshot.loads.values() for load in pair if load is not None]
    assert bool(tiles["nearly_full"].lag) == (not all(fresh))
    assert bool(tiles["not_reporting"].lag) == (data.snapshot.listening_since == NOW)


def test_each_change_that_i_may_not_act_on_has_a_reason() -> None:
    def item(role: Role | None, state: Any) -> str:
        change = Change(pk=1, title="Deploy", state=state, since=NOW, kind="policies")
        change._prefetched_objects_cache = {"approvals": []}  # type: ignore[attr-defined]
        context = ActionContext(
            state, 1, role, authors={1: "made this plan"}, second_person=True, planned=True
        )
        return waiting_item(WaitingChange(change, None, ChangeProgress()), context, NOW).refusal

    assert item(Role.VIEWER, "planned").startswith("This needs the role approver")
    assert item(Role.APPROVER, "planned") == "You made this plan; another approver is required."
    assert item(Role.OPERATOR, "approved") == ""
