"""Bad InfiniBand cables, blocked HIPPI destinations and lost static ARP entries become incidents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from backstay.alerts import services
from backstay.alerts.models import Incident
from backstay.alerts.selectors import cadence
from backstay.api.tests.world import INTERVAL_S, World, site_file
from backstay.core.model.progress import Phase
from backstay.intake.site_files import import_text
from backstay.telemetry.states import metrics
from backstay_wire import DeltaOutcome, MetricReport, MetricValue

pytestmark = pytest.mark.slow


def with_infiniband() -> str:
    """The small Argonne with an InfiniBand switch and a host, swept by `mgmt1`."""
    site = json.loads(site_file())
    for name, port in (("isw1", "1"), ("x01", "mlx4_0/1")):
        site["nodes"].append(
            {"name": name, "kind": "switch" if name == "isw1" else "host", "agent": "mgmt1"}
            | {"guid": f"0x0002c9030000{'01' if name == 'isw1' else '11'}00"}
            | {"ports": [{"name": port, "fabric": "ib"}]}
        )
    site["links"].append({"a": "isw1:1", "b": "x01:mlx4_0/1"})
    return json.dumps(site)


@pytest.fixture
def world(db: None) -> Iterator[World]:
    metrics.forget_layouts()
    cadence.forget()
    world = World.make()
    import_text(with_infiniband(), "argonne.yaml", world.now)
    world.site.refresh_from_db()
    world.describe()
    world.sample()
    yield world
    cadence.forget()


def report(world: World, node: str, collector: str, *values: MetricValue) -> None:
    """A collector's complete metrics of one interval, and everybody's samples."""
    world.sample()
    head: dict[str, Any] = world._head(node)
    report = MetricReport(
        **head, collector=collector, duration_ns=int(INTERVAL_S * 1e9), metrics=list(values)
    )
    world.report([report])


def shown(kind: str) -> list[Incident]:
    rows = Incident.objects.filter(rule__kind=kind).exclude(phase__in=[Phase.RESOLVED, Phase.PENDING])
    return list(rows.order_by("pk"))


def growth(subject: str, metric: str, value: float) -> MetricValue:
    return MetricValue(subject=subject, metric=metric, value=value, outcome=DeltaOutcome.OK)


def test_cable_with_symbol_errors_is_an_incident_that_names_it(world: World) -> None:
    for _ in range(4):
        world.forward()
        report(world, "isw1", "infiniband", growth("1", "ib.symbol_errors", 40))
    services.run_round(world.now)
    (cable,) = shown("cable")
    assert cable.title == "isw1:1-x01:mlx4_0/1: bad InfiniBand cable"
    assert "symbol errors in 1 min, 3 allowed. Replace the cable." in cable.detail
    (item,) = cable.evidence
    assert (item["by"], "symbol errors in 1 min" in item["text"], item["at"] is None) == (
        "mgmt1",
        True,
        False,
    )
    assert (cable.link, cable.severity) == (world.link("isw1:1"), "warning")
    world.forward()
    report(world, "isw1", "infiniband", growth("1", "ib.symbol_errors", 0))
    services.run_round(world.now)
    assert len(shown("cable")) == 1, "the counters' history is read again only after a while"


def test_good_cable_is_no_incident(world: World) -> None:
    for _ in range(4):
        world.forward()
        report(world, "isw1", "infiniband", growth("1", "ib.symbol_errors", 0))
    services.run_round(world.now)
    assert shown("cable") == []


def gateway(world: World, busy: float) -> None:
    """An interval in which packets of a gateway waited for this share of the time."""
    world.forward()
    clock = INTERVAL_S * 50_000
    report(
        world,
        "grf1",
        "snmp",
        growth("", "hsg.clock", clock),
        growth("", "hsg.src_busy", busy * clock),
        growth("", "hsg.src_packets", 20),
        growth("", "hsg.src_connect_fail", 0),
    )


def test_destination_that_is_blocked_all_the_time_is_an_incident(world: World) -> None:
    for _ in range(10):
        gateway(world, 1.0)
    services.run_round(world.now)
    (blocked,) = shown("hippi_blocked")
    assert blocked.title == "grf1: its HIPPI destination is blocked 100 % of the time"
    assert "A packet waits 100 ms on average." in blocked.detail
    texts = [(item["source"], item["text"], item["by"]) for item in blocked.evidence]
    assert texts[0] == ("snmp", "packets waited 100 % of 20 s", "mgmt1")
    for _ in range(35):
        gateway(world, 0.0)
    services.run_round(world.now)
    assert shown("hippi_blocked") == []


def test_destination_with_usual_waits_is_no_incident(world: World) -> None:
    for _ in range(10):
        gateway(world, 0.2)
    services.run_round(world.now)
    assert shown("hippi_blocked") == []


def static(world: World, entries: int) -> None:
    """A report of grf1's table with so many static entries."""
    world.forward()
    levels = {"ipv4_entries": 2, "ipv6_entries": 0, "permanent": entries, "incomplete": 0}
    levels["top_mac_entries"] = 1
    values = [
        MetricValue(subject="gt000", metric=f"neigh.{name}", value=value) for name, value in levels.items()
    ]
    report(world, "grf1", "snmp-neighbours", *values)
    services.run_round(world.now)


def restart(world: World) -> None:
    world.report([world.device("grf1").model_copy(update={"uptime_s": 1.0})])


def test_static_entries_lost_at_a_restart_are_an_incident_until_they_are_set_again(world: World) -> None:
    static(world, 8)
    assert shown("neighbour_static") == []
    world.forward()
    restart(world)
    static(world, 0)
    (lost,) = shown("neighbour_static")
    assert lost.title == "grf1:gt000 lost 8 static ARP entries when it restarted"
    assert (lost.subject, lost.node, lost.severity) == ("grf1:gt000", world.node("grf1"), "warning")
    found = [(item["source"], item["text"], item["by"]) for item in lost.evidence]
    assert found == [
        ("neighbours", "gt000 has 0 of 8 static entries", "mgmt1"),
        ("snmp", "grf1 started", "mgmt1"),
    ]
    static(world, 3)
    (lost,) = shown("neighbour_static")
    assert (lost.value, lost.peak_value, "3 entries remain" in lost.detail) == (5.0, 8.0, True)
    static(world, 8)
    assert shown("neighbour_static") == []


def test_restart_reported_after_the_table_is_still_the_reason(world: World) -> None:
    static(world, 8)
    world.forward()
    static(world, 0)
    assert shown("neighbour_static") == []
    world.report([world.device("grf1").model_copy(update={"uptime_s": 3.0})])
    services.run_round(world.now)
    assert len(shown("neighbour_static")) == 1


def test_static_entries_removed_by_hand_are_no_incident(world: World) -> None:
    static(world, 8)
    world.forward(120)
    static(world, 0)
    assert shown("neighbour_static") == []
