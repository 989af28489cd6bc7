"""One root cause per real fault: its incident, its effects, and what happens when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from backstay.alerts import evaluation, incidents, services
from backstay.alerts.evaluation import evaluate_rules
from backstay.alerts.models import Incident, SiteRule
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.event_groups import PATH_MOVES, event_groups
from backstay.alerts.selectors.incident_charts import incident_charts
from backstay.alerts.selectors.incidents import ROOT, with_effects
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import World
from backstay.core.alerting.event_groups import EventGroup
from backstay.core.model.progress import Phase
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import Event
from backstay_wire import BfdSession, DaemonReport, MetricReport, MetricValue

pytestmark = pytest.mark.slow

CUT = {"grf1:gt000", "grf1:gh010", "grf1:ga030", "grf1:ga031", "onyx1:hip0", "origin1:at0", "router:at0"}
QUERIES = 180
"""Most statements of one evaluation of all rules, whatever the number of nodes and incidents."""


def rounds(world: World, count: int, but: tuple[str, ...] = ()) -> None:
    """Advance time, report samples of all nodes except `but`, and evaluate."""
    for _ in range(count):
        world.forward()
        world.sample(but=but)
        services.run_round(world.now)


def current() -> dict[str, list[Incident]]:
    """Kind -> its incidents that last."""
    found: dict[str, list[Incident]] = {}
    for incident in Incident.objects.filter(phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED]).order_by("pk"):
        found.setdefault(incident.rule.kind, []).append(incident)
    return found


def roots() -> list[str]:
    """Titles of the root causes that last."""
    rows = Incident.objects.filter(ROOT, phase__in=[Phase.OPEN, Phase.ACKNOWLEDGED])
    return list(rows.order_by("pk").values_list("title", flat=True))


def fall(world: World) -> None:
    """All nodes lose grf1; origin1 has no other path for a while."""
    alive = {"grf1": False, "atmgw": True}
    world.fail_over()
    world.report(
        [
            world.path("router", "router-to-sp", "atmgw", alive=alive, switch=world.switch("grf1", "atmgw")),
            world.path("origin1", "origin1-to-sp", "grf1", alive={"grf1": False}, target_alive=False),
        ]
    )


def rise(world: World) -> None:
    world.fail_back()
    alive = {"grf1": True, "atmgw": True}
    world.report(
        [
            world.path("router", "router-to-sp", "grf1", alive=alive, switch=world.switch("atmgw", "grf1")),
            world.path("origin1", "origin1-to-sp", "grf1", alive={"grf1": True, "router": True}),
        ]
    )


def test_cut_gateway_is_one_root_with_every_effect_below_it(world: World) -> None:
    world.forward()
    world.down |= CUT
    world.describe()
    fall(world)
    rounds(world, 3)
    assert roots() == ["grf1 lost all links: 1 path dead, 4 rerouted to atmgw"]
    by_kind = current()
    assert {kind: len(found) for kind, found in by_kind.items()} == {
        "gateway_isolated": 1,
        "port_down": 4,
        "gateway_failed_over": 2,
        "path_dead": 1,
    }
    (root,) = by_kind["gateway_isolated"]
    assert (root.severity, root.node) == ("critical", world.node("grf1"))
    assert len(root.affected["dead_paths"]) == 1
    assert len(root.affected["links"]) == 4
    assert {item["source"] for item in root.evidence} >= {"snmp", "carrier"}
    counted = with_effects(Incident.objects.filter(pk=root.pk)).get()
    assert getattr(counted, "effect_count") == 7  # noqa: B009 - an annotation
    world.down.clear()
    world.forward()
    world.describe()
    rise(world)
    rounds(world, 2)
    assert current() == {}


def test_titles_count_current_facts_and_a_resolved_one_its_peak(world: World) -> None:
    world.forward()
    world.down |= CUT
    world.describe()
    fall(world)
    rounds(world, 2)
    alive = {"router": True, "grf1": False}
    move = world.switch("grf1", "router")
    world.report([world.path("origin1", "origin1-to-sp", "router", alive=alive, switch=move)])
    rounds(world, 1)
    assert roots() == ["grf1 lost all links: 5 paths rerouted to atmgw and router"]
    world.down.clear()
    world.describe()
    rise(world)
    rounds(world, 2)
    resolved = Incident.objects.get(rule__kind="gateway_isolated")
    assert resolved.title.startswith("grf1 lost all links: 5 paths") or "4 paths" in resolved.title
    assert resolved.affected["links"]


@pytest.mark.parametrize("is_path_first", [True, False])
def test_order_of_reports_does_not_change_the_root(world: World, is_path_first: bool) -> None:
    world.forward()
    world.down |= CUT
    steps: list[Callable[[], None]] = [lambda: fall(world), world.describe]
    for step in steps if is_path_first else reversed(steps):
        step()
        services.run_round(world.now)
        world.forward(1)
    rounds(world, 3)
    assert len(roots()) == 1
    assert roots()[0].startswith("grf1 lost all links")


def test_silent_gateway_is_one_root_before_and_after_its_polls_stop(world: World) -> None:
    fall(world)
    rounds(world, 1, but=("grf1",))
    assert roots() == ["grf1 is unreachable: 1 path dead, 4 rerouted to atmgw"]
    rounds(world, 5, but=("grf1",))
    assert "node_stale" in current()
    assert roots() == ["grf1 is unreachable: 1 path dead, 4 rerouted to atmgw"]
    rise(world)
    rounds(world, 2)
    assert current() == {}


def test_effect_that_outlasts_its_root_cause_is_no_root_of_the_others() -> None:
    """The gateway's probes recover before its polls: its silence stays an effect, and so do all others."""
    gateway = Incident(pk=1, phase=Phase.RESOLVED)
    silence, failover = (Incident(pk=pk, phase=Phase.OPEN, cause_id=1) for pk in (2, 3))
    later = Incident(pk=4, phase=Phase.OPEN)
    found = {1: None, 2: None, 3: 2, 4: 2}
    causes = evaluation._without_chains([gateway, silence, failover, later], found, {2, 3, 4})
    assert causes == {1: None, 2: None, 3: 1, 4: 1}


