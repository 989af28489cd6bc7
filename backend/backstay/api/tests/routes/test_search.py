"""The search: every kind is found, addresses in any form, typing errors, and bounded work over many ports."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory.models import Circuit, Link, Port
from backstay.rollout.models import Change
from bench.site import switch_site

NODES, PORTS = 1_250, 4
"""Enough that a search meets every limit; `make bench-growth` measures it at 10,000 nodes."""


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield full_site()


@pytest.fixture
def client(world: World, db: None) -> Client:
    return Client(headers=bearer(person("reader", Role.VIEWER)))


def found(client: Client, text: str, limit: int = 5) -> list[dict[str, str]]:
    answer = client.get("/api/v1/search", {"q": text, "limit": str(limit)})
    assert answer.status_code == 200, answer.content
    items: list[dict[str, str]] = answer.json()["items"]
    return items


def names(items: list[dict[str, str]], kind: str) -> list[str]:
    return [item["name"] for item in items if item["kind"] == kind]


def test_every_kind_is_found_by_its_name(world: World, client: Client) -> None:
    link, circuit = Link.objects.order_by("pk")[0], Circuit.objects.order_by("pk")[0]
    change = Change.objects.order_by("pk")[0]
    for kind, text in {
        "node": "atmgw",
        "link": link.label,
        "circuit": circuit.name,
        "policy": "sp-default",
        "fabric": "sp-switch",
        "change": f"#{change.pk}",
        "rule": "saturation",
        "paper": "casa gigabit testbed",
        "port": "sp01:css0",
    }.items():
        assert kind in {item["kind"] for item in found(client, text)}, text


def test_rules_and_papers_are_found_by_any_word_and_lead_to_their_pages(client: Client) -> None:
    rules = [item for item in found(client, "port") if item["kind"] == "rule"]
    assert len(rules) > 1
    for item in rules:
        assert item["url"] == f"/rules/{item['name']}"
        assert client.get(f"/api/v1{item['url']}").status_code == 200
    papers = [item for item in found(client, "infiniband high energy") if item["kind"] == "paper"]
    assert len(papers) > 1
    for item in papers:
        assert item["detail"].startswith("InfiniBand for High Energy Physics, ")
        assert client.get(f"/api/v1{item['url'].replace('/tests/runs', '/test-runs')}").status_code == 200


def test_a_name_that_is_equal_comes_first_and_leads_to_its_page(world: World, client: Client) -> None:
    first = next(item for item in found(client, "GRF1") if item["kind"] == "node")
    assert (first["name"], first["why"]) == ("grf1", "name")
    assert first["url"] == f"/devices/{world.node('grf1').pk}"


@pytest.mark.parametrize("text", ["atmgv", "atmggw", "ATMGV"])
def test_a_typing_error_finds_the_similar_name(client: Client, text: str) -> None:
    items = found(client, text)
    assert items[0]["name"] == "atmgw"
    assert {item["why"] for item in items} == {"similar name"}


def test_an_address_in_any_form_finds_its_port_and_who_has_it(world: World, client: Client) -> None:
    port = Port.objects.filter(node__name="sp01").exclude(addresses=[]).order_by("pk")[0]
    whole = port.addresses[0]
    bare = whole.partition("/")[0]
    other = world.node("grf1")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_neighbour (node_id, port, address, mac, state, since, held_since)"
            " VALUES (%s, 'ga030', %s, '02:00:5e:00:00:09', 'reachable', now(), now())",
            [other.pk, bare],
        )
    for text in (whole, bare, f"{bare}/32", f" {bare} "):
        items = found(client, text)
        assert f"sp01:{port.name}" in names(items, "port"), text
        entry = next(item for item in items if item["kind"] == "neighbour")
        assert entry["why"] == "in the tables of grf1:ga030"
        assert entry["url"] == f"/neighbours?address={bare}"
    start = ".".join(bare.split(".")[:3]) + "."
    assert names(found(client, start, limit=20), "port")
    assert bare in names(found(client, "0200.5E00.0009"), "neighbour")


@pytest.mark.parametrize(
    "text", ["%", "_", "\\", "'", "x" * 200, "::", "\u00e4\U0001f600", "a b c d e f g h i j"]
)
def test_any_text_is_answered(client: Client, text: str) -> None:
    found(client, text)


def test_an_empty_text_finds_nothing(client: Client) -> None:
    assert found(client, "  ") == []


def test_the_limit_is_per_kind_and_bounded(client: Client) -> None:
    assert len(names(found(client, "sp", limit=2), "node")) == 2
    assert client.get("/api/v1/search", {"q": "sp", "limit": "21"}).status_code == 400


def test_nobody_finds_objects_of_another_site(world: World, db: None) -> None:
    import_text(switch_site("hidden", 2, 1, agents=1), "hidden.yaml", timezone.now())
    stranger = Client(headers=bearer(person("stranger", Role.ADMIN, "hidden")))
    assert names(found(stranger, "grf1"), "node") == []
    assert stranger.get("/api/v1/search", {"q": "grf1", "site": world.site.name}).status_code == 404


_ROWS = (
    """
