"""Packets, errors and discards of a port agree with its samples at every level, and across them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from backstay.core.model.history import PortHistory
from backstay.intake.site_files import import_text
from backstay.inventory.models import Node
from backstay.inventory.snapshot import port_of
from backstay.telemetry import partitions
from backstay.telemetry.rollups.port_counters import COUNTERS, port_counters
from backstay.telemetry.selectors.history import port_history, stored_sources
from backstay.telemetry.tests.test_rollups import DAY, NOW, PORTS, finish, steady
from bench.site import switch_site

STATEMENTS = 8
"""Of both reads together: the port, marks, retention, partitions; and one a level, which psycopg counts."""


@pytest.fixture
def node(db: None) -> Node:
    """Four days of samples with the same growth in each."""
    import_text(switch_site("lab", 1, PORTS, agents=1), "lab.yaml", timezone.now())
    for ahead in range(-1, 5):
        partitions.ensure_day((DAY + timedelta(days=ahead)).date())
    node = Node.objects.get(kind="switch")
    steady(node, DAY, NOW)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE telemetry_samples SET out_discards = NULL,"
            " in_packets = array_fill(6000::bigint, ARRAY[array_length(in_octets, 1)]),"
            " in_errors = array_fill(120::bigint, ARRAY[array_length(in_octets, 1)]) WHERE node_id = %s",
            [node.pk],
        )
    return node


def read(node: Node, hours: float, points: int) -> tuple[PortHistory, dict[str, list[float | None]]]:
    """The first port up to `NOW`."""
    port = port_of(node.ports.order_by("pk")[0])
    start = NOW - timedelta(hours=hours)
    stored = stored_sources(port)
    history = port_history(port, start, NOW, points=points, interval_s=60.0, stored=stored)
    counters = port_counters(port, stored, history.bins, start, NOW, points=points, interval_s=60.0)
    return history, counters


@pytest.mark.parametrize(
    ("hours", "points", "level"), [(1, 600, "samples"), (10, 60, "5m"), (76, 60, "1h"), (76, 10, "1h")]
)
def test_counters_are_the_same_per_second_at_every_level(
    node: Node, hours: float, points: int, level: str
) -> None:
    if level != "samples":
        finish()
    history, counters = read(node, hours, points)
    assert history.level == level
    assert set(counters) == set(COUNTERS)
    assert {len(values) for values in counters.values()} == {len(history.bins.at)}
    inner = {name: set(values[1:-1]) for name, values in counters.items()}
    assert inner["in_packets"] == {100.0}
    assert inner["in_errors"] == {2.0}
    assert inner["out_discards"] == {0.0}


def test_time_without_samples_is_a_gap(node: Node) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM telemetry_samples WHERE ts > %s", [NOW - timedelta(minutes=30)])
    _, counters = read(node, 1, 600)
    assert counters["in_packets"][40:59] == [None] * 19
    assert counters["in_packets"][5] == 100.0


def test_number_of_statements_does_not_depend_on_the_range(node: Node) -> None:
    finish()
    for hours in (1, 10, 76):
        with CaptureQueriesContext(connection) as statements:
            read(node, hours, 60)
        assert len(statements) <= STATEMENTS