def test_link_of_a_node_that_answers_without_reporting_is_a_root_of_its_own(world: World) -> None:
    world.forward()
    world.down.add("onyx1:hip0")
    world.describe("onyx1")
    rounds(world, 5, but=("grf1",))
    (silence,), (link,) = current()["node_stale"], current()["port_down"]
    assert (silence.subject, silence.cause, link.cause) == ("grf1", None, None)


def blackhole(world: World) -> None:
    """Every path through grf1 is dead although it answers."""
    up = {"grf1": True, "atmgw": True, "router": True}
    paths = [(node, "sp-default") for node in ("sp01", "sp02", "sp03")]
    paths += [("router", "router-to-sp"), ("origin1", "origin1-to-sp")]
    world.report(world.path(node, policy, "grf1", alive=up, target_alive=False) for node, policy in paths)


def test_blackholed_gateway_is_one_root_and_nothing_critical_after_it_is_over(world: World) -> None:
    world.forward(10)
    blackhole(world)
    rounds(world, 5)
    assert roots() == ["grf1 is reachable but not forwarding: 5 paths dead"]
    assert len(current()["path_dead"]) == 3
    rise(world)
    rounds(world, 1)
    assert current() == {}


def rows(world: World) -> list[EventGroup]:
    """Groups of events about paths, newest first, like under "Recent changes"."""
    found = event_groups(world.site, Event.objects.filter(site=world.site, kind__in=PATH_MOVES), 10)
    return [group for group, _ in found.groups]


