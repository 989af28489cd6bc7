"""Undeclared fields are refused by name: in every operation, in every part of a body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from backstay.api.tests.world import World, bearer, person
from backstay.core.roles import Role

STRAY = "no_such_field"
DOCUMENT: dict[str, Any] = json.loads((settings.BASE_DIR / "openapi.json").read_text())
"""As `make check` compares it with the API; generating it takes seconds in each test process."""
FOREIGN = {"receive_alerts"}
"""Bodies that another project writes, with new fields in new versions: refusing them would lose alerts."""
WRITES = {
    operation["operationId"]: (
        method,
        path,
        operation["requestBody"]["content"]["application/json"]["schema"],
    )
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    if "requestBody" in operation and operation["operationId"] not in FOREIGN
}
"""Operation id -> method, path and schema of its body."""


def parts(schema: dict[str, Any], seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and schema of every object in a body, the body itself first."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in seen:
        return
    if name:
        schema, seen = DOCUMENT["components"]["schemas"][name], seen | {name}
    if "properties" in schema:
        yield name, schema
    within = [*schema.get("properties", {}).values(), *schema.get("anyOf", []), *schema.get("allOf", [])]
    for item in [*within, schema.get("items"), schema.get("additionalProperties")]:
        if isinstance(item, dict):
            yield from parts(item, seen)


def test_operations_with_a_body_are_found() -> None:
    assert {"create_change", "update_arp_policy", "sign_in", "import_site_file"} <= set(WRITES)
    assert [name for name, _ in parts(WRITES["create_failover_policy"][2])] == [
        "PolicyIn",
        "GroupModel",
        "StripeModel",
        "TimersModel",
        "ReturnPathModel",
    ]


@pytest.mark.parametrize("operation", list(WRITES))
def test_every_body_object_forbids_extra_fields(operation: str) -> None:
    found = list(parts(WRITES[operation][2]))
    assert found
    assert [name for name, schema in found if schema.get("additionalProperties") is not False] == []


@pytest.fixture
def headers(db: None) -> dict[str, str]:
    World.make(1)
    return bearer(person("boss", Role.ADMIN))


def test_every_operation_refuses_unknown_fields(client: Client, headers: dict[str, str]) -> None:
    for operation, (method, path, _) in WRITES.items():
        reply = getattr(client, method)(
            path.replace("{id}", "1"), {STRAY: 1}, content_type="application/json", headers=headers
        )
        answer = reply.json()
        assert (reply.status_code, answer["code"]) == (422, "refused"), operation
        assert answer["fields"][STRAY] == "unknown field", operation
        assert STRAY in answer["message"], operation


def test_nested_unknown_field_is_named_with_its_location(client: Client, headers: dict[str, str]) -> None:
    body = {
        "site": "argonne",
        "name": "sp-out",
        "nodes": {"names": ["sp*"]},
        "prefix": "0.0.0.0/0",
        "gateways": ["grf1", "atmgw"],
        "timers": {"intervall_ms": 10},
    }
    reply = client.post("/api/v1/failover-policies", body, content_type="application/json", headers=headers)
    assert reply.status_code == 422
    assert list(reply.json()["fields"]) == ["timers.intervall_ms"]


def test_invalid_body_without_unknown_fields_is_malformed(client: Client, headers: dict[str, str]) -> None:
    reply = client.post(
        "/api/v1/arp-policies", {"site": "argonne"}, content_type="application/json", headers=headers
    )
    assert (reply.status_code, list(reply.json()["fields"])) == (400, ["fabric"])
