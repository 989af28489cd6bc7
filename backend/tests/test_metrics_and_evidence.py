"""Metrics, neighbours and notices from agent reports to the public API."""

from __future__ import annotations

import json
import math
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import Agent
from backstay.alerts import heartbeat, services
from backstay.alerts.models import Incident
from backstay.api.agent.desired import desired
from backstay.api.tests.world import World, bearer, person, reader
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.intake.batches import store_batch
from backstay.intake.site_files import import_text
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.inventory.services import attach_agent
from backstay.telemetry.alarm_models import Alarm
from backstay.telemetry.ingest.batch import Batch
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import Event, MetricLayout
from backstay.telemetry.states import metrics
from backstay_wire import (
    Adjacency,
    AdjacencyReport,
    DeltaOutcome,
    DeviceReport,
    ForwardingEntry,
    ForwardingReport,
    MetricReport,
    MetricValue,
    Notice,
    NoticeReport,
    PortState,
    SpoolState,
)

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("shown_at_once")]

SECOND = 10**9
GUIDS = {"isw1": "0x0002c90300000001", "x01": "0x0002c90300000011", "x02": "0x0002c90300000012"}


def ib_site() -> str:
    """A switch and two hosts on InfiniBand, swept by two management hosts; and an Ethernet switch."""
    ib = [
        {"name": "isw1", "kind": "switch", "agent": "mgmt1", "guid": GUIDS["isw1"]}
        | {"ports": [{"name": str(number), "fabric": "ib"} for number in range(1, 5)]},
        *(
            {"name": name, "kind": "host", "agent": "mgmt1", "guid": GUIDS[name]}
            | {"ports": [{"name": "mlx4_0/1", "fabric": "ib"}]}
            for name in ("x01", "x02")
        ),
    ]
    sweeping = [
        {"kind": "linux"},
        {"kind": "infiniband", "fabric": "ib"},
        {"kind": "notices", "address": "10.255.0.9", "access": [{"version": "2c", "community": "hush"}]},
    ]
    management = [
        {"name": name, "kind": "host", "role": "management", "agent": "self", "sources": sweeping}
        | {"ports": [{"name": "en0", "management": True, "addresses": [address]}]}
        for name, address in (("mgmt1", "10.255.0.1/24"), ("mgmt2", "10.255.0.2/24"))
    ]
    lan = [
        {"name": "sw1", "kind": "switch", "agent": "mgmt1", "sources": [_snmp("10.255.0.5")]}
        | {"ports": [{"name": f"Ethernet1/{n}", "fabric": "lan"} for n in (1, 2, 3)]},
        {"name": "h1", "kind": "host", "agent": "mgmt1", "sources": [_snmp("10.255.0.6")]}
        | {"ports": [{"name": "eth0", "fabric": "lan", "addresses": ["10.1.0.1/24"]}]},
        {"name": "h2", "kind": "host", "agent": "mgmt1", "sources": [_snmp("10.255.0.7")]}
        | {"ports": [{"name": "eth0", "fabric": "lan", "addresses": ["10.1.0.2/24"]}]},
    ]
    fabrics = [
        {"name": "ib", "kind": "infiniband", "media_rate": "10 Gb/s", "usable_rate": "8 Gb/s"},
        {"name": "lan", "kind": "ethernet", "media_rate": "1 Gb/s"},
    ]
    links = [{"a": "isw1:1", "b": "x01:mlx4_0/1"}]
    nodes = [*management, *ib, *lan]
    return json.dumps({"site": "ibsite", "interval_s": 2, "fabrics": fabrics, "nodes": nodes, "links": links})


def _snmp(address: str) -> dict[str, Any]:
    return {"kind": "snmp", "address": address, "access": {"version": "2c", "community": "hush"}}


