"""A large site needs no more queries than a small one, and a typical map is fast."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.rules import RULES
from backstay.api.tests.world import World, analyze, bearer, kept, person
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Fabric, Node
from backstay.telemetry import partitions
from backstay.telemetry.models import NodeState
from bench.site import switch_site

pytestmark = pytest.mark.slow

DEVICES, PORTS = 500, 4

_LAYOUTS = """
    INSERT INTO telemetry_portlayout (node_id, digest, ports, created_at)
    SELECT node_id, 'x', array_agg(id ORDER BY id), now() FROM inventory_port GROUP BY node_id
"""
_PORT_STATES = """
    INSERT INTO telemetry_portstate
        (port_id, if_index, if_type, speed, mtu, admin_up, oper_up, mac, alias, addresses, since, at)
    SELECT id, 1, 6, 1e10, 1500, true, true, '', '', '{}', now(), now() FROM inventory_port
"""
_SAMPLES = """
    INSERT INTO telemetry_samples
        (node_id, ts, duration_ns, shift_ns, layout_id, in_octets, out_octets, in_packets, out_packets)
    SELECT node_id, now(), 30e9, 0, id, figures, figures, figures, figures
    FROM telemetry_portlayout
    CROSS JOIN LATERAL (SELECT array_agg(port * 1000) AS figures FROM unnest(ports) AS port) AS made
"""
_NEWEST = """
    INSERT INTO telemetry_newest (node_id, layout_id, ts, duration_ns)
    SELECT node_id, layout_id, ts, duration_ns FROM telemetry_samples
"""


@pytest.fixture(scope="module")
def big(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, str]]:
    """500 devices with 2,000 ports and 2,000 links, all just reported; headers of a reader."""
    with kept(django_db_blocker):
        import_text(switch_site("big", DEVICES, PORTS, agents=4), "big.yaml", timezone.now())
        now = timezone.now()
        NodeState.objects.bulk_create(
            NodeState(node=node, last_reported_at=now) for node in Node.objects.all()
        )
        partitions.maintain(now)
        with connection.cursor() as cursor:
            for statement in (_LAYOUTS, _PORT_STATES, _SAMPLES, _NEWEST):
                cursor.execute(statement)
        analyze()
        yield bearer(person("reader", Role.VIEWER))


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("topology", 10),
        ("overview", 20),
        ("overview/counts", 7),
        ("overview/past?at=now-1h", 30),
        ("events/groups", 6),
        ("ports?sort=-utilisation", 5),
        ("ports/trends?port_id={port}&start=now-30d", 8),
        ("links?limit=50", 11),
        ("fabrics/{fabric}", 7),
        ("fabrics/{fabric}/history?start=now-30d", 8),
        ("nodes/{node}/metrics", 5),
        ("nodes/{node}/collectors", 5),
        ("metrics", 2),
        ("nodes?limit=50", 12),
        ("nodes?limit=50&at=now-1h", 12),
        ("nodes?limit=50&at=now-1h&sort=state", 16),
        ("paths", 13),
        ("paths/groups", 6),
        ("failover-policies", 9),
        ("drift", 6),
        ("drills", 6),
        ("events", 5),
        ("incidents", 6),
        ("agents", 5),
    ],
)
def test_number_of_queries_is_independent_of_site_size(
    client: Client, big: dict[str, str], db: None, path: str, most: int
) -> None:
    node = Node.objects.get(name="sw000")
    fabric, port = Fabric.objects.get(site__name="big"), node.ports.order_by("pk")[0]
    path = path.format(fabric=fabric.pk, node=node.pk, port=port.pk)
    client.get(f"/api/v1/{path}", headers=big)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        reply = client.get(f"/api/v1/{path}", headers=big)
    assert reply.status_code == 200
    assert len(queries) <= most, [query["sql"][:120] for query in queries.captured_queries]


def test_whole_site_is_on_the_map(client: Client, big: dict[str, str], db: None) -> None:
    topology = client.get("/api/v1/topology", headers=big).json()
    assert len(topology["nodes"]) == DEVICES + 4 + 1
    assert len(topology["links"]) == DEVICES * PORTS


def test_round_over_a_large_quiet_site_needs_few_queries(big: dict[str, str], db: None) -> None:
    services.run_round(timezone.now())
    with CaptureQueriesContext(connection) as queries:
        services.run_round(timezone.now())
    selects = [query["sql"] for query in queries.captured_queries if "SAVEPOINT" not in query["sql"]]
    assert len(selects) <= 15 + 4 * len(RULES), len(selects)


def test_map_of_150_nodes_takes_at_most_100_ms(client: Client, db: None) -> None:
    world = World.make(nodes=144)
    world.describe("grf1", "atmgw", "router", "origin1", *(f"sp{n:02}" for n in range(1, 9)))
    headers = bearer(person("another reader", Role.VIEWER))

    def once() -> float:
        began = time.process_time()
        reply: Any = client.get("/api/v1/topology", headers=headers)
        assert len(reply.json()["nodes"]) >= 150
        return time.process_time() - began

    assert min(once() for _ in range(5)) <= 0.1
