"""Neighbour tables from reports to incidents: floods, full tables, duplicates, entries of a dead gateway."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.alerts.rule import MetricSeries
from backstay.alerts.selectors.incident_charts import incident_charts
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.api.tests.world import INTERVAL_S, World, bearer, kept, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.inventory.models import Node
from backstay.telemetry.ingest import store
from backstay.telemetry.models import Neighbour as Row
from backstay.telemetry.models import NeighbourClash, NeighbourQuota, PortState
from backstay.telemetry.selectors.neighbours import history
from backstay.telemetry.states import neighbours
from backstay_wire import (
    DeltaOutcome,
    MetricReport,
    MetricValue,
    Neighbour,
    NeighbourReport,
    Route,
    RouteReport,
)

ONYX = "02:00:00:00:00:99"


@pytest.fixture(scope="module")
def quiet(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        world = World.make(now=datetime.now(UTC).replace(microsecond=0))
        world.describe()
        world.all_paths()
        world.sample()
        PortState.objects.filter(port__node__name="onyx1").update(mac=ONYX)
        services.run_round(world.now)
        yield world


@pytest.fixture
def world(quiet: World, db: None) -> World:
    return quiet.copy()


def counts(
    world: World, entries: int, *, node: str = "grf1", port: str = "gh010", top: str = ONYX, **more: Any
) -> MetricReport:
    """Metrics that the SNMP neighbour collector reports for one port."""
    values = {
        "neigh.ipv4_entries": entries,
        "neigh.ipv6_entries": 0,
        "neigh.permanent": 0,
        "neigh.incomplete": 0,
        "neigh.top_mac": top,
        "neigh.top_mac_entries": entries,
        **more,
    }
    metrics = [MetricValue(subject=port, metric=name, value=value) for name, value in values.items()]
    return MetricReport(
        **world._head(node), collector="snmp-neighbours", duration_ns=int(INTERVAL_S * 1e9), metrics=metrics
    )


def table(world: World, node: str, entries: Iterable[tuple[str, str]], state: str = "reachable") -> None:
    """Report a node's complete neighbour table of css0 now."""
    reported = [Neighbour(port="css0", address=address, mac=mac, state=state) for address, mac in entries]
    world.report([NeighbourReport(**world._head(node), neighbours=reported)])


def step(world: World, entries: int | None = None, **more: Any) -> None:
    """Advance by an interval, report grf1's table, and evaluate."""
    world.forward()
    world.sample()
    if entries is not None:
        world.report([counts(world, entries, **more)])
    services.run_round(world.now)


def open_of(kind: str) -> list[Incident]:
    rows = Incident.objects.filter(phase=Phase.OPEN, rule__kind=kind).order_by("pk")
    return list(rows)


def evidence(incident: Incident) -> list[tuple[str, str, str, bool]]:
    """Source, text, reporting node, and whether it supports the incident."""
    assert all(item["at"] for item in incident.evidence)
    return [(item["source"], item["text"], item["by"], item["supports"]) for item in incident.evidence]


def declare_capacity(world: World, entries: int) -> None:
    node = world.node("grf1")
    node.labels = {**node.labels, "neighbour_capacity": str(entries)}
    node.save()


def test_flood_is_an_incident_within_two_intervals_with_port_and_source(world: World) -> None:
    declare_capacity(world, 1024)
    step(world, 3)
    step(world, 300)
    (flood,) = open_of("neighbour_flood")
    assert flood.title == (
        "grf1:gh010: broadcasts of onyx1:hip0 fill the neighbour table, 300 of 1,024 entries"
    )
    assert f"onyx1:hip0 ({ONYX}): 300 of 300 entries point at it." in flood.detail
    assert "ARP off at gh010" in flood.detail
    texts = ["300 entries at gh010", "148 new entries a second", f"{ONYX}: 300 of 300 entries point at it"]
    assert evidence(flood) == [("neighbours", text, "mgmt1", True) for text in texts]
    assert (flood.subject, flood.node, flood.severity) == ("grf1:gh010", world.node("grf1"), "warning")
    drawn = incident_charts(flood, SiteSnapshot(world.site, world.now)).metrics
    assert drawn[0] == MetricSeries(world.node("grf1").pk, "neigh.ipv4_entries", "gh010")