@pytest.fixture
def world(db: None) -> World:
    metrics.forget_layouts()
    now = timezone.now()
    import_text(ib_site(), "ib.yaml", now)
    site = Site.objects.get(name="ibsite")
    for name in ("mgmt1", "mgmt2"):
        agent = Agent.objects.create(site=site.name, node=name, public_key=name.encode().ljust(32, b"."))
        attach_agent(agent)
    return World(site, now)


@pytest.fixture
def get(world: World, client: Client) -> Any:
    return reader(client)


def head(world: World, device: str) -> dict[str, Any]:
    world.seq += 1
    at = int(world.now.timestamp() * 1e6) * 1000
    return {"boot": world.boot, "seq": world.seq, "device": device, "at": at}


def metric_report(
    world: World, device: str, *metrics: MetricValue, seconds: float | None = 2.0
) -> MetricReport:
    duration_ns = None if seconds is None else int(seconds * SECOND)
    return MetricReport(
        **head(world, device), collector="infiniband", duration_ns=duration_ns, metrics=list(metrics)
    )


def adjacency_report(world: World, device: str, source: str, **ports: tuple[str, str]) -> AdjacencyReport:
    """`ports`: own port (`_` for `/`) -> (neighbour's name, its port)."""
    entries = [
        Adjacency(port=port.lstrip("p"), peer=peer, peer_port=there, width="4X 2.5 Gbps")
        for port, (peer, there) in ports.items()
    ]
    return AdjacencyReport(**head(world, device), source=source, adjacencies=entries)


def links(site: Site) -> dict[str, Link]:
    rows = Link.objects.filter(site=site).select_related("a__node", "b__node", "fabric")
    return {
        f"{row.a.node.name}:{row.a.name}-"
        + (f"{row.b.node.name}:{row.b.name}" if row.b else row.fabric.name): row
        for row in rows
    }


def test_page_shows_the_newest_metric_set_of_a_collector(world: World, get: Any) -> None:
    port = Port.objects.get(node__name="isw1", name="1")
    world.report(
        [
            metric_report(
                world,
                "isw1",
                MetricValue(subject="1", metric="ib.symbol_errors", value=6),
                MetricValue(subject="1", metric="ib.port_state", value="active"),
                MetricValue(subject="", metric="vendor.<b>odd</b>", value="<script>alert(1)</script>"),
                MetricValue(
                    subject="2", metric="ib.symbol_errors", value=255, outcome=DeltaOutcome.SATURATED
                ),
            )
        ]
    )
    rows = {(row["metric"], row["subject"]): row for row in get(f"nodes/{port.node_id}/metrics")["items"]}
    errors = rows["ib.symbol_errors", "1"]
    assert (errors["value"], errors["per_s"], errors["state"], errors["port_id"]) == (
        6,
        3.0,
        "warning",
        port.pk,
    )
    assert errors["name"] == "Symbol errors"
    assert errors["sentence"]
    assert (rows["ib.port_state", "1"]["reported_state"], rows["ib.port_state", "1"]["state"]) == (
        "active",
        "ok",
    )
    odd = rows["vendor.<b>odd</b>", ""]
    assert (odd["kind"], odd["state"], odd["reported_state"]) == (
        "unknown",
        "unknown",
        "<script>alert(1)</script>",
    )
    stuck = rows["ib.symbol_errors", "2"]
    assert (stuck["outcome"], stuck["state"], stuck["per_s"]) == ("saturated", "unknown", None)


