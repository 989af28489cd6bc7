"""Evaluation that stops is noticed outside of Celery, and health names the process that is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.db import connection
from django.utils import timezone

from backstay.alerts.models import Incident
from backstay.core.model.progress import Phase
from backstay.intake.site_files import import_text
from backstay.inventory.advisory_locks import LockClass
from backstay.inventory.models import Site
from bench.servers import INGEST, WEB, Server, environment, rounds, server, stopped
from bench.site import host_site

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.quiet,
    pytest.mark.real_clock,
]
HEALTH_S = 3.0
NOTICED_S = 60.0
"""An incident takes three missed rounds and four heartbeats, 10 to 24 s; health waits for 20 s."""


@dataclass(frozen=True)
class Service:
    """Web, ingest and a worker with beat, over the tests' database."""

    web: Server
    ingest: Server
    worker: int

    def health(self) -> httpx.Response:
        return httpx.get(f"{self.web.url}/api/v1/health", timeout=60)

    def failures(self) -> dict[str, str]:
        """Part -> message; in time, whatever is stopped."""
        began = time.monotonic()
        reply = self.health()
        assert time.monotonic() - began < HEALTH_S
        found = {failure["part"]: failure["message"] for failure in reply.json()["failures"]}
        assert reply.status_code == (503 if found else 200)
        return found

    def evaluation(self) -> str:
        """What health says about the evaluation of rules; empty: nothing."""
        return self.failures().get("rule evaluation", "")


@pytest.fixture
def service(transactional_db: None, tmp_path: Path) -> Iterator[Service]:
    """Running, with the rules of two sites evaluated."""
    for name in ("sick", "well"):
        import_text(host_site(name, devices=1, ports=1), f"{name}.yaml", timezone.now())
    known = environment()
    with (
        server(INGEST, known) as ingest,
        rounds(known, tmp_path) as worker,
        server(WEB, known | {"BACKSTAY_INGEST_URLS": ingest.url}) as web,
    ):
        running = Service(web, ingest, worker)
        until(lambda: running.health().status_code == 200, "the service does not become healthy")
        yield running


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + NOTICED_S
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.2)


def late_sites() -> set[str]:
    """Sites with an incident because their rules are not evaluated."""
    rows = Incident.objects.filter(rule__kind="evaluation_late").exclude(phase=Phase.RESOLVED)
    return set(rows.values_list("site__name", flat=True))


@contextmanager
def never_evaluated(site: str) -> Iterator[None]:
    """The lock of the site's rounds is held by somebody else."""
    keys: list[Any] = [LockClass.ROUND.value, Site.objects.get(name=site).pk]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s, %s)", keys)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", keys)


def test_site_that_is_not_evaluated_gets_an_incident_and_the_other_one_stays_on_time(
    service: Service,
) -> None:
    with never_evaluated("sick"):
        until(lambda: late_sites() == {"sick"}, "no incident")
        until(lambda: service.evaluation().startswith("is late at 1 of 2 sites"), "health does not name it")
        assert service.failures().keys() == {"rule evaluation"}
        assert late_sites() == {"sick"}
    until(lambda: late_sites() == set(), "the incident stays")
    until(lambda: service.failures() == {}, "health stays bad")
    assert not Incident.objects.filter(rule__kind="evaluation_late", site__name="well").exists()


def test_stopped_worker_is_noticed_by_the_ingest_and_named_by_health(service: Service) -> None:
    with stopped(service.worker):
        until(lambda: late_sites() == {"sick", "well"}, "no incident")
        until(lambda: service.evaluation().startswith("is late at 2 of 2 sites"), "health does not name it")
        assert service.failures().keys() == {"rule evaluation"}
    until(lambda: late_sites() == set(), "the incidents stay")
    until(lambda: service.failures() == {}, "health stays bad")


def test_stopped_ingest_is_named_by_health_within_3_s(service: Service) -> None:
    with stopped(service.ingest.pid):
        for _ in range(3):
            until(lambda: service.failures().keys() == {"ingest"}, "health does not name the ingest")
        assert service.failures()["ingest"].startswith("(1 of 1 servers)")
        assert service.health().json()["ingest"] is False
        assert late_sites() == set(), "rules are evaluated"
    until(lambda: service.failures() == {}, "health stays bad")