def test_ipv6_flood_is_an_incident_of_its_own_table(world: World) -> None:
    declare_capacity(world, 1024)
    step(world, 3)
    step(world, 3, **{"neigh.ipv6_entries": 300, "neigh.top_mac_entries": 298})
    (flood,) = open_of("neighbour_flood")
    assert flood.title == (
        "grf1:gh010: neighbour solicitations of onyx1:hip0 fill the IPv6 neighbour table, 300 of 1,024"
        " entries"
    )
    assert f"onyx1:hip0 ({ONYX}): 298 of 300 entries point at it." in flood.detail
    assert "ARP off" not in flood.detail
    assert "ipv6.gc_thresh3" in flood.detail
    assert (flood.value, flood.threshold, flood.severity) == (300.0, 1024.0, "warning")
    end_flood(world)
    assert open_of("neighbour_flood") == []


def end_flood(world: World) -> None:
    """No growth for more than the minute after which a flood is over."""
    for _ in range(3):
        step(world)
    world.forward(60)
    step(world)


def test_flood_ends_after_a_minute_without_growth(world: World) -> None:
    step(world, 3)
    step(world, 300)
    for _ in range(5):
        step(world)
    assert len(open_of("neighbour_flood")) == 1
    end_flood(world)
    assert open_of("neighbour_flood") == []
    assert Incident.objects.filter(rule__kind="neighbour_flood").count() == 1


def test_steady_flood_is_one_incident_although_the_table_grows_in_bursts(world: World) -> None:
    """Entries expire as fast as they appear, and a walk of a large table does not run each interval."""
    step(world, 3)
    for burst in range(4):
        step(world, 300 + 100 * (burst % 2))
        step(world, 600 + 100 * (burst % 2))
        for _ in range(10):
            step(world)
    assert len(open_of("neighbour_flood")) == 1
    assert Incident.objects.filter(rule__kind="neighbour_flood").count() == 1


def test_flood_from_an_unknown_address_is_traced_to_the_other_end_of_the_link(
    world: World,
) -> None:
    step(world, 3)
    step(world, 300, top="02:ff:00:00:00:01")
    (flood,) = open_of("neighbour_flood")
    assert flood.title.startswith("grf1:gh010: broadcasts of onyx1:hip0 fill")
    assert "(02:ff:00:00:00:01)" in flood.detail


def test_table_at_70_percent_warns_and_overflow_is_critical(world: World) -> None:
    declare_capacity(world, 1024)
    step(world, 700)
    assert open_of("neighbour_table") == []
    step(world, 720)
    (full,) = open_of("neighbour_table")
    drawn = incident_charts(full, SiteSnapshot(world.site, world.now)).metrics
    assert {item.metric for item in drawn} == {"neigh.ipv4_entries"}
    assert full.title == "grf1: ARP table 70 % full, 720 of 1,024 entries"
    assert (full.severity, full.threshold) == ("warning", 0.70)
    overflow = MetricValue(metric="neigh.ipv4_overflows", value=12, outcome=DeltaOutcome.OK)
    report = counts(world, 1000)
    world.forward()
    world.sample()
    world.report([report.model_copy(update={"metrics": [*report.metrics, overflow], **world._head("grf1")})])
    services.run_round(world.now)
    (full,) = open_of("neighbour_table")
    assert full.severity == "critical"
    assert "12 more were refused" in full.detail
    step(world, 600)
    assert open_of("neighbour_table") == []


