"""Every sort field of lists paged in the database, in both directions, across pages, with ties and gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import timedelta
from ipaddress import ip_address
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import User
from backstay.alerts.models import Incident, SiteRule
from backstay.api.http.list_query import natural
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.diagnosis.neighbours import Point, PortTable
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.inventory.models import Circuit, Fabric, Node, Site
from backstay.policy.models import ArpPolicy, FailoverPolicy, Path, PolicyGateway
from backstay.rollout.models import Application, Change, Drill, Intended, Move, PlanRecord
from backstay.telemetry import state_evidence
from backstay.telemetry.ingest.clock import nanoseconds
from backstay.telemetry.models import (
    MetricLayout,
    MetricSet,
    Neighbour,
    NeighbourClash,
    NeighbourWatch,
    NodeState,
    RoutingState,
)
from backstay.telemetry.states.saved_ports import judge_nodes
from backstay.throughput.models import TestPlan, TestRun
from backstay_wire import CollectorOutcome, CollectorReport

Row = dict[str, Any]
Key = Callable[[Row], Any]
RANK = {"critical": 0, "warning": 1, "unknown": 2, "disabled": 3, "ok": 4}


@dataclass(frozen=True)
class Listed:
    """One list: sort keys of its rows by field, and their primary key."""

    path: str
    keys: dict[str, Key]
    """Of `age` the time since which it counts: it sorts the other way round."""
    ident: Key = lambda row: row["id"]


def column(name: str) -> Key:
    return lambda row: row[name]


def columns(*names: str) -> dict[str, Key]:
    return {name: column(name) for name in names}


LISTS = [
    Listed("sites", columns("name", "title", "last_reported_at")),
    Listed(
        "fabrics",
        columns("name", "title", "arp", "kind", "media_rate", "usable_rate", "mtu", "ports"),
    ),
    Listed(
        "failover-policies",
        {
            **columns("name", "prefix", "detection", "origin"),
            "gateways": lambda row: ", ".join(row["gateways"]),
            "nodes": lambda row: len(row["nodes"]),
            "confirmed": lambda row: row["progress"]["confirmed"],
        },
    ),
    Listed(
        "drills",
        {
            **columns("at", "state", "since", "policy", "worst_outage_ms", "fallback_utilisation"),
            "name": column("id"),
            "author": lambda row: row["author"] or None,
        },
    ),
    Listed(
        "changes",
        {
            **columns("since", "state", "title", "kind", "nodes", "ticket"),
            "age": column("since"),
            "created": lambda row: 0,
            "name": column("id"),
            "author": lambda row: row["author"] or None,
        },
    ),
    Listed(
        "test-runs",
        {
            **columns("state", "plan", "source"),
            "name": lambda row: int(row["id"]),
            "asked": column("asked_at"),
            "began": lambda row: row["began_at"] or row["asked_at"],
            "ended": lambda row: row["ended_at"] or row["began_at"] or row["asked_at"],
            "used": lambda row: float(row["used"].split()[0]) if row["used"][:1].isdecimal() else None,
        },
        ident=lambda row: int(row["id"]),
    ),
    Listed(
        "circuits",
        {
            **columns("name", "kind"),
            "state": lambda row: RANK[row["state"]],
            "labels": lambda row: " ".join(row["labels"]),
            "hops": lambda row: len(row["hops"]),
        },
    ),
    Listed("arp-policies", columns("name", "mode")),
    Listed(
        "arp-policies/fabrics",
        {
            **columns("fabric", "kind", "declared"),
            "policy": lambda row: None if row["policy"] is None else row["policy"]["mode"],
        },
        ident=column("fabric_id"),
    ),
    Listed(
        "saved-state",
        {"node": column("node"), "state": lambda row: RANK[row["state"]]},
        ident=column("node_id"),
    ),
    Listed(
        "neighbours/tables",
        {
            **columns("ipv4", "ipv6", "permanent", "incomplete", "fabric", "share"),
            "node": lambda row: f"{row['node']}:{row['port']}",
            "entries": lambda row: row["ipv4"] + row["ipv6"],
            "top": column("top_mac_entries"),
            "state": lambda row: RANK[row["state"]],
            "age": column("at"),
            "growth": column("growth_per_s"),
            "broadcasts": column("broadcasts_per_s"),
        },
        ident=lambda row: f"{row['node_id']}:{row['port']}",
    ),
    Listed(
        "extension-nodes",
        {
            **columns("name", "node_number", "switch_node_number", "address"),
            "state": lambda row: RANK[row["state"]],
            "place": lambda row: row["place"] or None,
            "reported": column("reported_at"),
        },
    ),
    Listed(
        "neighbours/duplicates",
        {"address": lambda row: ip_address(row["address"]), "since": column("since"), "age": column("since")},
        ident=column("address"),
    ),
    Listed(
        "nodes/{node}/metrics",
        {
            **columns("name", "metric", "subject", "state", "value"),
            "sentence": lambda row: None if row["kind"] == "unknown" else row["sentence"],
            "age": column("at"),
        },
    ),
    Listed(
        "nodes/{node}/collectors",
        {
            **columns("name", "duration_ms"),
            "age": column("at"),
        },
    ),
]
ORDERS = [
    pytest.param(known, field, descending, id=f"{known.path}-{'desc' if descending else 'asc'}-{field}")
    for known in LISTS
    for field in known.keys
    for descending in (False, True)
]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A site with rows of every list: equal values, and rows without one."""
    with kept(django_db_blocker):
        world = World.make(nodes=11)
        world.describe()
        author = person("author", Role.OPERATOR)
        _sites(world)
        _fabrics(world)
        _policies(world)
        _drills(world, author)
        _changes(world, author)
        _runs(world)
        _circuits(world)
        _saved(world)
        _metrics(world)
        _collectors(world)
        _neighbours(world)
        _extension_nodes(world)
        yield world


