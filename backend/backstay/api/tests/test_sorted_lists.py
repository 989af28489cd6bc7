"""Each sort field computed by PostgreSQL, in both directions, compared with plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.accounts.models import Agent
from backstay.alerts.models import Incident, SiteRule
from backstay.api.agents.router import SORTS as AGENT_SORTS
from backstay.api.clocks.router import SORTS as CLOCK_SORTS
from backstay.api.http.list_query import Column, natural
from backstay.api.links.router import SORTS as LINK_SORTS
from backstay.api.nodes.router import SORTS as NODE_SORTS
from backstay.api.paths.router import SORTS as PATH_SORTS
from backstay.api.ports.router import SORTS as PORT_SORTS
from backstay.api.tests.test_lists import pages
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.model.progress import Phase
from backstay.core.roles import Role
from backstay.inventory.models import Node
from backstay.policy.models import Path, PathOutage
from backstay.telemetry.models import ClockState, MetricLayout, MetricSet, NodeState, PortState
from backstay.telemetry.selectors.ports import fabric_totals, port_now, port_totals, ports

Item = dict[str, Any]
Key = Callable[[Item], Any]
SORTS: dict[str, dict[str, Column]] = {
    "nodes": NODE_SORTS,
    "ports": PORT_SORTS,
    "links": LINK_SORTS,
    "paths": PATH_SORTS,
    "agents": AGENT_SORTS,
    "clocks": CLOCK_SORTS,
}


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Twelve compute nodes, among them some that never reported, with loads, failures, ties and gaps."""
    with kept(django_db_blocker):
        now = timezone.now() + timedelta(minutes=10)
        world = World.make(nodes=12, now=now)
        world.down = {"sp03:css0", "origin1:at1"}
        names = [name for name in world.devices() if name not in {"sp05", "sp06"}]
        world.describe(*names)
        rates = {"grf1": {"ga030": (9e6, 40e6), "ga031": (2e6, 1e6)}, "sp02": {"css0": (5e6, 7e6)}}
        world.sample(rates, but={"sp04", "sp05", "sp06"})
        world.all_paths()
        world.fail_over()
        _vary(world)
        yield world


def _vary(world: World) -> None:
    now = world.now
    Node.objects.filter(name__in=["sp01", "sp02", "sp10"]).update(title="Rack 2", node_number=7)
    Node.objects.filter(name="sp11").update(title="rack 10", node_number=1)
    NodeState.objects.filter(node__name__in=["sp01", "sp02", "sp07"]).update(
        clock_offset_ms=1500, booted_at=now - timedelta(days=3), last_reported_at=now - timedelta(days=1)
    )
    NodeState.objects.filter(node__name="sp08").update(clock_offset_ms=-20)
    PortState.objects.filter(port__node__name="grf1").update(mtu=65520, admin_up=False, oper_up=False)
    Agent.objects.filter(node__in=["sp01", "sp02"]).update(version="1.10", spool_dropped=4, spool_waiting=2)
    Agent.objects.filter(node="sp03").update(version="1.9", clock_offset_ms=12, revoked_at=now)
    Agent.objects.filter(node__in=["sp09", "sp10"]).update(last_reported_at=None)
    Path.objects.filter(node__name="sp04").update(at=None, since=None, target_rtt_us=None)
    Path.objects.filter(node__name="sp07").update(active=None, active_text="")
    Path.objects.filter(node__name="sp08").update(order=[world.node("atmgw").pk], target_alive=False)
    switched = Path.objects.get(node__name="sp02")
    for hours in (1, 30):
        switched.switches.create(
            uid=f"00000000-0000-4000-8000-0000000000{hours:02}",
            at=now - timedelta(hours=hours),
            from_gateway="atmgw",
            to_gateway="grf1",
            outage_ms=100.0 + hours,
            probe_interval_ms=50,
        )
    for number, (name, ago_s, duration_ms) in enumerate(
        [("sp01", 40, None), ("sp02", 3600, 101.0), ("sp02", 9000, 4000.0), ("sp03", 90, 20_350.0)]
    ):
        PathOutage.objects.create(
            path=Path.objects.get(node__name=name),
            uid=f"00000000-0000-4000-9000-0000000000{number:02}",
            start=now - timedelta(seconds=ago_s),
            end=None if duration_ms is None else now - timedelta(seconds=ago_s - duration_ms / 1000),
            duration_ms=duration_ms,
            cause="target_dead",
            measured_by="probes",
            probe_interval_ms=50,
            at=now,
        )
    _incident(world, "clock:1", severity="warning", node=world.node("sp09"))
    _incident(world, "clock:2", severity="critical", node=world.node("sp12"))
    _incident(world, "link:1", severity="critical", link=world.link("grf1:gh010"))
    _incident(world, "link:2", severity="warning", link=world.link("grf1:gh010"))
    for offset, name in ((5000, "sp09"), (-5000, "sp10"), (10, "sp11"), (400_000, "sp12")):
        ClockState.objects.create(node=world.node(name), source="date", at=now, offset_ms=offset, error_ms=30)
    skewed = ClockState.objects.filter(node__name="sp12")
    skewed.update(rate_ppm=-20, rate_error_ppm=1, stepped_at=now, step_ms=9000)
    _incident(world, f"clock:{world.node('sp12').pk}", severity="critical")
    layout = MetricLayout.objects.create(
        node=world.node("sp01"),
        collector="chrony",
        digest=b"chrony",
        subjects=["", "", ""],
        metrics=["chrony.offset", "chrony.error", "chrony.frequency"],
    )
    numbers = [-3000.0, 250.0, 12.5]
    MetricSet.objects.create(node=layout.node, collector="chrony", layout=layout, at=now, numbers=numbers)


