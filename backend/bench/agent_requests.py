"""An agent's requests to the backend through Django's test client, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from backstay.accounts.agents import create_enrolment_token
from bench.site import AgentIdentity

BASE = "/api/agent/v1/"


def rows(sql: str, *values: int | str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def value(sql: str, *values: int | str) -> Any:
    """The only value of a query."""
    ((only,),) = rows(sql, *values)
    return only


def enrolled(client: Client, site: str, node: str) -> AgentIdentity:
    """A new agent of a node, with a credential."""
    identity = AgentIdentity()
    token, _ = create_enrolment_token(site, node, None, timezone.now())
    reply = client.post(f"{BASE}enrol", identity.enrol_body(token), content_type="application/json")
    if reply.status_code != 200:
        raise AssertionError(reply.content)
    identity.enrolled(reply.json())
    return identity


def send(client: Client, identity: AgentIdentity, body: bytes) -> Any:
    """`POST /reports`: the response."""
    return client.generic(
        "POST",
        f"{BASE}reports",
        body,
        content_type="application/json",
        headers={"authorization": identity.authorization, "content-encoding": "gzip"},
    )


def rejections(reply: Any) -> Sequence[tuple[int, str]]:
    """(index, code) of each rejected report."""
    return [(item["index"], item["code"]) for item in reply.json()["rejected"]]