@pytest.fixture
def get(made: World, db: None, client: Client) -> Callable[[str], Row]:
    headers = bearer(person("reader", Role.VIEWER))
    node = made.node("sp01").pk

    def ask(path: str) -> Row:
        reply = client.get(f"/api/v1/{path.format(node=node)}", headers=headers)
        assert reply.status_code == 200, reply.content
        body: Row = reply.json()
        return body

    return ask


@pytest.mark.parametrize(("known", "field", "descending"), ORDERS)
def test_pages_match_a_plain_sort(
    get: Callable[[str], Row], known: Listed, field: str, descending: bool
) -> None:
    rows = get(f"{known.path}?limit=500")["items"]
    assert len(rows) > 3
    key, ident = known.keys[field], known.ident
    backwards = descending != (field == "age")
    present = sorted(
        (row for row in rows if key(row) is not None),
        key=lambda row: (_comparable(key(row)), ident(row)),
        reverse=backwards,
    )
    missing = sorted((row for row in rows if key(row) is None), key=ident, reverse=backwards)
    found, cursor = [], ""
    while cursor is not None:
        page = get(f"{known.path}?limit=2&sort={'-' if descending else ''}{field}&cursor={cursor}")
        found += page["items"]
        cursor = page["next"]
    assert [ident(row) for row in found] == [ident(row) for row in [*present, *missing]]


def _comparable(value: Any) -> Any:
    return natural(value) if isinstance(value, str) else value


@pytest.mark.parametrize("known", LISTS, ids=lambda known: known.path)
def test_longer_page_needs_no_more_queries(get: Callable[[str], Row], known: Listed) -> None:
    def queries(limit: int) -> int:
        get(f"{known.path}?limit={limit}")
        with CaptureQueriesContext(connection) as captured:
            get(f"{known.path}?limit={limit}")
        return len(captured)

    assert queries(500) <= queries(3)


def _sites(world: World) -> None:
    for number, title in ((2, "A"), (10, "B"), (1, "A"), (3, "B")):
        site = Site.objects.create(name=f"site{number}", title=title, interval_s=2, imported_at=world.now)
        node = Node.objects.create(site=site, name="n1", kind="host", role="compute")
        if number > 2:
            NodeState.objects.create(node=node, last_reported_at=world.now - timedelta(seconds=number))


def _fabrics(world: World) -> None:
    for number, rate in ((2, 10), (10, 10), (1, 30)):
        Fabric.objects.create(
            site=world.site, name=f"net{number}", kind="ethernet", media_rate=rate, usable_rate=rate, mtu=1500
        )
    for name, mode in (("net2", "on"), ("net10", "off"), ("hippi", "on"), ("ib", "unmanaged")):
        ArpPolicy.objects.create(
            site=world.site, fabric=Fabric.objects.get(site=world.site, name=name), mode=mode
        )
    Site.objects.filter(pk=world.site.pk).update(version=world.site.version + 1)