def test_older_metric_set_enters_the_history_but_replaces_nothing(world: World, get: Any) -> None:
    node = world.node("isw1").pk
    # Both intervals are in the same 5 minutes, of which p95 takes the mean.
    world.now = datetime.fromtimestamp(world.now.timestamp() // 300 * 300 - 60, UTC)
    first = metric_report(world, "isw1", MetricValue(subject="1", metric="ib.symbol_errors", value=4))
    world.forward(2)
    second = metric_report(world, "isw1", MetricValue(subject="1", metric="ib.symbol_errors", value=0))
    world.report([second])
    world.report([first])
    (item,) = get(f"nodes/{node}/metrics?metric=ib.symbol_errors")["items"]
    assert item["value"] == 0
    start, end = (quote((world.now + timedelta(minutes=side)).isoformat()) for side in (-1, 1))
    history = get(f"nodes/{node}/metrics/history?metric=ib.symbol_errors&subject=1&start={start}&end={end}")
    assert [value for value in history["mean"] if value is not None] == [2.0, 0.0]
    assert (history["per_second"], history["unit"]) == (True, "errors")
    assert [value for value in history["min"] if value is not None] == [2.0, 0.0]
    assert (history["level"], history["p95_exact"]) == ("samples", True)
    assert history["coverage"] == pytest.approx(4 / 120, abs=1e-3)
    assert history["p95"] == pytest.approx(1.0)


def test_metrics_with_changing_names_are_bounded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "MAX_LAYOUTS", 3)
    outcomes = []
    for number in range(5):
        world.forward(2)
        report = metric_report(
            world, "isw1", MetricValue(subject=f"invented {number}", metric="ib.symbol_errors", value=1)
        )
        outcomes += world.report([report])
    assert [outcome.stored for outcome in outcomes] == [1, 1, 1, 0, 0]
    assert MetricLayout.objects.count() == 3


def test_non_numeric_metric_value_is_dropped(world: World, get: Any) -> None:
    infinite = MetricValue(subject="1", metric="ib.sweep_ms", value=1).model_copy(update={"value": math.inf})
    world.report([metric_report(world, "isw1", infinite)])
    (item,) = get(f"nodes/{world.node('isw1').pk}/metrics")["items"]
    assert (item["value"], item["state"]) == (None, "unknown")


def test_two_sweeps_of_a_fabric_are_stored_once_and_the_second_takes_over(world: World) -> None:
    mine, other = (Agent.objects.get(node=name) for name in ("mgmt1", "mgmt2"))
    assert [source.kind for source in desired(other).sources] == ["linux", "infiniband", "notices"]
    for agent in (mine, other):
        (sweep,) = [source for source in desired(agent).sources if source.kind == "infiniband"]
        assert sweep.devices == {GUIDS[name]: name for name in ("isw1", "x01", "x02")}
        assert [tuple(cable.model_dump().values()) for cable in sweep.cables] == [
            ("isw1", "1", "x01", "mlx4_0/1")
        ]

    def send(agent: Agent, at: float) -> list[str]:
        world.forward(at)
        report = metric_report(world, "isw1", MetricValue(subject="1", metric="ib.symbol_errors", value=1))
        report = report.model_copy(update={"boot": uuid.uuid4()})
        sent = nanoseconds(world.now)
        batch = Batch(agent.pk, world.now, sent, SpoolState(), [(0, report)])
        return [rejection.code.value for rejection in store_batch(batch).rejected]

    assert send(mine, 0) == []
    assert send(other, 1) == ["duplicate"]
    assert send(mine, 1) == []
    assert send(other, 7) == []
    assert send(mine, 1) == ["duplicate"]


def test_notice_senders_are_the_agents_devices(world: World) -> None:
    (source,) = [item for item in desired(Agent.objects.get(node="mgmt1")).sources if item.kind == "notices"]
    assert source.senders["10.255.0.5"] == "sw1"
    assert source.senders["10.1.0.1"] == "h1"
    assert "10.255.0.2" not in source.senders
    (access,) = source.access
    assert access.version == "2c"
    assert access.community.get_secret_value() == "hush"


