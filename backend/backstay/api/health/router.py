"""Health checks for supervisors and load balancers, without authentication.

They name no site: whoever may not see a site must not learn of it here.
"""

import functools
import importlib.metadata
import time
from datetime import date, datetime
from typing import Literal

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router, Status
from pydantic import BaseModel, Field

from backstay.alerts.selectors.health import Evaluation, last_evaluation
from backstay.api.health.checks import DEADLINE_S, Check, Result, ingest_answers, result_of
from backstay.inventory import standby_reads
from backstay.inventory.standby_reads import StandbyStatus
from backstay.live import bus
from backstay.telemetry.archive.status import ArchiveHealth, archive_health

Part = Literal["PostgreSQL", "standby", "Redis", "ingest", "rule evaluation", "archive"]


class Failure(BaseModel):
    """A part of the service that does not work."""

    part: Part
    message: str


class ArchiveOut(BaseModel):
    """The archive of closed days, by its manifest and its last run."""

    days: int = Field(description="Days that are archived and verified")
    bytes: int
    waiting: int = Field(description="Closed days that are not archived yet")
    oldest_waiting: date | None = Field(description="The oldest of them")
    succeeded_at: datetime | None = Field(description="End of the last run without a failure")
    problems: list[str] = Field(description="What fails, is late or is damaged; the first is in `failures`")


class StandbyOut(BaseModel):
    """The standby for reads, as this web process finds it."""

    answers: Literal["standby", "primary"] = Field(
        description="Which server answers lists, history and exports; what it shows is never older"
    )
    lag_s: float | None = Field(
        description="Seconds until it had replayed what the primary had written; null: not within the limit"
    )
    limit_s: float = Field(description="The limit: BACKSTAY_READ_DB_LAG_S")
    behind_bytes: int | None = Field(description="Log that it has not replayed; null: unknown")


class Health(BaseModel):
    """Health.

    degraded: live push, the archive, the standby for reads or one ingest server of several fails; failing:
    reports, rules, pages.
    """

    status: Literal["ok", "degraded", "failing"]
    failures: list[Failure]
    database: bool
    redis: bool
    ingest: bool
    worker_seen_s: float | None = Field(description="Seconds since a worker last started the rounds")
    evaluation_age_s: float | None = Field(
        description="Largest time of any site since its rules were last evaluated, seconds"
    )
    standby: StandbyOut | None = Field(description="null: BACKSTAY_READ_DB_HOST is not set")
    archive: ArchiveOut | None = Field(
        description="null: nothing is archived, or the database does not answer"
    )
    version: str


class FailingHealth(Health):
    """Health of a failing service, also usable as a `Problem`."""

    code: Literal["unavailable"] = "unavailable"
    message: str
    fields: dict[str, str] = Field(default_factory=dict)


class Alive(BaseModel):
    """The web process answers."""

    version: str


router = Router(tags=["health"])
VERSION = importlib.metadata.version("backstay-backend")
WORKER_LATE_S = 15.0
_database = Check(lambda: last_evaluation(timezone.now()))
_redis = Check(bus.is_up)
_archive = Check(lambda: archive_health(timezone.now()))
_standby = Check(standby_reads.status)


@router.get("/alive", response={200: Alive, 304: None}, operation_id="get_alive", auth=None)
def get_alive(request: HttpRequest) -> Alive:
    """Whether the web process answers; this does not check the service."""
    return Alive(version=VERSION)


@router.get(
    "/health", response={200: Health, 304: None, 503: FailingHealth}, operation_id="get_health", auth=None
)
def get_health(request: HttpRequest) -> Health | Status[FailingHealth]:
    """Whether the service works, within 3 s: 503 if pages, reports or rules fail; `failures` names them."""
    health = _checked()
    if health.status != "failing":
        return health
    message = "; ".join(f"{failure.part} {failure.message}" for failure in health.failures)
    return Status(503, FailingHealth(**health.model_dump(), message=f"{message}."))


def _checked() -> Health:
    until = time.monotonic() + DEADLINE_S
    started = [check.start() for check in _ingests(tuple(settings.INGEST_URLS))]
    checks = _database.start(), _redis.start(), _archive.start()
    asked = _standby.start() if standby_reads.is_configured() else None
    database, redis, archive = (
        result_of(checks[0], until),
        result_of(checks[1], until),
        result_of(checks[2], until),
    )
    failures = [] if database.failure is None else [Failure(part="PostgreSQL", message=database.failure)]
    standby = None if asked is None else _standby_status(result_of(asked, until))
    if standby is not None and not standby.serves:
        failures.append(Failure(part="standby", message=standby.reason))
    if not redis.value:
        failures.append(Failure(part="Redis", message=redis.failure or "is unreachable"))
    broken = [result.failure for result in (result_of(item, until) for item in started) if result.failure]
    if broken:
        message = f"({len(broken)} of {len(started)} servers) {broken[0]}"
        failures.append(Failure(part="ingest", message=message))
    seen_s = age_s = None
    if database.value is not None:
        seen_s, age_s = _age_s(database.value.dispatched_at), _age_s(database.value.oldest_at)
        if (late := _late(database.value, seen_s, age_s)) is not None:
            failures.append(Failure(part="rule evaluation", message=late))
    problems = [] if archive.value is None else archive.value.problems
    if archive.failure is not None and database.failure is None:
        problems = [archive.failure]
    failures += [Failure(part="archive", message=problem) for problem in problems[:1]]
    parts = {failure.part for failure in failures}
    # Agents use the other ingest servers.
    minor = {"Redis", "archive", "standby", *(["ingest"] if len(broken) < len(started) else [])}
    return Health(
        status="ok" if not parts else "degraded" if parts <= minor else "failing",
        failures=failures,
        database="PostgreSQL" not in parts,
        redis="Redis" not in parts,
        ingest="ingest" not in parts,
        worker_seen_s=seen_s,
        evaluation_age_s=age_s,
        standby=None if standby is None else _standby_out(standby),
        archive=None if archive.value is None else archive_out(archive.value),
        version=VERSION,
    )


def _standby_status(result: Result[StandbyStatus]) -> StandbyStatus:
    return result.value or StandbyStatus(serves=False, reason=result.failure or "")


def _standby_out(status: StandbyStatus) -> StandbyOut:
    return StandbyOut(
        answers="standby" if status.serves else "primary",
        lag_s=status.lag_s,
        limit_s=settings.READ_DB_LAG_S,
        behind_bytes=status.behind_bytes,
    )


def archive_out(health: ArchiveHealth) -> ArchiveOut:
    """The archive's state, without names of sites."""
    return ArchiveOut(**{name: getattr(health, name) for name in ArchiveOut.model_fields})


def _age_s(at: datetime | None) -> float | None:
    return None if at is None else round((timezone.now() - at).total_seconds(), 1)


def _late(evaluation: Evaluation, seen_s: float | None, age_s: float | None) -> str | None:
    """What is late, without the names of sites; None: nothing."""
    if evaluation.late:
        return f"is late at {evaluation.late} of {evaluation.sites} sites, by up to {age_s:g} s"
    if seen_s is None:
        return "never ran"
    return f"last ran {seen_s:g} s ago" if seen_s > WORKER_LATE_S else None


@functools.cache
def _ingests(urls: tuple[str, ...]) -> list[Check[bool]]:
    return [Check(functools.partial(ingest_answers, url)) for url in urls]
