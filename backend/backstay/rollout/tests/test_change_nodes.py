"""A change with many nodes: its answer counts all of them, and the rest is listed in pages."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from backstay.api.changes import actor
from backstay.api.http.list_query import natural
from backstay.api.tests.world import bearer, kept, person
from backstay.core.roles import Role
from backstay.inventory.models import Node
from backstay.rollout.models import Application, Change
from backstay.rollout.plans import plan_summary
from backstay.rollout.tests.cluster import Cluster

Row = dict[str, Any]
STATES = ("pending", "preparing", "prepared", "refused", "applied", "confirmed", "rolled_back", "failed")
NODES = 150


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    with kept(django_db_blocker):
        cluster = Cluster.make()
        names = (f"node{number}" for number in range(NODES))
        Node.objects.bulk_create(Node(site=cluster.world.site, name=name, kind="host") for name in names)
        yield cluster


@pytest.fixture
def cluster(made: Cluster, db: None) -> Cluster:
    return made.copy()


class Reader:
    """GET requests of a viewer."""

    def __init__(self, client: Client) -> None:
        self._client, self._headers = client, bearer(person("reader", Role.VIEWER, "argonne"))

    def get(self, path: str, status: int = 200) -> Any:
        reply = self._client.get(f"/api/v1/{path}", headers=self._headers)
        assert reply.status_code == status, reply.content
        return reply.json()

    def pages(self, path: str) -> list[Row]:
        """All items, page after page."""
        found: list[Row] = []
        cursor = ""
        while True:
            page = self.get(f"{path}{'&' if '?' in path else '?'}limit=40{cursor}")
            found += page["items"]
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"


@pytest.fixture
def reader(client: Client, cluster: Cluster) -> Reader:
    return Reader(client)


def ended(cluster: Cluster, nodes: int, seed: int = 1) -> Change:
    """A change of so many nodes that ended in a random state of each."""
    draw = random.Random(seed)
    now = cluster.now
    change = Change.objects.create(
        site=cluster.world.site, kind="policies", title="Large", state="failed", since=now, created_at=now,
        wave=1, revision=7, outcome="no answer",
    )  # fmt: skip
    Application.objects.bulk_create(
        Application(
            change=change,
            node=node,
            wave=draw.randrange(3),
            state=draw.choice(STATES),
            since=draw.choice([None, now - timedelta(seconds=draw.randrange(9))]),
            reason=draw.choice(["", "no answer", "refused"]),
            evidence=[
                {"what": "route", "ok": draw.random() < 0.7, "found": "", "stage": stage}
                for stage in draw.sample(["checked", "restored", "saved"], draw.randrange(4))
            ],
            before=draw.choice(["", "a", "b"]),
            after=draw.choice(["", "a", "b"]),
        )
        for node in Node.objects.filter(name__startswith="node").order_by("?")[:nodes]
    )
    return change


@pytest.mark.parametrize("seed", range(4))
def test_change_counts_all_nodes_and_has_the_first(cluster: Cluster, reader: Reader, seed: int) -> None:
    change = ended(cluster, NODES, seed)
    rows = list(change.applications.select_related("node").order_by("wave", "node__name"))
    answer = reader.get(f"changes/{change.pk}")
    assert (answer["nodes"], answer["plan"]) == (NODES, None)
    first = [row.node.name for row in rows[: actor.FIRST_NODES]]
    assert [item["node"] for item in answer["members"]] == first
    assert len(first) < NODES
    for wave in answer["progress"]:
        mine = [row.state for row in rows if row.wave == wave["wave"]]
        assert (wave["nodes"], wave["states"]) == (len(mine), Counter(mine))
    assert sum(wave["nodes"] for wave in answer["progress"]) == NODES
    assert answer["confirmed"] == sum(row.state == "confirmed" for row in rows)


@pytest.mark.parametrize("seed", range(4))
def test_restored_nodes_are_counted_by_their_evidence(cluster: Cluster, reader: Reader, seed: int) -> None:
    change = ended(cluster, NODES, seed)
    nodes = reader.pages(f"changes/{change.pk}/nodes")
    again = {
        node["node"]: [check for check in node["checks"] if check["stage"] == "restored"] for node in nodes
    }
    touched = [node for node in nodes if node["state"] not in STATES[:4] or again[node["node"]]]
    verified = [
        node
        for node in nodes
        if node["state"] == "rolled_back"
        and (all(check["good"] == check["total"] for check in again[node["node"]]))
        and (again[node["node"]] or node["as_before"])
    ]
    found = reader.get(f"changes/{change.pk}")["restored"]
    assert (found["touched"], found["verified"]) == (len(touched), len(verified))
    culprits = {node["node_id"]: node["node"] for node in nodes if node["reason"] == "no answer"}
    assert culprits[found["node_id"]] == found["node"]


@pytest.mark.parametrize("sort", ["wave", "-wave", "name", "-name", "state", "since", "-since"])
def test_pages_of_nodes_are_all_nodes_in_order(cluster: Cluster, reader: Reader, sort: str) -> None:
    change = ended(cluster, NODES)
    rows = {row.node_id: row for row in change.applications.select_related("node")}
    found = reader.pages(f"changes/{change.pk}/nodes?sort={sort}")
    assert sorted(node["node_id"] for node in found) == sorted(rows)
    field = sort.removeprefix("-")

    def key(node: Row) -> Any:
        row = rows[node["node_id"]]
        return {"wave": row.wave, "name": natural(row.node.name), "state": row.state, "since": row.since}[
            field
        ]

    known = [key(node) for node in found if key(node) is not None]
    assert known == sorted(known, reverse=sort.startswith("-"))
    assert [key(node) for node in found][: len(known)] == known


def test_nodes_are_filtered(cluster: Cluster, reader: Reader) -> None:
    change = ended(cluster, NODES)
    rows = list(change.applications.select_related("node"))
    for query, chosen in {
        "wave=1": [row for row in rows if row.wave == 1],
        "state=failed": [row for row in rows if row.state == "failed"],
        "q=NODE1": [row for row in rows if "node1" in row.node.name],
    }.items():
        found = reader.pages(f"changes/{change.pk}/nodes?{query}")
        assert sorted(node["node_id"] for node in found) == sorted(row.node_id for row in chosen)
    reader.get(f"changes/{change.pk}/nodes?state=lost", 400)


def test_one_change_and_a_page_of_its_nodes_take_the_same_statements_for_any_number_of_nodes(
    cluster: Cluster, reader: Reader
) -> None:
    counts = []
    for nodes in (3, NODES):
        change = ended(cluster, nodes)
        change.applications.update(state="confirmed")
        reader.get("changes")  # The first request of a process takes some more.
        for path in (f"changes/{change.pk}", f"changes/{change.pk}/nodes?limit=2", "changes"):
            with CaptureQueriesContext(connection) as queries:
                reader.get(path)
            counts.append(len(queries))
        Change.objects.filter(pk=change.pk).delete()
    assert counts[:3] == counts[3:]


def test_planned_nodes_are_those_of_the_newest_plan(cluster: Cluster, reader: Reader) -> None:
    change = cluster.propose()
    plan = cluster.plan(change)
    found = reader.pages(f"changes/{change.pk}/nodes")
    assert {str(node["node_id"]): node["wave"] for node in found} == {
        key: assignment["wave"] for key, assignment in plan.assignments.items()
    }
    assert {node["state"] for node in found} == {"pending"}
    assert {node["engine"] for node in found} == {
        assignment["routing"]["engine"]["kind"] for assignment in plan.assignments.values()
    }
    answer = reader.get(f"changes/{change.pk}")
    assert sorted(found, key=str) == sorted(answer["members"], key=str)
    assert answer["progress"] == []
    assert reader.get(f"changes/{change.pk}/nodes?state=failed")["items"] == []


def test_short_plan_is_whole_and_long_plan_names_what_it_leaves_out(
    cluster: Cluster, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = reader.get(f"changes/{cluster.propose().pk}")["plan"]
    assert short["is_whole"]
    for limit in ("NAMES", "IMPACTS", "LINKS", "WAVES"):
        monkeypatch.setattr(plan_summary, limit, 1)
    change = cluster.propose()
    head = reader.get(f"changes/{change.pk}")["plan"]
    whole = reader.get(f"changes/{change.pk}/plan")
    assert (head["is_whole"], whole["is_whole"]) == (False, True)
    assert head["counts"] == whole["counts"] == short["counts"]
    assert whole["counts"]["waves"] == [len(wave) for wave in whole["waves"]]
    assert len(whole["impacts"]) == sum(whole["counts"]["failures"].values()) + 1
    assert ({**whole, **_NOT_COMPARED}, whole["impacts"]) == ({**short, **_NOT_COMPARED}, short["impacts"])
    (shape,) = head["shapes"]
    assert (len(shape["nodes"]), shape["node_count"]) == (1, len(whole["shapes"][0]["nodes"]))
    for impact in head["impacts"]:
        (same,) = (item for item in whole["impacts"] if item["failure"] == impact["failure"])
        for name, more in impact["omitted"].items():
            assert len(impact[name]) + more == len(same[name]) + same["omitted"][name]


_NOT_COMPARED = {"made_at": "", "digest": ""}


def test_change_without_a_plan_says_so(cluster: Cluster, reader: Reader) -> None:
    change = ended(cluster, 1)
    assert "plan it first" in reader.get(f"changes/{change.pk}/plan", 404)["message"]
