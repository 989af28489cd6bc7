"""States stored from reports other than samples: ports, routes, neighbours, daemons, paths; newest wins."""

from __future__ import annotations

import re
import time
import uuid
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from backstay.accounts.models import User
from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node, Port
from backstay.telemetry.models import DaemonState, Event, Neighbour, Route
from backstay.telemetry.states import tables
from backstay_wire import MAX_TABLES
from bench.agent_requests import enrolled, send
from bench.site import AgentIdentity, batch, switch_site

BOOT = uuid.uuid4()
SECOND = 10**9


class Device:
    """Sends reports of sw000 with consecutive numbers."""

    def __init__(self, client: Client) -> None:
        import_text(switch_site("lab", devices=1, ports=2, agents=1), "lab.yaml", timezone.now())
        self.client = client
        self.identity: AgentIdentity = enrolled(client, "lab", "mgmt0")
        self.seq = 0
        self.now = time.time_ns()

    def report(self, kind: str, *, ago_s: float = 0.0, **values: Any) -> None:
        """One report of a state `ago_s` seconds ago."""
        self.seq += 1
        head = {"kind": kind, "boot": str(BOOT), "seq": self.seq, "device": "sw000"}
        report = {**head, "at": self.now - int(ago_s * SECOND), **values}
        reply = send(self.client, self.identity, batch([report], sent=time.time_ns()))
        assert reply.status_code == 200, reply.content


@pytest.fixture
def device(db: None, client: Client) -> Device:
    return Device(client)


def port(name: str, *, up: bool = True, **values: object) -> dict[str, object]:
    return {"name": name, "index": 1, "admin_up": True, "oper_up": up, **values}


def route(prefix: str, via: str | None, metric: int = 0, protocol: str = "bird") -> dict[str, object]:
    return {
        "prefix": prefix,
        "protocol": protocol,
        "metric": metric,
        "next_hops": [{"via": via, "port": "css0"}],
    }


def routes() -> set[tuple[str, str | None]]:
    return set(Route.objects.values_list("prefix", "via"))


def test_device_description_stores_device_and_ports(device: Device) -> None:
    ports = [
        port("Ethernet1/1", speed=10**9, mtu=9180, mac="00:11", alias="to gw", addresses=["10.0.0.1/24"])
    ]
    device.report("device", sys_name="sw", sys_descr="a switch", uptime_s=60.0, ports=ports)
    state = Node.objects.get(name="sw000").state
    assert (state.sys_name, state.sys_descr) == ("sw", "a switch")
    found = Port.objects.get(name="Ethernet1/1").state
    assert (found.speed, found.mtu, found.oper_up, found.addresses) == (10**9, 9180, True, ["10.0.0.1/24"])


def test_down_port_is_recorded_once_with_its_start(device: Device) -> None:
    device.report("device", ago_s=30, ports=[port("Ethernet1/1"), port("Ethernet1/2")])
    device.report("device", ago_s=20, ports=[port("Ethernet1/1", up=False), port("Ethernet1/2")])
    device.report("device", ago_s=10, ports=[port("Ethernet1/1", up=False), port("Ethernet1/2")])
    port_ = Port.objects.get(name="Ethernet1/1")
    since, described_at = port_.state.since, port_.node.state.described_at
    assert described_at is not None
    assert not port_.state.oper_up
    # The machine's clock may move against the backend's between the requests, which corrects for it.
    assert (described_at - since).total_seconds() == pytest.approx(10.0, abs=0.5)
    assert [event.subject for event in Event.objects.filter(kind="port.down")] == ["sw000:Ethernet1/1"]


def test_vanished_port_is_down(device: Device) -> None:
    device.report("device", ago_s=30, ports=[port("Ethernet1/1"), port("Ethernet1/2")])
    device.report("device", ago_s=20, ports=[port("Ethernet1/1")])
    assert not Port.objects.get(name="Ethernet1/2").state.oper_up
    assert Event.objects.filter(kind="port.down").count() == 1