def test_table_of_an_unreachable_device_is_not_evaluated(world: World) -> None:
    declare_capacity(world, 1024)
    step(world, 800)
    assert len(open_of("neighbour_table")) == 1
    world.forward(600)
    services.run_round(world.now)
    assert len(open_of("neighbour_table")) == 1


def test_address_at_two_hardware_addresses_is_a_duplicate_after_10_s(world: World) -> None:
    table(world, "sp01", [("10.1.0.7", "02:00:00:00:00:01")])
    table(world, "sp02", [("10.1.0.7", "02:00:00:00:00:02")])
    services.run_round(world.now)
    assert open_of("neighbour_clash") == []
    world.forward(12)
    services.run_round(world.now)
    (clash,) = open_of("neighbour_clash")
    assert clash.title == (
        "10.1.0.7 on sp-switch has 2 hardware addresses: 02:00:00:00:00:01 and 02:00:00:00:00:02"
    )
    assert "by sp01" in clash.detail
    assert "by sp02" in clash.detail
    assert evidence(clash) == [
        ("neighbours", f"sp0{n} has 10.1.0.7 at 02:00:00:00:00:0{n} on css0 (reachable)", f"sp0{n}", True)
        for n in (1, 2)
    ]
    table(world, "sp02", [("10.1.0.7", "02:00:00:00:00:01")])
    services.run_round(world.now)
    assert open_of("neighbour_clash") == []
    assert NeighbourClash.objects.count() == 1
    assert neighbours.forget_settled() == 1


def test_two_spellings_of_one_hardware_address_are_no_duplicate(world: World) -> None:
    table(world, "sp01", [("10.1.0.7", "2:0:0:0:0:1")])
    table(world, "sp02", [("10.1.0.7", "02:00:00:00:00:01")])
    assert NeighbourClash.objects.count() == 0


def route(prefix: str, via: str, metric: int = 0) -> Route:
    return Route(prefix=prefix, protocol="static", metric=metric, next_hops=[{"via": via, "port": "css0"}])


def routes(world: World, node: str, *known: Route) -> None:
    """Report a node's complete routing table now."""
    world.report([RouteReport(**world._head(node), complete=True, routes=list(known))])


Capture = Callable[..., AbstractContextManager[Any]]


def leave_grf1(world: World, capture: Capture) -> None:
    """grf1 is unreachable; sp01 and sp02 fail over, sp03 keeps its route."""
    with capture(execute=True):
        world.fail_over()
    dead = {"grf1": False, "atmgw": True}
    world.report(
        [
            world.path("sp03", "sp-default", "grf1", alive=dead, target_alive=False),
            world.path("router", "router-to-sp", "atmgw", alive=dead),
            world.path("origin1", "origin1-to-sp", "router", alive={"grf1": False, "router": True}),
        ]
    )
    world.forward(11)
    world.sample()
    services.run_round(world.now)


def test_nodes_that_still_use_a_dead_gateway_are_counted_by_routes_not_by_arp_entries(
    world: World, django_capture_on_commit_callbacks: Capture
) -> None:
    grf = "02:00:00:00:00:16"
    PortState.objects.filter(port__node__name="grf1", port__name="gt000").update(mac=grf)
    table(world, "sp01", [("10.1.0.16", grf)], "stale")
    routes(world, "sp01", route("0.0.0.0/0", "10.1.0.15", 10), route("0.0.0.0/0", "10.1.0.16", 20))
    table(world, "sp02", [("10.1.0.16", grf)], "stale")
    routes(world, "sp02", route("10.2.0.0/30", "10.1.0.16"))
    leave_grf1(world, django_capture_on_commit_callbacks)
    (found,) = open_of("neighbour_gateway")
    assert found.title == "2 nodes still use the dead gateway grf1: sp02 and sp03"
    assert found.detail == (
        f"sp02: 10.2.0.0/30 via 10.1.0.16 (css0, stale entry {grf});"
        " sp03: 0.0.0.0/0 through grf1 (sp-default). Packets sent there are lost."
    )
    assert found.severity == "critical"
    assert evidence(found) == [
        ("probe", "grf1 does not answer 5 nodes", "origin1, router, sp01, sp02 and 1 more", True),
        ("report", f"sp02 routes 10.2.0.0/30 via 10.1.0.16 (css0, stale entry {grf})", "sp02", True),
        ("report", "sp03 uses grf1 for 0.0.0.0/0", "sp03", True),
    ]
    table(world, "sp02", [("10.1.0.16", grf)])
    step(world)
    (found,) = open_of("neighbour_gateway")
    assert evidence(found)[2] == ("neighbours", "sp02 has a confirmed entry for 10.1.0.16", "sp02", False)
    for node in ("sp01", "sp02"):
        table(world, node, [])
    step(world)
    (found,) = open_of("neighbour_gateway")
    assert found.title == "2 nodes still use the dead gateway grf1: sp02 and sp03"


