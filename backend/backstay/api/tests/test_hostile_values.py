"""Text that the rule of `backstay_wire.text` forbids is refused with 400, wherever a client puts it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from backstay.api.sites.schemas import SiteFileRefused
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role

BODIES = {
    "NUL": '{"name": "a\\u0000b"}',
    "a control character": '{"name": "a\\u001b[31mb"}',
    "a lone surrogate": '{"name": "a\\ud800b"}',
    "a key with NUL": '{"na\\u0000me": 1}',
    "a huge integer": json.dumps({"limit": 10**400}),
    "infinity": '{"limit": 1e999}',
    "NaN": '{"limit": NaN}',
    "deep nesting": "[" * 100_000,
}


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield World.make(1)


@pytest.fixture
def headers(site: World, db: None) -> dict[str, str]:
    return bearer(person("admin", Role.ADMIN))


@pytest.mark.parametrize("case", BODIES)
@pytest.mark.parametrize("path", ["session", "failover-policies", "enrolment-tokens"])
def test_hostile_body_is_refused(client: Client, headers: dict[str, str], path: str, case: str) -> None:
    who: Any = {} if path == "session" else headers
    client.raise_request_exception = False
    reply = client.post(f"/api/v1/{path}", BODIES[case], content_type="application/json", headers=who)
    assert 400 <= reply.status_code < 500, reply.content
    assert reply.json()["code"]


@pytest.mark.parametrize("text", ["a\\u0000b", "a\\ud800b", "a\\u0007b"])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("session", '{"username": "TEXT", "password": "x"}'),
        ("enrolment-tokens", '{"site": "argonne", "node": "TEXT"}'),
        ("enrolment-tokens", '{"site": "TEXT", "node": "sp01"}'),
    ],
)
def test_hostile_text_in_a_declared_field_is_refused(
    client: Client, headers: dict[str, str], path: str, body: str, text: str
) -> None:
    who: Any = {} if path == "session" else headers
    client.raise_request_exception = False
    sent = body.replace("TEXT", text)
    reply = client.post(f"/api/v1/{path}", sent, content_type="application/json", headers=who)
    assert 400 <= reply.status_code < 500, reply.content


@pytest.mark.parametrize(
    "path",
    [
        "nodes?site=%00",
        "nodes?q=a%00b",
        "nodes?%00=1",
        "nodes?cursor=%00",
        "nodes/99999999999999999999999",
        "test-runs/99999999999999999999999",
        "nodes?limit=99999999999999999999999",
        "metrics?q=%ED%A0%80",
        "nodes/1%00",
        "topology?site=%00",
    ],
)
def test_hostile_address_is_refused(client: Client, headers: dict[str, str], path: str) -> None:
    client.raise_request_exception = False
    assert client.get(f"/api/v1/{path}", headers=headers).status_code < 500


@pytest.mark.parametrize(
    "path", ["/map%00", "/map%1b", "/api/v1/nodes/1%00", "/api/v1/nodes/%7f", "/api/%00"]
)
def test_forbidden_character_in_a_path_is_refused(client: Client, headers: dict[str, str], path: str) -> None:
    reply = client.get(path, headers=headers)
    assert reply.status_code == 400
    assert "path: Text must not contain the control character U+00" in reply.content.decode()


@pytest.mark.parametrize("name", ["Idempotency-Key", "Last-Event-ID", "Cookie", "If-None-Match", "Origin"])
def test_forbidden_character_in_a_header_is_refused(
    client: Client, headers: dict[str, str], name: str
) -> None:
    more = {**headers, name: "a\x01b"}
    reply = client.post("/api/v1/enrolment-tokens", "{}", content_type="application/json", headers=more)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")
    assert f"{name}: Text must not contain the control character U+0001." in reply.json()["message"]


def test_line_breaks_and_other_scripts_are_text(client: Client, headers: dict[str, str]) -> None:
    for text in ("line\none\ttwo\r\n", "Zürich", "pair \U0001f600"):
        body = json.dumps({"text": f"site: {text}"})
        reply = client.post("/api/v1/site-files", body, content_type="application/json", headers=headers)
        assert reply.status_code == 422


def test_a_query_with_too_many_parameters_is_refused(client: Client, headers: dict[str, str]) -> None:
    client.raise_request_exception = False
    query = "&".join(f"path={number}" for number in range(1, 1_500))
    reply = client.get(f"/api/v1/paths/timelines?{query}", headers=headers)
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid")


def test_an_unknown_key_beside_a_site_file_is_refused_as_declared(
    client: Client, headers: dict[str, str]
) -> None:
    body = json.dumps({"text": "site: x", "unknown": 1})
    reply = client.post("/api/v1/site-files", body, content_type="application/json", headers=headers)
    assert reply.status_code == 422
    assert "unknown" in reply.json()["fields"]
    SiteFileRefused.model_validate(reply.json())
