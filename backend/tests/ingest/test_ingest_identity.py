"""Agents' credentials and desired state."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from backstay.accounts import agents
from backstay.accounts.models import Agent
from backstay.intake.site_files import import_text
from backstay_wire import Desired
from bench.agent_requests import BASE, rows, send
from bench.device_reports import report
from bench.site import AgentIdentity, batch, switch_site


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nonsense", "Bearer bsa1.AAAA"])
def test_body_is_not_read_without_a_valid_credential(client: Client, header: str) -> None:
    reply = client.generic("POST", f"{BASE}reports", b"x", headers={"authorization": header})
    assert (reply.status_code, reply["WWW-Authenticate"]) == (401, "Bearer")


def test_revoked_agent_is_refused_from_its_next_request(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    assert send(client, identity, batch([report(1, now)], sent=now)).status_code == 200
    agents.revoke(uuid.UUID(identity.agent), timezone.now())
    assert send(client, identity, batch([report(2, now)], sent=now)).status_code == 401
    headers = {"authorization": identity.authorization}
    assert client.get(f"{BASE}desired", headers=headers).status_code == 401


def test_desired_state_has_sources_with_secrets(client: Client, identity: AgentIdentity) -> None:
    reply = client.get(f"{BASE}desired", headers={"authorization": identity.authorization})
    duty = Desired.model_validate_json(reply.content)
    assert (duty.site, duty.node, duty.generation) == ("lab", "mgmt0", 1)
    assert [(source.kind, source.device, source.interval_s) for source in duty.sources] == [
        ("linux", "mgmt0", 30.0),
        ("snmp", "sw000", 30.0),
        ("snmp", "sw002", 30.0),
    ]
    access = json.loads(reply.content)["sources"][1]["access"]
    assert access == {"version": "2c", "community": "secret of sw000"}
    assert reply["Cache-Control"] == "no-store"


def test_known_desired_state_is_not_sent_again(client: Client, identity: AgentIdentity) -> None:
    headers = {"authorization": identity.authorization}
    generation = client.get(f"{BASE}desired", headers=headers).json()["generation"]
    asked = {**headers, "if-none-match": f'"{generation}"'}
    reply = client.get(f"{BASE}desired", headers=asked)
    assert (reply.status_code, reply.content) == (304, b"")
    Agent.objects.filter(pk=identity.agent).update(generation=generation + 1)
    assert client.get(f"{BASE}desired", headers=asked).json()["generation"] == generation + 1


def test_known_generation_is_answered_without_a_query_of_the_orm(
    client: Client, identity: AgentIdentity, django_assert_num_queries: Callable[..., Any]
) -> None:
    asked = {"authorization": identity.authorization, "if-none-match": '"1"'}
    with django_assert_num_queries(0):
        assert client.get(f"{BASE}desired", headers=asked).status_code == 304
    Agent.objects.filter(pk=identity.agent).update(revoked_at=timezone.now())
    assert client.get(f"{BASE}desired", headers=asked).status_code == 401
    asked["if-none-match"] = '"None"'
    assert client.get(f"{BASE}desired", headers=asked).status_code == 401


def test_reach_request_needs_no_database_query(
    client: Client, identity: AgentIdentity, django_assert_num_queries: Callable[..., Any]
) -> None:
    with django_assert_num_queries(0):
        reply = client.get(f"{BASE}reach", headers={"authorization": identity.authorization})
        assert client.get(f"{BASE}reach", headers={"authorization": "Bearer bsa1.x"}).status_code == 401
    assert reply.json() == {"agent": str(identity.agent)}


def test_reply_announces_a_new_generation(client: Client, identity: AgentIdentity, now: int) -> None:
    import_text(
        switch_site("lab", devices=5, ports=2, agents=2), "lab.yaml", timezone.now()
    )  # One switch more.
    assert send(client, identity, batch([report(1, now)], sent=now)).json()["generation"] == 2


def test_credential_is_renewed_by_key_but_not_by_a_replay(
    client: Client, identity: AgentIdentity, now: int
) -> None:
    body = identity.renew_body("n" * 16)
    reply = client.post(f"{BASE}credential", body, content_type="application/json")
    assert reply.status_code == 200
    identity.credential = reply.json()["credential"]
    assert send(client, identity, batch([report(1, now)], sent=now)).status_code == 200
    again = client.post(f"{BASE}credential", body, content_type="application/json")
    assert again.status_code == 401


def test_invalid_enrolment_names_the_fields(client: Client, db: None) -> None:
    reply = client.post(f"{BASE}enrol", b"{}", content_type="application/json")
    assert reply.status_code == 400
    assert set(reply.json()["fields"]) == {"token", "public_key", "hostname", "agent_version"}


@pytest.mark.parametrize("path", ["reports", "enrol", "credential"])
def test_wrong_method_is_refused(client: Client, path: str) -> None:
    assert client.get(BASE + path).status_code == 405


def test_no_secret_appears_in_logs_replies_or_tables(
    client: Client, identity: AgentIdentity, now: int, caplog: pytest.LogCaptureFixture
) -> None:
    send(client, identity, batch([report(1, now), {"kind": "device"}], sent=now))
    call_command("enrolment_token", "lab", "mgmt1", stdout=StringIO())
    tables = [name for (name,) in rows("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]
    dump = "".join(str(rows(f"SELECT * FROM {name} LIMIT 1000")) for name in tables)
    for secret in ("secret of sw000", identity.credential):
        assert secret not in dump + caplog.text
