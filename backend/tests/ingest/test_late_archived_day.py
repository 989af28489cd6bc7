"""Samples that arrive a day after their day was archived: in roll-ups, archive and charts, once."""

from __future__ import annotations

import time
import uuid
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from backstay.api.tests.world import bearer, person
from backstay.core.roles import Role
from backstay.core.rollups.levels import LEVELS
from backstay.inventory.models import Link
from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart
from backstay.telemetry.rollups import execution
from bench.agent_requests import enrolled, send, value
from bench.site import AgentIdentity, batch, port_samples

DAY = (datetime.now(UTC) - timedelta(days=3)).date()
"""Archived on the next morning: at least 24 h before any sample that arrives now."""
NOON = datetime(DAY.year, DAY.month, DAY.day, 12, tzinfo=UTC)
ARCHIVED = NOON + timedelta(hours=16)
DROPPED = NOON + timedelta(days=8)
OCTETS = 3_000_000


@pytest.fixture
def identity(site: str, client: Client, settings: Settings, tmp_path: Path) -> AgentIdentity:
    settings.HOT_DAYS = 7
    settings.ARCHIVE = str(tmp_path / "archive")
    return enrolled(client, site, "mgmt0")


def sampled(client: Client, identity: AgentIdentity, first: int, count: int) -> None:
    """Samples of 30 s, the first of which ends so many intervals after noon; sent twice."""
    boot = uuid.uuid5(uuid.NAMESPACE_OID, str(first))
    reports = [
        port_samples(
            "sw000",
            ["Ethernet1/1"],
            number + 1,
            boot=boot,
            at=int((NOON + timedelta(seconds=30 * (first + number))).timestamp()) * 10**9,
            in_octets=[OCTETS],
            out_octets=[2 * OCTETS],
        )
        for number in range(count)
    ]
    for stored in (count, 0):
        reply = send(client, identity, batch(reports, sent=time.time_ns())).json()
        assert reply["stored"] == stored, reply


def roll_up() -> None:
    while execution.run_round(timezone.now()):
        pass


def rolled_up() -> list[tuple[int, int]]:
    """Samples and octets of the day in each level."""
    total = "SELECT sum(value)::int8 FROM {}, unnest({}) AS value WHERE (at AT TIME ZONE 'UTC')::date = %s"
    return [
        (
            value(total.format(level.table, "samples"), str(DAY)),
            value(total.format(level.table, "in_octets"), str(DAY)),
        )
        for level in LEVELS
    ]


def archived(settings: Settings) -> tuple[int, int]:
    """Rows and octets of all files in the day's folder."""
    table = ds.dataset(Path(settings.ARCHIVE) / f"samples/site=lab/day={DAY}").to_table(columns=["in_octets"])
    return len(table), sum(table["in_octets"].to_pylist())


def charted(client: Client, headers: dict[str, str]) -> dict[str, Any]:
    """The link's hour from noon, over the API."""
    link = Link.objects.get(a__node__name="sw000", a__name="Ethernet1/1")
    span: dict[str, str | int] = {
        "start": NOON.isoformat(),
        "end": (NOON + timedelta(hours=1)).isoformat(),
        "points": 120,
    }
    reply = client.get(f"/api/v1/links/{link.pk}/history", span, headers=headers)
    assert reply.status_code == 200, reply.content
    found: dict[str, Any] = reply.json()
    return found


def dropped(day: date) -> bool:
    return day in partitions.maintain(DROPPED)


def test_late_samples_of_an_archived_day_are_everywhere_once(
    client: Client, identity: AgentIdentity, settings: Settings
) -> None:
    reader = bearer(person("viewer", Role.VIEWER))
    sampled(client, identity, 1, 40)
    sampled(client, identity, 24 * 120, 1)  # The next day stays stored.
    roll_up()
    writer.run(ARCHIVED, run_s=60)
    assert ArchiveDay.objects.get(day=DAY).verified_at is not None
    assert timezone.now() - ARCHIVED >= timedelta(hours=24)
    assert archived(settings) == (40, 40 * OCTETS)
    assert charted(client, reader)["coverage"] == pytest.approx(40 / 120, abs=0.01)

    sampled(client, identity, 61, 20)
    assert charted(client, reader)["coverage"] == pytest.approx(60 / 120, abs=0.01), (
        "the chart has them at once"
    )
    roll_up()
    assert rolled_up() == [(60, 60 * OCTETS)] * 3

    assert not dropped(DAY), "it is not what was archived"
    writer.run(DROPPED, run_s=60)
    assert archived(settings) == (60, 60 * OCTETS)
    before = charted(client, reader)
    assert dropped(DAY)
    assert value("SELECT count(*) FROM telemetry_samples") == 1
    assert ArchivePart.objects.get(table="samples", day__day=DAY).rows == 60
    after = charted(client, reader)
    assert after["coverage"] == pytest.approx(60 / 120, abs=0.01)
    assert after == before
    roll_up()
    assert rolled_up() == [(60, 60 * OCTETS)] * 3