def test_late_older_description_changes_nothing(device: Device) -> None:
    device.report("device", ago_s=10, sys_name="new", ports=[port("Ethernet1/1")])
    device.report("device", ago_s=60, sys_name="old", ports=[port("Ethernet1/1", up=False)])
    assert Node.objects.get(name="sw000").state.sys_name == "new"
    assert Port.objects.get(name="Ethernet1/1").state.oper_up


def test_decreased_uptime_is_a_restart(device: Device) -> None:
    for ago_s, uptime_s in ((300, 5000.0), (200, 5101.0), (100, 12.0)):
        device.report("device", ago_s=ago_s, uptime_s=uptime_s, ports=[])
    assert Event.objects.filter(kind="node.restarted").count() == 1


def test_full_table_replaces_routes_and_keeps_the_start_of_remaining_ones(device: Device) -> None:
    device.report(
        "routes",
        ago_s=60,
        complete=True,
        routes=[route("0.0.0.0/0", "10.1.0.16"), route("10.2.0.0/30", None)],
    )
    before = Route.objects.get(prefix="0.0.0.0/0")
    device.report(
        "routes",
        ago_s=30,
        complete=True,
        routes=[route("0.0.0.0/0", "10.1.0.16"), route("10.3.0.0/30", None)],
    )
    after = Route.objects.get(prefix="0.0.0.0/0")
    assert routes() == {("0.0.0.0/0", "10.1.0.16"), ("10.3.0.0/30", None)}
    assert (after.pk, after.since) == (before.pk, before.since)


def test_event_changes_only_its_prefix_and_metric(device: Device) -> None:
    whole = [
        route("0.0.0.0/0", "10.1.0.16", 10),
        route("0.0.0.0/0", "10.1.0.15", 50),
        route("10.2.0.0/30", None),
    ]
    device.report("routes", ago_s=60, complete=True, routes=whole)
    device.report("routes", ago_s=50, complete=False, routes=[route("0.0.0.0/0", "10.1.0.17", 10)])
    device.report("routes", ago_s=40, complete=False, routes=[], removed=[route("10.2.0.0/30", None)])
    assert routes() == {("0.0.0.0/0", "10.1.0.17"), ("0.0.0.0/0", "10.1.0.15")}


def test_changes_older_than_the_table_or_a_newer_change_are_ignored(device: Device) -> None:
    device.report("routes", ago_s=60, complete=True, routes=[route("0.0.0.0/0", "10.1.0.16")])
    device.report("routes", ago_s=30, complete=False, routes=[route("0.0.0.0/0", "10.1.0.15")])
    device.report("routes", ago_s=40, complete=False, routes=[route("0.0.0.0/0", "10.1.0.99")])
    device.report("routes", ago_s=45, complete=False, routes=[], removed=[route("0.0.0.0/0", "10.1.0.16")])
    device.report("routes", ago_s=90, complete=True, routes=[])
    assert routes() == {("0.0.0.0/0", "10.1.0.15")}


def test_route_with_two_next_hops_is_two_rows(device: Device) -> None:
    hops = [{"via": "10.1.0.15", "port": "css0"}, {"via": "10.1.0.16", "port": "css0"}]
    both = {"prefix": "0.0.0.0/0", "protocol": "bird", "next_hops": hops}
    device.report("routes", complete=True, routes=[both])
    assert routes() == {("0.0.0.0/0", "10.1.0.15"), ("0.0.0.0/0", "10.1.0.16")}


def test_neighbour_table_is_replaced_and_zones_are_stripped(device: Device) -> None:
    first = [
        {"port": "css0", "address": "10.1.0.2", "mac": "02:01", "state": "reachable"},
        {"port": "css0", "address": "fe80::1%css0", "mac": "02:02", "state": "stale"},
    ]
    device.report("neighbours", ago_s=20, neighbours=first)
    second = [{"port": "css0", "address": "10.1.0.2", "mac": "02:99", "state": "reachable"}]
    device.report("neighbours", ago_s=10, neighbours=second)
    device.report("neighbours", ago_s=15, neighbours=first)
    assert list(Neighbour.objects.values_list("address", "mac")) == [("10.1.0.2", "02:99")]