def test_one_node_without_an_answer_does_not_make_its_gateway_dead(world: World) -> None:
    paths = [("sp01", "sp-default"), ("sp02", "sp-default"), ("router", "router-to-sp")]
    world.report(
        [
            *(world.path(node, policy, "grf1", alive={}) for node, policy in paths),
            world.path("origin1", "origin1-to-sp", "grf1", alive={}),
            world.path("sp03", "sp-default", "grf1", alive={"grf1": False}, target_alive=False),
        ]
    )
    world.forward(11)
    world.sample()
    services.run_round(world.now)
    kinds = set(Incident.objects.values_list("rule__kind", flat=True))
    assert kinds & {"path_dead", "neighbour_gateway"} == {"path_dead"}


def test_route_that_resolves_to_a_dead_gateway_uses_it_whatever_its_address(
    world: World, django_capture_on_commit_callbacks: Capture
) -> None:
    grf = "02:00:00:00:00:16"
    PortState.objects.filter(port__node__name="grf1", port__name="gt000").update(mac=grf)
    table(world, "sp01", [("10.1.0.254", grf)], "permanent")
    routes(world, "sp01", route("10.7.0.0/16", "10.1.0.254"))
    leave_grf1(world, django_capture_on_commit_callbacks)
    (found,) = open_of("neighbour_gateway")
    assert found.title == "2 nodes still use the dead gateway grf1: sp01 and sp03"


def test_address_that_moved_to_another_gateway_is_not_the_dead_one(
    world: World, django_capture_on_commit_callbacks: Capture
) -> None:
    for node, port in (("grf1", "gt000"), ("atmgw", "css0")):
        PortState.objects.filter(port__node__name=node, port__name=port).update(addresses=["10.1.0.99/16"])
    routes(world, "sp01", route("0.0.0.0/0", "10.1.0.99"))
    leave_grf1(world, django_capture_on_commit_callbacks)
    (found,) = open_of("neighbour_gateway")
    assert found.title == "1 node still uses the dead gateway grf1: sp03"


def test_address_owners_are_kept_after_moves_and_removal(world: World) -> None:
    first, second = "02:00:00:00:00:01", "02:00:00:00:00:02"
    began = world.now
    table(world, "sp01", [("10.1.0.7", first), ("fe80::1", first)])
    moved = world.forward(60)
    table(world, "sp01", [("10.1.0.7", second), ("fe80::1", first)])
    gone = world.forward(60)
    table(world, "sp01", [])
    reported = [(row.mac, row.since, row.until) for row in history(world.site, "10.1.0.7")]
    assert reported == [(second, moved, gone), (first, began, moved)]
    (then,) = history(world.site, "10.1.0.7", began + timedelta(seconds=30))
    assert (then.node, then.port, then.mac) == ("sp01", "css0", first)
    assert [row.mac for row in history(world.site, "fe80::1")] == [first]