def _incident(world: World, fingerprint: str, **columns: Any) -> None:
    rule = SiteRule.objects.filter(site=world.site).earliest("pk")
    Incident.objects.create(
        site=world.site,
        rule=rule,
        fingerprint=fingerprint,
        phase=Phase.OPEN,
        opened_at=world.now,
        last_seen=world.now,
        subject="",
        title="",
        **columns,
    )


@pytest.fixture
def world(made: World, db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    """At a fixed time."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: made.now)
    return made


@pytest.fixture
def headers(world: World) -> dict[str, str]:
    return bearer(person("reader", Role.VIEWER))


def _at(text: str | None) -> float | None:
    return None if text is None else datetime.fromisoformat(text).timestamp()


def _negated(value: float | None) -> float | None:
    return None if value is None else -value


def _most(*values: float | None) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _sum(*values: float | None) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _load(link: Item, direction: str, name: str) -> Any:
    return None if link[direction] is None else link[direction][name]


def _exact(link: Item, direction: str) -> float | None:
    bps = _load(link, direction, "bps")
    return None if bps is None else bps / link["usable_rate"]


KEYS: dict[str, dict[str, Key]] = {
    "nodes": {
        "age": lambda row: _negated(row["age_s"]),
        "since": lambda row: _at(row["since"]),
        "uptime": lambda row: _negated(row["uptime_s"]),
        "clock_offset": lambda row: row["clock_offset_s"],
    },
    "ports": {
        "name": lambda row: f"{row['node']}:{row['name']}",
        "age": lambda row: _negated(row["age_s"]),
        "since": lambda row: _at(row["since"]),
        "errors": lambda row: _sum(row["in_errors_ps"], row["out_errors_ps"]),
        "speed": lambda row: row["speed"] or None,
        "mtu": lambda row: row["mtu"] or None,
    },
    "links": {
        "age": lambda row: _negated(row["age_s"]),
        "since": lambda row: _at(row["since"]),
        "utilisation": lambda row: _most(_exact(row, "forward"), _exact(row, "back")),
        "forward": lambda row: _load(row, "forward", "bps"),
        "back": lambda row: _load(row, "back", "bps"),
    },
    "paths": {
        "age": lambda row: _negated(row["age_s"]),
        "since": lambda row: _at(row["since"]),
        "last_outage_at": lambda row: _at(row["last_outage_at"]),
        "last_outage_ms": lambda row: _outage(row["last_outage"]),
    },
    "agents": {
        "age": lambda row: _negated(row["age_s"]),
        "since": lambda row: _at(row["since"]),
        "clock_offset": lambda row: row["clock_offset_s"],
    },
    "clocks": {
        "age": lambda row: _negated(row["age_s"]),
        "offset": lambda row: abs(row["offset_s"]),
        "error": lambda row: row["error_s"],
        "drift": lambda row: None if row["drift_ppm"] is None else abs(row["drift_ppm"]),
        "stepped": lambda row: None if row["step"] is None else _at(row["step"]["at"]),
    },
}
"""What a sort field means where it is not the field of this name; an age counts against time."""


def _outage(outage: Item | None) -> float | None:
    """Ongoing outages above all others, the oldest first."""
    if outage is None:
        return None
    if outage["end"] is not None:
        return float(outage["duration_ms"])
    return 1e15 - (_at(outage["start"]) or 0.0) * 1000


def _ident(row: Item) -> Any:
    return row["id"] if "id" in row else f"{row['node_id']} {row['source']}"


def _expected(rows: list[Item], key: Key, *, descending: bool) -> list[Any]:
    def place(row: Item) -> Any:
        value = key(row)
        return (natural(value) if isinstance(value, str) else value, _ident(row))

    known = sorted((row for row in rows if key(row) is not None), key=place, reverse=descending)
    rest = sorted((row for row in rows if key(row) is None), key=_ident, reverse=descending)
    return [_ident(row) for row in (*known, *rest)]


@pytest.mark.parametrize("name", SORTS)
def test_every_sort_field_matches_python_across_pages(
    client: Client, headers: dict[str, str], name: str
) -> None:
    whole = pages(client, headers, name, 500)
    assert len(whole) > 4
    for field, column in SORTS[name].items():
        key = KEYS[name].get(field, lambda row, field=field: row[field])
        for sign in ("", "-"):
            found = [_ident(row) for row in pages(client, headers, f"{name}?sort={sign}{field}", 5)]
            expected = _expected(whole, key, descending=bool(sign) != column.backwards)
            assert found == expected, (name, sign + field)


@pytest.mark.parametrize("name", SORTS)
def test_filtered_state_equals_displayed_state(client: Client, headers: dict[str, str], name: str) -> None:
    whole = pages(client, headers, name, 500)
    assert len({row["state"] for row in whole}) > 1
    if name == "agents":
        return
    for state in ("ok", "warning", "critical", "unknown", "disabled"):
        found = pages(client, headers, f"{name}?state={state}", 500)
        assert {row["state"] for row in found} <= {state}
        assert {_ident(row) for row in found} == {_ident(row) for row in whole if row["state"] == state}


@pytest.mark.parametrize("name", SORTS)
def test_number_of_queries_is_independent_of_rows(client: Client, headers: dict[str, str], name: str) -> None:
    def queries(limit: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"/api/v1/{name}?limit={limit}", headers=headers).status_code == 200
        return len(captured)

    queries(1)
    assert queries(1) == queries(500)


@pytest.mark.parametrize(
    ("name", "rows", "table"),
    [
        ("links", "inventory_link", "telemetry_portrate"),
        ("ports", "inventory_port", "telemetry_portrate"),
        ("paths", "policy_path", "policy_pathswitch"),
    ],
)
def test_values_that_are_not_sorted_by_are_read_for_the_shown_rows_only(
    client: Client, headers: dict[str, str], name: str, rows: str, table: str
) -> None:
    """Loads that a list is sorted by come from arrays that each process keeps."""
    sorts: Iterable[str] = ("name", "state", "age") if name == "paths" else SORTS[name]
    for query in ("", "&state=ok", *(f"&sort=-{field}" for field in sorts)):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(f"/api/v1/{name}?limit=2{query}", headers=headers)
        assert len(answer.json()["items"]) == 2
        # The counters of changes are read by the names of tables.
        reads = [item["sql"] for item in captured.captured_queries if f'"{table}"' in item["sql"]]
        assert [sql for sql in reads if f'"{rows}"."id" IN (' not in sql] == [], query
        assert reads or name == "links", "a page shows it"


@pytest.mark.parametrize("few", [0, 1000])
def test_totals_of_a_fabric_are_those_of_its_ports(
    world: World, db: None, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("backstay.telemetry.selectors.ports.FEW_NODES", few)
    for name in ("sp-switch", "hippi", "atm-oc12", "atm-oc3", "ib"):
        rows = ports(world.site, world.now, fabric=name)
        known = [port_now(row) for row in rows]
        fresh = [port for port in known if port.is_fresh]
        totals = fabric_totals(world.site, world.now, name)
        assert totals.nodes == len({port.node_id for port in known})
        assert totals.carriers == Counter(port.carrier for port in known)
        assert totals.in_bps == sum(port.in_bps or 0 for port in fresh)
        assert totals.out_bps == sum(port.out_bps or 0 for port in fresh)
        failed = sum((port.in_errors_ps or 0) + (port.out_errors_ps or 0) for port in fresh)
        assert totals.errors_ps == pytest.approx(failed)
    assert port_totals(ports(world.site, world.now), 0).in_bps > 0