def test_daemon_has_its_last_reported_state(device: Device) -> None:
    protocol = {"name": "bfd1", "proto": "BFD", "state": "up"}
    device.report("daemon", ago_s=10, daemon="bird", version="2.0.12", running=True, protocols=[protocol])
    device.report("daemon", ago_s=20, daemon="bird", running=False)
    state = DaemonState.objects.get()
    assert (state.running, state.version, state.protocols[0]["name"]) == (True, "2.0.12", "bfd1")


def test_device_has_the_outcome_of_its_worst_collector(device: Device) -> None:
    device.report("collector", ago_s=20, collector="snmp", outcome="ok", duration_ms=3.0)
    device.report(
        "collector", ago_s=10, collector="bird", outcome="failed", detail="no socket", duration_ms=1.0
    )
    state = Node.objects.get(name="sw000").state
    assert (state.collector_outcome, state.collector_detail) == ("failed", "no socket")
    assert set(state.collectors) == {"snmp", "bird"}


def collectors(client: Client, what: str = "collectors") -> dict[str, Any]:
    """The API's collectors of sw000 by name."""
    path = f"/api/v1/nodes/{Node.objects.get(name='sw000').pk}/{what}"
    reply = client.get(path, headers=bearer(person(f"reader{User.objects.count()}", Role.VIEWER)))
    assert reply.status_code == 200, reply.content
    return {item["name"]: item for item in reply.json()["items"]}


def run_of(device: Device, outcome: str, ago_s: float, detail: str = "", duration_ms: float = 3.0) -> None:
    device.report(
        "collector", ago_s=ago_s, collector="snmp", outcome=outcome, detail=detail, duration_ms=duration_ms
    )


def test_collector_is_shown_with_reason_duration_last_answer_and_agent(
    device: Device, client: Client
) -> None:
    run_of(device, "ok", 90)
    run_of(device, "timeout", 30, "no answer within 5 s", 5000.0)
    run_of(device, "timeout", 10, "no answer within 5 s", 5001.5)
    snmp = collectors(client)["snmp"]
    assert snmp["age_s"] == pytest.approx(10, abs=9)
    assert (snmp["state"], snmp["state_text"], snmp["outcome"]) == (
        "critical",
        "no answer in time",
        "timeout",
    )
    assert (snmp["detail"], snmp["duration_ms"], snmp["agent"]) == ("no answer within 5 s", 5001.5, "mgmt0")
    at, since, answered = (datetime.fromisoformat(snmp[name]) for name in ("at", "since", "answered_at"))
    assert (at - since).total_seconds() == pytest.approx(20, abs=5)
    assert (at - answered).total_seconds() == pytest.approx(80, abs=5)


def test_answer_from_a_backlog_is_the_last_answer_and_does_not_replace_the_newest_run(
    device: Device, client: Client
) -> None:
    run_of(device, "failed", 10, "unusable")
    assert collectors(client)["snmp"]["answered_at"] is None
    run_of(device, "ok", 40)
    run_of(device, "ok", 80)
    snmp = collectors(client)["snmp"]
    assert (snmp["outcome"], snmp["detail"]) == ("failed", "unusable")
    gap = datetime.fromisoformat(snmp["at"]) - datetime.fromisoformat(snmp["answered_at"])
    assert gap.total_seconds() == pytest.approx(30, abs=5)


def test_nothing_to_report_is_well_but_no_answer(device: Device, client: Client) -> None:
    run_of(device, "no_data", 5, "the device has no port besides loopback")
    snmp = collectors(client)["snmp"]
    assert (snmp["state"], snmp["answered_at"]) == ("ok", None)