def test_state_change_of_an_entry_creates_no_history(world: World) -> None:
    table(world, "sp01", [("10.1.0.7", ONYX)], "reachable")
    held = Row.objects.get(address="10.1.0.7").held_since
    world.forward(5)
    table(world, "sp01", [("10.1.0.7", ONYX)], "stale")
    row = Row.objects.get(address="10.1.0.7")
    assert (row.state, row.held_since, row.since) == ("stale", held, world.now)
    assert len(history(world.site, "10.1.0.7")) == 1


def test_history_rows_per_device_are_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST_A_DAY", 10)
    for offset in range(3):
        table(world, "sp01", [(f"10.9.{offset}.{host}", ONYX) for host in range(8)])
        world.forward(1)
    quota = NeighbourQuota.objects.get(node=Node.objects.get(name="sp01"))
    assert (quota.written, quota.dropped) == (10, 6)


def test_of_8000_repeated_entries_only_the_moved_one_is_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    macs = [f"02:00:00:00:{n // 256:02x}:{n % 256:02x}" for n in range(8000)]
    entries = [(f"10.8.{n // 250}.{n % 250}", mac) for n, mac in enumerate(macs)]
    table(world, "sp01", entries)
    before = dict(Row.objects.values_list("address", "pk"))
    assert len(before) == 8000
    asked: list[int] = []
    query = store.query

    def noted(statement: str, values: Any) -> list[tuple[Any, ...]]:
        found = query(statement, values)
        if "telemetry_neighbour" in statement and not statement.lstrip().startswith("SELECT"):
            asked.append(len(found))
        return found

    monkeypatch.setattr(store, "query", noted)
    world.forward(2)
    entries[17] = (entries[17][0], ONYX)
    table(world, "sp01", entries)
    assert asked == [1, 1, 0], "one entry, one row of the past, and no clash"
    assert dict(Row.objects.values_list("address", "pk")) == before
    assert len(history(world.site, entries[17][0])) == 2


def test_tables_entries_history_and_duplicates_are_readable(world: World, client: Client) -> None:
    declare_capacity(world, 1024)
    table(world, "sp01", [("10.1.0.7", ONYX), ("10.1.0.8", "")])
    table(world, "sp02", [("10.1.0.7", "02:00:00:00:00:02")])
    step(world, 3)
    step(world, 300)
    headers = bearer(person("ada", Role.VIEWER))

    def get(path: str) -> Any:
        reply = client.get(f"/api/v1/neighbours{path}", headers=headers)
        assert reply.status_code == 200, reply.content
        return reply.json()

    (entry,) = get(f"?mac={ONYX.upper()}&address=10.1.0.7")["items"]
    assert (entry["node"], entry["port"], entry["owner"]) == ("sp01", "css0", "onyx1:hip0")
    assert len(get("?node=sp01")["items"]) == 2
    (port,) = get("/tables")["items"]
    assert (port["node"], port["port"], port["fabric"], port["ipv4"]) == ("grf1", "gh010", "hippi", 300)
    assert port["share"] == pytest.approx(300 / 1024)
    assert [item["title"][:10] for item in port["incidents"]] == ["grf1:gh010"]
    assert port["top_owner"] == "onyx1:hip0"
    assert [item["entries"] for item in port["recent"]][:2] == [3, 300]
    past = get("/history?address=10.1.0.7")
    assert {row["owner"] for row in past["items"]} == {"onyx1:hip0", ""}
    assert get("/history?address=10.1.0.7&at=now-1h")["items"] == []
    (twice,) = get("/duplicates")["items"]
    assert {mac["mac"]: mac["nodes"] for mac in twice["macs"]} == {
        ONYX: ["sp01:css0"],
        "02:00:00:00:00:02": ["sp02:css0"],
    }
    wrong = client.get("/api/v1/neighbours/history?address=onyx1", headers=headers)
    assert (wrong.status_code, wrong.json()["fields"]) == (
        400,
        {"address": "expected an IPv4 or IPv6 address"},
    )