def test_faults_of_a_gateway_that_follow_each_other_are_rows_that_count_the_paths_of_now(
    world: World,
) -> None:
    fall(world)
    rounds(world, 2, but=("grf1",))
    assert [(row.title, row.state) for row in rows(world)] == [("grf1 is unreachable", "critical")]
    world.forward(1)
    rise(world)
    rounds(world, 1)
    assert [(row.title, row.state) for row in rows(world)] == [("grf1 was unreachable", "ok")]
    world.forward(6)
    blackhole(world)
    (before,) = rows(world)
    assert (before.title, before.state) == ("grf1 was unreachable", "critical")
    assert before.detail.endswith(", 5 not restored")
    rounds(world, 5)
    assert roots() == ["grf1 is reachable but not forwarding: 5 paths dead"]
    now, before = rows(world)
    assert (now.title, now.detail) == ("grf1 is reachable but not forwarding", "5 paths dead")
    assert (before.title, before.state) == ("grf1 was unreachable", "ok")
    up = {"grf1": True, "atmgw": True}
    world.report([world.path("origin1", "origin1-to-sp", "grf1", alive=up)])
    now, _ = rows(world)
    assert (now.detail, now.end) == ("4 paths dead, 1 path restored", None)


def test_path_that_returns_after_its_root_cause_ended_is_critical_only_if_it_stays(world: World) -> None:
    world.forward(10)
    blackhole(world)
    rounds(world, 5)
    world.fail_back()
    up = {"grf1": True, "atmgw": True}
    world.report([world.path("router", "router-to-sp", "grf1", alive=up)])
    rounds(world, 1)
    (dead,) = current()["path_dead"]
    assert (len(roots()), dead.own_severity, dead.severity) == (1, "critical", "warning")
    rounds(world, 6)
    (dead,) = current()["path_dead"]
    assert dead.severity == "critical"


def test_node_without_reports_whose_target_answers_is_a_warning(world: World) -> None:
    rounds(world, 6, but=("atmgw",))
    (stale,) = current()["node_stale"]
    assert (stale.title, stale.severity) == ("atmgw is not reporting", "warning")
    assert [item["supports"] for item in stale.evidence] == [True, False]


def test_lost_management_network_is_one_root_that_accuses_no_gateway(world: World) -> None:
    names = tuple(world.devices())
    rounds(world, 6, but=names)
    by_kind = current()
    assert set(by_kind) == {"reporting_lost", "node_stale"}
    assert len(roots()) == 1
    assert roots()[0].endswith("stopped reporting: their paths are unknown")
    rounds(world, 1)
    assert current() == {}