def test_collector_that_is_no_longer_reported_is_unknown(device: Device, client: Client) -> None:
    run_of(device, "ok", 600)
    snmp = collectors(client)["snmp"]
    assert snmp["state"] == "unknown"
    assert re.fullmatch(r"not reported for (9 min 5\d s|10 min.*)", snmp["state_text"])


def test_collector_stored_before_the_upgrade_is_shown_without_what_is_not_recorded(
    device: Device, client: Client
) -> None:
    run_of(device, "ok", 5)
    state = Node.objects.get(name="sw000").state
    for name in ("since", "answered_at", "agent"):
        del state.collectors["snmp"][name]
    state.collectors_digest = None
    state.save(update_fields=["collectors", "collectors_digest"])
    snmp = collectors(client)["snmp"]
    assert (snmp["outcome"], snmp["since"], snmp["answered_at"], snmp["agent"]) == ("ok", None, None, None)
    run_of(device, "ok", 0)
    snmp = collectors(client)["snmp"]
    assert (snmp["since"], snmp["answered_at"], snmp["agent"]) == (None, snmp["at"], "mgmt0")


def test_collectors_are_filtered_by_state_and_text_and_of_an_unknown_node_not_found(
    device: Device, client: Client
) -> None:
    run_of(device, "ok", 5)
    device.report("collector", collector="bird", outcome="failed", detail="no socket", duration_ms=1.0)
    assert set(collectors(client, "collectors?state=critical")) == {"bird"}
    assert set(collectors(client, "collectors?q=SOCKET")) == {"bird"}
    assert list(collectors(client, "collectors?sort=state")) == ["bird", "snmp"]
    reply = client.get("/api/v1/nodes/987654/collectors", headers=bearer(person("ann", Role.VIEWER)))
    assert (reply.status_code, reply.json()["code"]) == (404, "not_found")


def test_tables_of_a_collector_stay_until_the_agent_sends_others(device: Device, client: Client) -> None:
    lldp = {
        "table": "lldp", "columns": 9, "rows": 3, "results": 3, "duration_ms": 12.5, "interruptions": 1,
        "not_understood": [{"reason": "neighbours on ports that the device does not list", "rows": 1}],
        "error": "no answer",
    }  # fmt: skip
    run = {"collector": "snmp-metrics", "outcome": "ok", "duration_ms": 1.0}
    device.report("collector", ago_s=40, **run)
    assert collectors(client)["snmp-metrics"]["tables"] == []
    device.report("collector", ago_s=30, **run, tables=[lldp])
    device.report("collector", ago_s=20, **run)
    assert collectors(client)["snmp-metrics"]["tables"] == [lldp]
    device.report("collector", ago_s=10, **run, tables=[])
    assert collectors(client)["snmp-metrics"]["tables"] == []


def test_more_tables_than_the_limit_are_refused(device: Device) -> None:
    many = [{"table": f"t{number}", "columns": 1} for number in range(MAX_TABLES + 1)]
    values = {"collector": "snmp", "outcome": "ok", "duration_ms": 1.0, "tables": many}
    head = {"kind": "collector", "boot": str(BOOT), "seq": 999, "device": "sw000", "at": device.now}
    reply = send(device.client, device.identity, batch([head | values], sent=time.time_ns()))
    assert (reply.status_code, reply.json()["rejected"][0]["code"]) == (422, "malformed")


def test_collectors_of_a_device_are_limited_to_those_reported_last(
    device: Device, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MAX_COLLECTORS", 5)

    def run(number: int) -> None:
        name = f"c{number}"
        device.report("collector", ago_s=60 - number, collector=name, outcome="ok", duration_ms=1.0)

    for number in range(5):
        run(number)
    assert set(collectors(client)) == {"c0", "c1", "c2", "c3", "c4"}
    for number in (5, 6, 6):
        run(number)
    assert set(collectors(client)) == {"c2", "c3", "c4", "c5", "c6"}