def _policies(world: World) -> None:
    for number, nodes in ((2, ("sp01", "sp02")), (10, ("sp03",)), (1, ())):
        policy = FailoverPolicy.objects.create(
            site=world.site, name=f"p{number}", prefix=f"10.{number}.0.0/16", detection="checker"
        )
        for order, gateway in enumerate(("grf1", "atmgw")[: 1 + number % 2]):
            PolicyGateway.objects.create(policy=policy, node=world.node(gateway), order=order)
        for node in nodes:
            Path.objects.create(policy=policy, node=world.node(node))
    route = {
        "policy": "p2",
        "prefix": "10.2.0.0/16",
        "hops": [{"gateway": "grf1"}],
        "detection": "checker",
        "target": None,
        "timers": {
            "interval_ms": 50,
            "fail_after": 3,
            "recover_after": 20,
            "hold_down_s": 2.0,
            "revert": "now",
            "revert_after_s": 60.0,
        },
    }
    Intended.objects.create(node=world.node("sp01"), revision=1, routing={"routes": [route]}, at=world.now)


def _drills(world: World, author: User) -> None:
    policies = list(FailoverPolicy.objects.filter(site=world.site).order_by("name"))
    paths = list(Path.objects.filter(policy__site=world.site).order_by("pk")[:2])
    for number in range(7):
        drill = Drill.objects.create(
            policy=policies[number % 2],
            author=author if number % 3 else None,
            seconds=60,
            at=world.now + timedelta(seconds=number // 2),
            since=world.now - timedelta(seconds=number // 2),
            state=("passed", "failed")[number % 2],
            fallback_utilisation=(None, 0.5, 0.5, 0.9)[number % 4],
        )
        for path, outage in zip(paths, ((None, 5.0, 5.0)[number % 3], None), strict=True):
            Move.objects.create(
                path=path, drill=drill, gateway="atmgw", seconds=60, person="", at=world.now,
                since=world.now, outage_out_ms=outage, outage_back_ms=None if outage is None else 3.0,
            )  # fmt: skip


def _changes(world: World, author: User) -> None:
    for number in range(7):
        change = Change.objects.create(
            site=world.site,
            kind=("policies", "arp")[number % 2],
            title=f"Change {(2, 10, 1, 10)[number % 4]}",
            ticket=("", "T2", "T10")[number % 3],
            author=author if number % 3 else None,
            state=("done", "failed")[number % 2],
            since=world.now - timedelta(seconds=number // 2),
            created_at=world.now,
        )
        if number % 3 != 1:
            PlanRecord.objects.create(
                change=change, made_at=world.now, digest="", inputs="", blocked=False, warnings=0,
                nodes=number, document={}, assignments={},
            )  # fmt: skip
        for node in ("sp01", "sp02")[: number % 4]:
            Application.objects.create(change=change, node=world.node(node), wave=0)


def _runs(world: World) -> None:
    plans = [
        TestPlan.objects.create(
            site=world.site, name=name, shape="n_pairs", senders=["sp01"], receivers=["sp02"], matrix={},
            created_at=world.now, changed_at=world.now,
        )
        for name in ("plan2", "plan10")
    ]  # fmt: skip
    for number in range(7):
        used = ("91 % of usable at best", "", "9 % of usable at best")[number % 3]
        TestRun.objects.create(
            plan=plans[number % 2],
            state="done",
            priority=1,
            asked_at=world.now + timedelta(seconds=number // 2),
            began_at=None if number % 3 else world.now + timedelta(seconds=60),
            ended_at=world.now + timedelta(seconds=90) if number == 3 else None,
            source=("lab", "live")[number % 2],
            asked={"shape": "n_pairs"},
            verdict=None if number == 6 else {**VERDICT, "used": used},
        )


VERDICT = {
    "name": "inconclusive",
    "confidence": "low",
    "sentence": "Too few cells.",
    "remedy": "",
    "evidence": [],
    "numbers": {},
    "suspect": "",
}


def _circuits(world: World) -> None:
    for number, far in ((2, 100), (10, 100), (1, 102), (3, 102), (4, 100)):
        hops = [
            {"node": "origin1", "in": None, "out": {"port": "at0", "label": "0/100"}, "shape": None},
            {"node": "router", "in": {"port": "at0", "label": f"0/{far}"}, "out": None, "shape": None},
        ]
        Circuit.objects.create(site=world.site, name=f"c{number}", kind="pvc", hops=hops)


def _saved(world: World) -> None:
    for name, mtu in (("sp01", 1500), ("sp02", 9180), ("sp10", 1500)):
        text = f"link set css0 mtu {mtu} up\n"
        RoutingState.objects.create(
            node=world.node(name), revision=0, engine="bird", alive=True, at=world.now, changed_at=world.now,
            files=[{"path": "/etc/net", "sha256": "", "text": text}],
        )  # fmt: skip
    judge_nodes(Node.objects.filter(site=world.site).values_list("pk", flat=True))


def _neighbours(world: World) -> None:
    at = world.now.timestamp()
    for number in range(1, 7):
        node = world.node(f"sp{number:02}")
        table = PortTable(
            ipv4=number // 2,
            ipv6=number % 2,
            permanent=number // 3,
            incomplete=number % 3,
            top_mac_entries=number // 3,
            broadcasts_per_s=(None, 2.0, 2.0)[number % 3],
            recent=(Point(at - 60, 0), Point(at, number // 2)),
        )
        NeighbourWatch.objects.create(
            node=node,
            at=world.now,
            capacity={"ipv4": 10} if number % 4 else {},
            ports={port: asdict(table) for port in ("css0", "eth0")[: 1 + number % 2]},
        )
        for claimed in range(1, 6):
            Neighbour.objects.create(
                node=node, port="css0", address=f"10.9.0.{2 * claimed}", mac=f"02:00:00:00:00:0{number % 3}",
                state="reachable", since=world.now, held_since=world.now - timedelta(seconds=claimed // 2),
            )  # fmt: skip
    for claimed in range(1, 6):
        NeighbourClash.objects.create(site=world.site, address=f"10.9.0.{2 * claimed}", since=world.now)

    rule = SiteRule.objects.filter(site=world.site).earliest("pk")
    first, second = world.node("sp01").pk, world.node("sp02").pk
    for fingerprint, severity in (
        (f"neighbour_flood:{first}:eth0", "critical"),
        (f"neighbour_table:{first}:ipv6", "warning"),
        (f"neighbour_table:{second}:ipv4", "warning"),
    ):
        Incident.objects.create(
            site=world.site, rule=rule, fingerprint=fingerprint, severity=severity, phase=Phase.OPEN,
            opened_at=world.now, last_seen=world.now, subject="", title="",
        )  # fmt: skip


def _extension_nodes(world: World) -> None:
    """Six nodes of the switch, as if they were attached to it: one reports a row that differs."""
    for number, name in enumerate(("sp01", "sp02", "sp03", "sp04", "sp10", "sp11")):
        node = world.node(name)
        node.extension = {"port": "css0"} if number % 2 else {"port": "css0", "frame": 1, "slot": 4 * number}
        node.node_number = (None, 7, 7)[number % 3]
        node.save()
    layout = MetricLayout.objects.create(
        node=world.node("sp03"), collector="snmp", digest=b"sp", subjects=["sp03"], metrics=["sp.token"]
    )
    MetricSet.objects.create(
        node=layout.node, collector="snmp", layout=layout, at=world.now, numbers=[None], states=["42"]
    )
    Site.objects.filter(pk=world.site.pk).update(version=F("version") + 1)
    state_evidence.refresh(Site.objects.get(pk=world.site.pk))


def _collectors(world: World) -> None:
    runs = [("linux", "ok"), ("bird2", "failed"), ("bird10", "no_data"), ("ssh", "timeout"), ("old", "ok")]
    world.report(
        CollectorReport(
            boot=world.boot,
            seq=1_000_000 + number,
            device="sp01",
            at=nanoseconds(world.now - timedelta(seconds=900 if name == "old" else number)),
            collector=name,
            outcome=CollectorOutcome(outcome),
            duration_ms=float(number * 7 % 5),
        )
        for number, (name, outcome) in enumerate(runs)
    )


def _metrics(world: World) -> None:
    node = world.node("sp01")
    slots = [
        ("css2", "neigh.ipv4_entries", 4.0),
        ("css10", "neigh.ipv4_entries", 4.0),
        ("css2", "fan.no_such_metric", 1.0),
        ("css10", "neigh.ipv6_entries", 0.0),
        ("", "neigh.top_mac", None),
    ]
    layout = MetricLayout.objects.create(
        node=node,
        collector="linux",
        digest=b"1",
        subjects=[slot[0] for slot in slots],
        metrics=[slot[1] for slot in slots],
    )
    MetricSet.objects.create(
        node=node,
        collector="linux",
        layout=layout,
        at=world.now,
        numbers=[slot[2] for slot in slots],
        states=[None, None, None, None, "02:00:00:00:00:01"],
    )