def test_sweep_finds_cables_and_follows_a_moved_one_at_once(world: World, get: Any) -> None:
    assert "x02:mlx4_0/1-ib" in links(world.site)
    world.report(
        [adjacency_report(world, "isw1", "infiniband", p1=("x01", "mlx4_0/1"), p2=("x02", "mlx4_0/1"))]
    )
    services.run_round(world.now)
    known = links(world.site)
    assert "x02:mlx4_0/1-ib" not in known
    found = known["isw1:2-x02:mlx4_0/1"]
    assert (found.declared, [answer["source"] for answer in found.evidence]) == (False, ["infiniband"])
    meant = get(f"links/{known['isw1:1-x01:mlx4_0/1'].pk}")
    assert [(answer["source"], answer["by"]) for answer in meant["evidence"]] == [
        ("site file", ""),
        ("infiniband", "isw1"),
    ]
    world.forward(2)
    world.report(
        [adjacency_report(world, "isw1", "infiniband", p1=("x01", "mlx4_0/1"), p3=("x02", "mlx4_0/1"))]
    )
    services.run_round(world.now)
    known = links(world.site)
    assert "isw1:3-x02:mlx4_0/1" in known
    assert "isw1:2-ib" in known
    assert "isw1:2-x02:mlx4_0/1" not in known
    assert Event.objects.filter(kind="link.moved").count() == 1
    assert {link["name"] for link in get("topology")["links"]} >= {"isw1:3-x02:mlx4_0/1"}


def test_contradicted_declared_cable_stays_and_is_flagged(world: World, get: Any) -> None:
    world.report([adjacency_report(world, "isw1", "infiniband", p1=("x02", "mlx4_0/1"))])
    services.run_round(world.now)
    link = get(f"links/{links(world.site)['isw1:1-x01:mlx4_0/1'].pk}")
    (conflict,) = link["conflicts"]
    assert (conflict["source"], conflict["by"], conflict["reported_link"]) == (
        "infiniband",
        "isw1",
        "isw1:1-x02:mlx4_0/1",
    )
    assert link["declared"]
    health = get(f"infiniband/{Fabric.objects.get(name='ib').pk}/health")
    assert health["differences"][0]["reported"] == "infiniband of isw1 reports isw1:1-x02:mlx4_0/1"
    detail = get(f"fabrics/{Fabric.objects.get(name='ib').pk}")
    assert detail["contradicted_links"] == 1


def test_unrepeated_evidence_is_dropped_and_import_keeps_discovered_links(world: World) -> None:
    world.report([adjacency_report(world, "isw1", "infiniband", p2=("x02", "mlx4_0/1"))])
    services.run_round(world.now)
    found = links(world.site)["isw1:2-x02:mlx4_0/1"].pk
    import_text(ib_site(), "ib.yaml", world.now)
    assert links(world.site)["isw1:2-x02:mlx4_0/1"].pk == found
    for _ in range(30):
        world.forward(7)
        services.run_round(world.now)
        if "x02:mlx4_0/1-ib" in links(world.site):
            break
    assert Event.objects.filter(kind="link.gone").count() == 1


def test_bridge_and_arp_tables_identify_the_device_behind_an_edge_port(world: World) -> None:
    def described(name: str, mac: str) -> DeviceReport:
        ports = [PortState(name="eth0", index=1, admin_up=True, oper_up=True, mac=mac)]
        return DeviceReport(**head(world, name), ports=ports)

    entries = [
        ForwardingEntry(port="Ethernet1/1", mac="02:00:00:00:00:01"),
        ForwardingEntry(port="Ethernet1/2", mac="02:00:00:00:00:02"),
        ForwardingEntry(port="Ethernet1/2", mac="02:00:00:00:00:03"),
    ]
    world.report([described("h1", "02:00:00:00:00:01"), described("h2", "02:00:00:00:00:02")])
    world.report([ForwardingReport(**head(world, "sw1"), entries=entries)])
    services.run_round(world.now)
    known = links(world.site)
    assert any({"sw1:Ethernet1/1", "h1:eth0"} == set(name.split("-")) for name in known)
    assert "h2:eth0-lan" in known