INSERT INTO inventory_node (site_id, name, title, kind, role, labels, sources, routing, arp, extension, guid)
SELECT %(site)s, 'n' || lpad(i::text, 5, '0'), 'Compute node ' || i, 'host', 'compute',
    '{}', '[]', '{}', '{}', '{}', '' FROM generate_series(1, %(nodes)s) AS i
""",
    """
INSERT INTO inventory_port (node_id, name, management, declared, addresses)
SELECT n.id, 'en' || p, false, true,
    ARRAY[host('10.0.0.0'::inet + p * 65536 + right(n.name, 5)::int) || '/16']
FROM inventory_node AS n CROSS JOIN generate_series(1, %(ports)s) AS p
WHERE n.site_id = %(site)s AND n.title LIKE 'Compute node %%' ORDER BY n.name, p
""",
    """
INSERT INTO telemetry_portstate (port_id, if_index, if_type, speed, mtu, admin_up, oper_up, mac, alias,
    addresses, since, at)
SELECT p.id, 1, 6, 1e10, 1500, true, true,
    ('0200' || lpad(to_hex(row_number() OVER (ORDER BY p.id)), 8, '0'))::macaddr::text,
    '', p.addresses, now(), now()
FROM inventory_port AS p JOIN inventory_node AS n ON n.id = p.node_id
WHERE n.site_id = %(site)s AND n.title LIKE 'Compute node %%'
""",
    """
INSERT INTO telemetry_neighbour (node_id, port, address, mac, state, since, held_since)
SELECT p.node_id, p.name, split_part(p.addresses[1], '/', 1)::inet, s.mac, 'reachable', now(), now()
FROM inventory_port AS p JOIN telemetry_portstate AS s ON s.port_id = p.id
WHERE s.mac LIKE '02:00:%%'
""",
)
_TABLES = "inventory_node, inventory_port, telemetry_portstate, telemetry_neighbour"


@pytest.fixture
def many_ports(world: World, client: Client) -> None:
    """Hosts with addresses, hardware addresses and neighbours; rolled back with the test."""
    with connection.cursor() as cursor:
        for statement in _ROWS:
            cursor.execute(statement, {"site": world.site.pk, "nodes": NODES, "ports": PORTS})
            # The next statement joins these rows: without statistics, it might compare each with each.
            cursor.execute(f"ANALYZE {_TABLES}")
    assert Port.objects.filter(node__site=world.site).count() >= NODES * PORTS


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("n00042", "node", "n00042"),
        ("n00042:en3", "port", "n00042:en3"),
        ("en3", "port", "n00001:en3"),
        ("compute", "node", "n00001"),
        ("atmgv", "node", "atmgw"),
        ("10.3.0.42", "port", "n00042:en3"),
        ("10.3.0.42", "neighbour", "10.3.0.42"),
        ("10.3.0.0/24", "port", "n00001:en3"),
        ("02:00:00:00:00:03", "port", "n00001:en3"),
        ("02:00:00:00:00", "neighbour", "10.1.0.1"),
    ],
)
def test_one_is_found_among_many_ports(
    many_ports: None, client: Client, text: str, kind: str, name: str
) -> None:
    items = found(client, text)
    assert name in names(items, kind)
    assert len(names(items, kind)) <= 5


@pytest.mark.parametrize("text", ["n", "en3", "n00042 en3", "zzzzzz", "10.3.0.42", "10.3.", "02:00:00:00:0"])
def test_the_statements_of_a_search_do_not_depend_on_the_number_of_ports(
    client: Client, request: pytest.FixtureRequest, text: str
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            found(client, text)
        return len(queries)

    few = statements()
    request.getfixturevalue("many_ports")
    assert statements() <= few + 1, "similar names are read where no object contains the words"


def test_names_of_ports_are_found_by_an_index(many_ports: None, client: Client) -> None:
    """Of so few rows, the planner would read all: without whole reads, it must find an index."""
    with CaptureQueriesContext(connection) as queries:
        found(client, "n00042:en3")
    (ports,) = (query["sql"] for query in queries if "p.name ILIKE" in query["sql"])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {ports}")
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "port_words" in plan, plan