def test_no_transaction_commits_effects_next_to_their_root(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    committed, exclusive = [], incidents.exclusive

    @contextmanager
    def observed(*given: Any) -> Iterator[None]:
        with exclusive(*given):
            yield
        committed.append(roots())

    # Every rule has a transaction of its own, like on a busy server.
    monkeypatch.setattr(evaluation, "TRANSACTION_S", 1e-6)
    monkeypatch.setattr(incidents, "exclusive", observed)
    rounds(world, 6, but=tuple(world.devices()))
    assert max(len(found) for found in committed) == 1, committed
    assert len(current()["node_stale"]) > 1


def report_bfd(world: World, node: str, daemon: str, state: str) -> None:
    """What a node's agent reads from BIRD or FRR: its session with grf1."""
    world.seq += 1
    head: dict[str, Any] = {"boot": world.boot, "seq": world.seq, "device": node, "running": True}
    session = BfdSession.model_validate({"neighbour": "10.1.0.16", "port": "css0", "state": state})
    at = nanoseconds(world.now)
    world.report([DaemonReport(**head, at=at, daemon=daemon, version="2.0", bfd=[session])])


def test_bfd_sessions_of_both_daemons_are_evidence_for_and_against_an_unreachable_gateway(
    world: World,
) -> None:
    report_bfd(world, "sp01", "bird", "Down")
    report_bfd(world, "sp03", "bird", "AdminDown")
    world.forward(2)
    fall(world)
    report_bfd(world, "sp02", "frr", "Up")
    rounds(world, 1, but=("grf1",))
    root = Incident.objects.get(rule__kind="gateway_unreachable")
    found = [item for item in root.evidence if item["source"] == "bfd"]
    assert [(item["text"], item["by"], item["supports"]) for item in found] == [
        ("BFD sessions of 1 node with grf1 are down", "sp01", True),
        ("BFD sessions of 1 node with grf1 are up", "sp02", False),
    ]
    assert all(item["at"] is not None for item in found)


def report_metrics(world: World, *metrics: MetricValue) -> None:
    """The complete metrics of grf1."""
    world.seq += 1
    head: dict[str, Any] = {"boot": world.boot, "seq": world.seq, "device": "grf1"}
    at = nanoseconds(world.now)
    world.report([MetricReport(**head, at=at, collector="snmp", metrics=list(metrics))])


def test_card_state_next_to_its_port_is_an_effect_of_the_link(world: World) -> None:
    panic = MetricValue(subject="card 3 (ATM OC-12)", metric="grf.card_state", value="panic")
    world.forward()
    world.down |= {"grf1:ga030", "origin1:at0"}
    world.describe()
    for _ in range(6):
        rounds(world, 1)
        report_metrics(world, panic)
    by_kind = current()
    (link,) = by_kind["port_down"]
    (card,) = by_kind["device_state"]
    assert card.cause == link
    (item,) = card.evidence
    assert (item["source"], item["by"]) == ("snmp", "mgmt1")
    assert item["text"] == "card 3 (ATM OC-12) card state is panic"
    assert item["at"] is not None


def test_state_on_the_switch_is_an_effect_of_the_isolated_gateway(world: World) -> None:
    down = MetricValue(subject="grf1", metric="sp.node_state", value="nodeDown")
    world.forward()
    world.down |= CUT
    world.describe()
    fall(world)
    for _ in range(6):
        rounds(world, 1)
        report_metrics(world, down)
    by_kind = current()
    (root,) = by_kind["gateway_isolated"]
    (state,) = by_kind["device_state"]
    assert state.cause == root


def test_state_on_the_switch_is_an_effect_of_its_fabric(world: World) -> None:
    down = MetricValue(subject="grf1", metric="sp.node_state", value="nodeDown")
    world.forward()
    world.down |= {"grf1:gt000", *(f"{name}:css0" for name in ("sp01", "sp02", "sp03", "atmgw"))}
    world.describe()
    for _ in range(6):
        rounds(world, 1)
        report_metrics(world, down)
    by_kind = current()
    (root,) = by_kind["fabric_down"]
    drawn = incident_charts(root, SiteSnapshot(world.site, world.now)).links
    drawn_fabrics = set(world.site.links.filter(pk__in=drawn).values_list("fabric__name", flat=True))
    assert drawn_fabrics == set(
        world.node("sp01").ports.filter(name="css0").values_list("fabric__name", flat=True)
    )
    (state,) = by_kind["device_state"]
    assert state.cause == root


def test_parent_is_as_severe_as_its_worst_effect(world: World) -> None:
    world.forward()
    world.down.add("grf1:gh010")
    world.describe("grf1")
    rounds(world, 6, but=("onyx1",))
    (stale,), (link,) = current()["node_stale"], current()["port_down"]
    assert (link.cause, link.severity) == (stale, "critical")
    assert (stale.own_severity, stale.severity) == ("warning", "critical")
    SiteRule.objects.filter(kind="port_down").update(enabled=False)
    rounds(world, 1, but=("onyx1",))
    stale.refresh_from_db()
    assert stale.severity == "warning"


def test_evaluation_during_a_fault_needs_a_bounded_number_of_queries(world: World) -> None:
    world.forward()
    world.down |= CUT
    world.describe()
    fall(world)
    rounds(world, 2)
    with CaptureQueriesContext(connection) as queries:
        evaluate_rules(world.site, RULES, world.now)
    assert len(queries) <= QUERIES, len(queries)
