"""Versions of circuits: imports begin and end them, and a time finds those in force."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from backstay.api.tests.world import bearer, person
from backstay.core.model.circuit import Label
from backstay.core.roles import Role
from backstay.intake.site_files import import_text
from backstay.inventory import selectors
from backstay.inventory.circuits import value
from backstay.inventory.models import Circuit, CircuitVersion, Site
from backstay.inventory.tests.test_site_circuits import NOW, TEXT

HOUR = timedelta(hours=1)
RELABELLED = TEXT.replace("1A2 0/131", "1A2 0/231")
WITHOUT_VLAN = RELABELLED.partition("  - name: lan-gw-far")[0]


def imported(text: str, hours: int) -> None:
    import_text(text, "lab.yaml", NOW + hours * HOUR)


def in_force(at: datetime) -> dict[str, CircuitVersion]:
    return {row.name: row for row in selectors.circuit_versions(Site.objects.get(), at=at)}


@pytest.fixture
def history(db: None) -> None:
    """Both circuits at 0 h, `gw-far` relabelled at 10 h, `lan-gw-far` removed at 20 h declared at 30 h."""
    for hours, text in ((0, TEXT), (5, TEXT), (10, RELABELLED), (20, WITHOUT_VLAN), (30, RELABELLED)):
        imported(text, hours)


def test_each_time_finds_the_circuits_that_were_declared_then(history: None) -> None:
    def labels(at: datetime) -> dict[str, Any]:
        return {name: value(row).hops[1].out for name, row in in_force(at).items()}

    assert in_force(NOW - HOUR) == {}
    for hours, names, vci in (
        (0, {"gw-far", "lan-gw-far"}, 131),
        (9.999, {"gw-far", "lan-gw-far"}, 131),
        (10, {"gw-far", "lan-gw-far"}, 231),
        (20, {"gw-far"}, 231),
        (29.999, {"gw-far"}, 231),
        (30, {"gw-far", "lan-gw-far"}, 231),
        (1e4, {"gw-far", "lan-gw-far"}, 231),
    ):
        found = labels(NOW + hours * HOUR)
        assert found.keys() == names, hours
        assert found["gw-far"] is not None
        assert found["gw-far"].label == Label(0, vci), hours


def test_versions_in_force_are_the_circuits(history: None) -> None:
    kept = CircuitVersion.objects.filter(until=None).values_list("name", "kind", "note", "hops")
    assert sorted(kept) == sorted(Circuit.objects.values_list("name", "kind", "note", "hops"))


def hour_of(at: datetime | None) -> float | None:
    return None if at is None else (at - NOW) / HOUR


def test_repeated_import_begins_no_version(history: None) -> None:
    spans = CircuitVersion.objects.order_by("name", "since").values_list("name", "since", "until")
    ends = [(name, hour_of(start), hour_of(until)) for name, start, until in spans]
    assert ends == [
        ("gw-far", 0, 10), ("gw-far", 10, None), ("lan-gw-far", 0, 20), ("lan-gw-far", 30, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("note: the way out", "note: other"),
        ("peak: 134 Mb/s", "peak: 135 Mb/s"),
        ("shape: slow", "shape: fast"),
    ],
)
def test_changed_note_rate_or_shape_begins_a_version(db: None, old: str, new: str) -> None:
    imported(TEXT, 0)
    imported(TEXT.replace(old, new), 1)
    assert CircuitVersion.objects.filter(name="gw-far").count() == 2
    assert CircuitVersion.objects.filter(name="lan-gw-far").count() == 1


def test_versions_do_not_overlap_after_a_step_of_the_clock(db: None) -> None:
    imported(TEXT, 5)
    imported(RELABELLED, 0)
    imported(TEXT, 6)
    spans = list(CircuitVersion.objects.filter(name="gw-far").order_by("pk").values_list("since", "until"))
    assert [until for _, until in spans[:-1]] == [since for since, _ in spans[1:]]
    assert all(until is None or (since is not None and since <= until) for since, until in spans)


def test_import_needs_no_statement_for_each_circuit(db: None) -> None:
    def statements(more: int, hours: int) -> int:
        hops = "[{{node: gw, out: eth0 {}}}, {{node: far, in: eth0 {}}}]"
        many = [
            f"  - {{name: c{n}, kind: vlan, hops: {hops.format(n, n + more)}}}\n" for n in range(300, 500)
        ]
        with CaptureQueriesContext(connection) as seen:
            imported(TEXT + "".join(many), hours)
        return sum("circuitversion" in query["sql"] for query in seen)

    # One of them is part of the digest of rows; nothing else is read for the same file again.
    assert [statements(more, hours) for hours, more in enumerate((0, 0, 1000))] == [3, 1, 4]


def test_api_has_versions_of_one_circuit_and_of_a_time(history: None, client: Client) -> None:
    headers = bearer(person("viewer", Role.VIEWER))

    def items(**query: Any) -> list[dict[str, Any]]:
        reply = client.get("/api/v1/circuits/history", {"site": "lab", **query}, headers=headers)
        assert reply.status_code == 200, reply.content
        found: list[dict[str, Any]] = reply.json()["items"]
        return found

    newest, oldest = items(name="gw-far")
    assert (oldest["labels"], newest["labels"]) == (["0/130", "0/131"], ["0/130", "0/231", "0/131"])
    assert (oldest["hops"][1]["joins"], newest["hops"][1]["joins"]) == (True, False)
    assert (oldest["until"], newest["until"]) == (newest["since"], None)
    assert oldest["hops"][0]["shape"]["peak"] == 134_000_000
    assert oldest["circuit_id"] == Circuit.objects.get(name="gw-far").pk
    at = (NOW + 25 * HOUR).isoformat()
    assert [item["name"] for item in items(at=at, sort="name")] == ["gw-far"]
    assert [item["name"] for item in items(at=at, node="sw")] == ["gw-far"]
    assert items(at=at, q="lan") == []
    Circuit.objects.filter(name="lan-gw-far").delete()
    gone = items(name="lan-gw-far")[0]
    assert (gone["circuit_id"], gone["url"]) == (None, None)


def test_invalid_time_is_refused_with_the_expected_form(history: None, client: Client) -> None:
    headers = bearer(person("viewer", Role.VIEWER))
    reply = client.get("/api/v1/circuits/history?site=lab&at=tomorrow", headers=headers)
    assert reply.status_code == 400
    assert list(reply.json()["fields"]) == ["at"]
