"""What an agent and the backend say to each other, through the real endpoint and the real database."""

from __future__ import annotations

import time
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from backstay.api.site_import import import_text
from bench.site import AgentIdentity, batch, port_samples, switch_site

BOOT = uuid.uuid4()
PORTS = ["Ethernet1/1", "Ethernet1/2"]


def rows(sql: str, *values: int | str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def enrolled(client: Client, site: str, node: str) -> AgentIdentity:
    identity = AgentIdentity()
    token, _ = create_enrolment_token(site, node, None, timezone.now())
    reply = client.post("/api/agent/v1/enrol", identity.enrol_body(token), content_type="application/json")
    assert reply.status_code == 200, reply.content
    identity.enrolled(reply.json())
    return identity


def send(client: Client, identity: AgentIdentity, body: bytes) -> Any:
    return client.generic(
        "POST",
        "/api/agent/v1/reports",
        body,
        content_type="application/json",
        headers={"authorization": identity.authorization, "content-encoding": "gzip"},
    )


@pytest.fixture
def site(db: None) -> str:
    import_text(switch_site("lab", devices=2, ports=2, agents=1), "lab.yaml", timezone.now())
    return "lab"


@pytest.fixture
def identity(site: str, client: Client) -> AgentIdentity:
    return enrolled(client, site, "mgmt0")


def test_samples_that_are_sent_are_stored_and_are_the_newest(client: Client, identity: AgentIdentity) -> None:
    now = time.time_ns()
    reports = [port_samples(f"sw{n:03}", PORTS, n + 1, boot=BOOT, at=now) for n in range(2)]
    reply = send(client, identity, batch(reports, sent=now))
    assert (reply.status_code, reply.json()) == (200, {"stored": 2, "rejected": [], "generation": 1})
    stored = rows(
        "SELECT in_octets, out_octets, in_errors, duration_ns FROM telemetry_samples ORDER BY node_id"
    )
    assert stored == [([1, 1], [2, 2], None, 30 * 10**9), ([2, 2], [4, 4], None, 30 * 10**9)]
    assert rows("SELECT in_octets FROM telemetry_latest ORDER BY node_id") == [([1, 1],), ([2, 2],)]