def test_two_ports_alone_in_a_small_network_are_linked(world: World) -> None:
    for name, address in (("h1", "10.7.0.1/30"), ("h2", "10.7.0.2/30")):
        port = PortState(name="eth0", index=1, admin_up=True, oper_up=True, addresses=[address])
        world.report([DeviceReport(**head(world, name), ports=[port])])
    services.run_round(world.now)
    (found,) = [
        row for name, row in links(world.site).items() if set(name.split("-")) == {"h1:eth0", "h2:eth0"}
    ]
    assert [(answer["source"], answer["by"]) for answer in found.evidence] == [
        ("subnet", "h1"),
        ("subnet", "h2"),
    ]


def test_health_report_names_cable_and_reason(world: World, get: Any) -> None:
    world.forward(-90)
    for _ in range(3):
        world.forward(30)
        world.report(
            [
                metric_report(
                    world,
                    "isw1",
                    MetricValue(subject="1", metric="ib.symbol_errors", value=40),
                    MetricValue(subject="2", metric="ib.link_width", value="degraded"),
                    MetricValue(subject="3", metric="ib.cable", value="expected"),
                ),
                metric_report(
                    world, "mgmt1", MetricValue(subject="ib", metric="ib.sm_state", value="master")
                ),
            ]
        )
    health = get(f"infiniband/{Fabric.objects.get(name='ib').pk}/health")
    cables = {cable["name"]: (cable["action"], cable["reasons"]) for cable in health["cables"]}
    assert cables == {
        "isw1:1-x01:mlx4_0/1": ("swap", ["isw1:1: 120 symbol errors in 1 min, 3 allowed"]),
        "isw1:2": ("swap", ["isw1:2 runs below the width of both its ends"]),
    }
    assert health["headline"] == "2 cables to swap."
    (rate,) = health["errors"]
    assert rate["long"] == 120
    assert rate["short_per_h"] == pytest.approx(120 * 3600 / 62, rel=0.02)
    assert (health["subnet_manager"], [low["port"] for low in health["degraded"]]) == ("master", ["2"])
    counters = {counter["name"]: counter for counter in health["counters"]}
    assert counters["ib.symbol_errors"]["worst"][0]["subject"] == "1"
    assert counters["ib.link_width"]["states"] == {"degraded": 1}


def test_report_of_another_technology_is_not_found(get: Any) -> None:
    lan = Fabric.objects.get(name="lan").pk
    get(f"infiniband/{lan}/health", 404)
    get(f"hippi/{lan}", 404)


def notice(world: World, name: str, text: str = "a trap", subject: str = "card 3") -> Notice:
    severity = "ok" if name.endswith("_up") else "critical"
    at = nanoseconds(world.now)
    return Notice(at=at, source="trap", name=name, severity=severity, subject=subject, text=text)


