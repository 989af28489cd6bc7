"""Cases of schemathesis and hostile values against every operation of both APIs, as several callers.

`make bench-fuzz` sends more of them to running servers. Here, in this process, what a case changes is rolled
back, so that the next one finds the same objects.

The stateful phase of schemathesis is not used: the document declares no links, and its sequences need effects
that stay, which would make later cases depend on earlier ones. Objects come from `full_site` and
`bench.fuzz.target` instead; in `make bench-fuzz`, earlier cases have changed them.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from backstay.accounts import credentials
from backstay.accounts.models import Agent
from backstay.api.tests.full_site import full_site
from backstay.api.tests.world import World, bearer, kept, person
from backstay.core.roles import Role
from bench.fuzz import bodies, existing_values
from bench.fuzz.bodies import Sender
from bench.fuzz.cases import Counts, Source
from bench.fuzz.documents import Operation, agents, operations, public
from bench.fuzz.response_checks import Caller, Judge, Tally

# A loaded machine takes minutes for what costs 15 s of a processor.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SEED = 1
COUNTS = Counts(boundary=5, valid=3, invalid=1, hostile=4)
LOWER = Counts(boundary=1, valid=1, invalid=1, hostile=1)
"""Of a role that may do less than an administrator."""
ANONYMOUS = Counts(boundary=2, valid=0, invalid=0, hostile=0)
AGENT = Counts(boundary=10, valid=12, invalid=1, hostile=25)
NEVER_ACCEPTED = {
    "GET /api/v1/live",
    "GET /api/v1/health",
    "GET /api/v1/wallboards/current",
    "GET /api/v1/capacity/n-1/{id}",
    "GET /api/v1/capacity/forecast/{id}",
}
"""Reads that need other processes, or what they store, or the token of a wallboard."""
WITHOUT_OBJECT = 6
"""So many reads may find nothing: what is listed, such as incidents, depends on the age of the reports."""
LEAST_WRITES = 15
"""So many different writes are accepted at least: the others need an agent that does something."""
Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class RolledBack:
    """The WSGI application; what a request changes is checked like at a commit, then rolled back."""

    def __init__(self) -> None:
        self._application = WSGIHandler()

    def __call__(self, environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        # A request's end would close the connection; Django's client connects the signals after each request.
        for signal in (request_started, request_finished):
            signal.disconnect(close_old_connections)
        environ.pop("HTTP_ACCEPT_ENCODING", None)  # The library's WSGI client decompresses nothing.
        with transaction.atomic():
            response = self._application(environ, start)
            content = list(response)
            response.close()
            if not connection.needs_rollback:
                connection.check_constraints()
            transaction.set_rollback(True)
        return content


@pytest.fixture(scope="module")
def site(shown_at_once: None, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with kept(django_db_blocker):
        yield full_site()


@pytest.fixture
def real(site: World, db: None, client: Client) -> existing_values.Known:
    """The site's objects, as an administrator sees them."""
    headers = bearer(person("lister", Role.ADMIN))

    def get(path: str) -> Any:
        reply = client.get(path, headers=headers)
        return reply.json() if reply.status_code == 200 else None

    found = existing_values.read(get, site.site.name)
    nodes = ("sp01", "sp02", "grf1", "atmgw")
    found.bodies = bodies.accepted(site.site.name, found.ids, "sp-switch", nodes)
    return found


def report(tally: Tally) -> str:
    return "\n".join(f"{fault}\n    {request}" for fault, request in tally.examples.items())


def fuzz(judge: Judge, counts: Counts, source: Source, found: list[Operation]) -> Tally:
    tally = Tally()
    for operation in found:
        tally.add(judge.run(operation, source.cases(operation, counts)))
    return tally


def test_no_case_breaks_an_operation_of_the_public_api(real: existing_values.Known) -> None:
    found = operations(public(), RolledBack())
    admin = Judge(Caller("admin", bearer(person("admin", Role.ADMIN))))
    tally = fuzz(admin, COUNTS, Source(real, SEED), found)
    assert not tally.faults, "\n" + report(tally)
    assert tally.cases >= 10 * len(found)
    reads = {operation.label for operation in found if operation.method == "get"}
    assert len(reads - tally.accepted - NEVER_ACCEPTED) <= WITHOUT_OBJECT, reads - tally.accepted
    assert len(tally.accepted - reads) >= LEAST_WRITES, sorted(tally.accepted - reads)


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.VIEWER])
def test_no_case_breaks_an_operation_for_a_lower_role(real: existing_values.Known, role: Role) -> None:
    found = operations(public(), RolledBack())
    judge = Judge(Caller(role.value, bearer(person(role.value, role))))
    tally = fuzz(judge, LOWER, Source(real, SEED), found)
    assert not tally.faults, "\n" + report(tally)
    assert tally.cases >= 2 * len(found), tally.cases
    assert tally.statuses[403], tally.statuses
    reads = {operation.label for operation in found if operation.method == "get"}
    assert len(reads & tally.accepted) >= len(reads) / 4, sorted(reads - tally.accepted)


def test_nobody_without_credentials_is_let_in(real: existing_values.Known) -> None:
    found = operations(public(), RolledBack()) + operations(agents(), RolledBack())
    tally = fuzz(Judge(Caller("nobody", {})), ANONYMOUS, Source(real, SEED), found)
    assert not tally.faults, "\n" + report(tally)
    assert tally.statuses[401] > len(found), tally.statuses


def test_no_case_breaks_a_call_of_the_agents(real: existing_values.Known, site: World) -> None:
    agent = Agent.objects.get(site=site.site.name, node="sp01")
    token = credentials.issue(agent.pk, timezone.now()).text
    judge = Judge(Caller("agent", {"Authorization": f"Bearer {token}"}))
    found = operations(agents(), RolledBack())
    # Hypothesis also draws constants of the loaded modules: a valid report among them is left to chance.
    outcome = {"kind": "collector", "collector": "linux", "outcome": "ok", "duration_ms": 1.0}
    head = {"boot": str(uuid.uuid4()), "seq": 1, "device": "sp01", "at": time.time_ns()}
    real.bodies = {**real.bodies, "post_reports": {"sent": 1, "reports": [head | outcome]}}
    source = Source(real, SEED, Sender("sp01", ["css0"], uuid.uuid4()))
    tally = fuzz(judge, AGENT, source, found)
    assert not tally.faults, "\n" + report(tally)
    assert len(tally.accepted) == 4, tally.accepted