def test_down_card_is_an_incident_until_it_is_up(
    world: World, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        world.report([NoticeReport(**head(world, "sw1"), notices=[notice(world, "card_down")])])
    incident = Incident.objects.get(rule__kind="device_alarm")
    assert (incident.title, incident.severity, incident.phase) == (
        "sw1:card 3: card down",
        "critical",
        Phase.OPEN,
    )
    world.forward(2)
    with django_capture_on_commit_callbacks(execute=True):
        world.report([NoticeReport(**head(world, "sw1"), notices=[notice(world, "card_up")])])
    incident.refresh_from_db()
    assert incident.phase == Phase.RESOLVED
    assert not Alarm.objects.exists()


def test_noisy_device_writes_few_events_and_the_rest_is_counted(world: World) -> None:
    many = [notice(world, "other", text=f"line {number}", subject="") for number in range(100)]
    same = [notice(world, "other", text="the same", subject="")] * 50
    world.report([NoticeReport(**head(world, "sw1"), notices=[*same, *many], suppressed=7)])
    assert Event.objects.filter(kind="notice").count() == 30
    assert "(50 times)" in Event.objects.filter(kind="notice").order_by("pk")[0].message
    dropped = Event.objects.get(kind="notice.dropped")
    assert dropped.data["dropped"] == 100 - 29 + 7


def test_notice_does_not_make_an_unreachable_device_reachable(world: World) -> None:
    world.report([NoticeReport(**head(world, "sw1"), notices=[notice(world, "other")])])
    assert Node.objects.get(name="sw1").state.last_reported_at is None


def round_of_a_running_backend(world: World) -> None:
    heartbeat.beat(world.now)
    services.run_round(world.now)


def test_agents_get_time_to_report_after_a_backend_outage(world: World) -> None:
    for name in ("h1", "h2", "sw1"):
        world.report([DeviceReport(**head(world, name), sys_name=name, ports=[])])
    round_of_a_running_backend(world)
    world.forward(600)
    round_of_a_running_backend(world)
    silent = Incident.objects.filter(rule__kind="node_stale")
    assert (silent.count(), Event.objects.filter(kind="node.stale").count()) == (0, 0)
    for _ in range(2):
        world.forward(2)
        round_of_a_running_backend(world)
    assert silent.count() == 0
    world.report([DeviceReport(**head(world, "h1"), sys_name="h1", ports=[])])
    for _ in range(3):
        world.forward(2)
        round_of_a_running_backend(world)
    assert {incident.subject for incident in silent} == {"h2", "sw1"}
    assert world.now - world.site.imported_at > timedelta(seconds=600)


def test_hippi_report_has_rejects_camp_on_blocking_and_hold_time(client: Client, db: None) -> None:
    metrics.forget_layouts()
    world = World.make(now=timezone.now() - timedelta(seconds=60))
    ticks = 3_000_000
    for _ in range(2):
        world.forward(30)
        grf, onyx = world.node("grf1").name, world.node("onyx1").name
        world.report(
            [
                metric_report(
                    world,
                    grf,
                    MetricValue(subject="gh010", metric="ps32.rejects", value=60),
                    MetricValue(subject="gh010", metric="ps32.campon_delays", value=30),
                    MetricValue(subject="gh010", metric="ps32.oper", value=5),
                    seconds=30,
                ),
                metric_report(
                    world,
                    onyx,
                    MetricValue(metric="hsg.clock", value=ticks),
                    MetricValue(metric="hsg.src_busy", value=ticks // 2),
                    MetricValue(metric="hsg.src_packets", value=750),
                    MetricValue(metric="hsg.src_connect_fail", value=0),
                    MetricValue(metric="hsg.hold_time", value=500),
                    seconds=30,
                ),
            ]
        )
    headers = bearer(person("reader", Role.VIEWER))
    fabric = Fabric.objects.get(name="hippi")
    report = client.get(f"/api/v1/hippi/{fabric.pk}", headers=headers).json()
    (port,) = report["ports"]
    assert (port["rejects_ps"], port["camp_ons_ps"], port["device_state"]) == (2.0, 1.0, "connected")
    (gateway,) = report["gateways"]
    assert (gateway["waiting"], gateway["blocking_factor_ms"]) == (0.5, 20.0)
    assert gateway["hold_time"] == "500 ticks, 10 ms at 20 µs per tick"
    assert report["headline"] == "In the last minute: 1 port with rejected connections."


def test_collectors_of_one_device_keep_each_others_ports(world: World) -> None:
    def device_report(*names: str) -> DeviceReport:
        world.forward(1)
        ports = [PortState(name=name, index=1, admin_up=True, oper_up=True) for name in names]
        return DeviceReport(**head(world, "h1"), ports=ports)

    for _ in range(2):
        world.report([device_report("eth0", "eth1")])
        world.report([device_report("mlx5_0/1")])
    assert [event.subject for event in Event.objects.filter(kind="port.down")] == []
    world.report([device_report("eth0")])
    assert [event.subject for event in Event.objects.filter(kind="port.down")] == ["h1:eth1"]
