"""A chart of an archived hour has the samples of the archive; what cannot be read is named."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from pytest_django import Settings

from backstay.core.model.history import PortHistory
from backstay.core.model.topology import Port
from backstay.inventory import snapshot
from backstay.inventory.models import Node
from backstay.telemetry import partitions
from backstay.telemetry.selectors.history import port_history
from backstay.telemetry.selectors.port_samples import samples_since
from backstay.telemetry.tests.test_archive import CLOSED, DAY, EXPIRED, NOON, archive, nodes, root, two_days
from bench.archive_rows import SampledNode, fill_day

__all__ = ["nodes", "root", "two_days"]


def port_of(sampled: SampledNode) -> Port:
    site = Node.objects.select_related("site").get(pk=sampled.node).site
    return snapshot.load(site).ports[sampled.ports[0]]


def chart(sampled: SampledNode, start: datetime, end: datetime) -> PortHistory:
    return port_history(port_of(sampled), start, end, points=120, interval_s=30)


def test_archived_hour_is_drawn_as_before_the_drop(nodes: list[SampledNode], root: Path) -> None:
    # Half a day beyond, so that the hot window begins after a whole archived day.
    fill_day(DAY + timedelta(days=1), nodes, length_s=3600)
    start, end = NOON - timedelta(hours=3), NOON - timedelta(hours=2)
    before = chart(nodes[0], start, end)
    archive(CLOSED)
    assert DAY in partitions.maintain(EXPIRED)
    after = chart(nodes[0], start, end)
    assert samples_since(port_of(nodes[0])) == NOON - timedelta(hours=12)
    assert before.bins.coverage > 0.99
    assert after == before


def test_range_over_a_drop_has_each_sample_once(nodes: list[SampledNode], root: Path) -> None:
    fill_day(DAY + timedelta(days=1), nodes, length_s=3600)
    fill_day(DAY, nodes, start_s=23 * 3600, length_s=3600)
    midnight = NOON + timedelta(hours=12)
    start, end = midnight - timedelta(minutes=30), midnight + timedelta(minutes=30)
    before = chart(nodes[0], start, end)
    archive(CLOSED)
    assert DAY in partitions.maintain(EXPIRED)
    assert chart(nodes[0], start, end) == before


def test_missing_file_is_a_named_gap(nodes: list[SampledNode], two_days: Path) -> None:
    two_days.unlink()
    found = chart(nodes[0], NOON - timedelta(hours=3), NOON - timedelta(hours=2))
    (gap,) = found.gaps
    assert gap.text == f"The archive's file samples/site=lab/day={DAY}/part-0.parquet is missing."
    assert gap.end - gap.start == 86_400
    assert found.bins.coverage == 0
    later = chart(nodes[0], NOON + timedelta(hours=12), NOON + timedelta(hours=13))
    assert later.gaps == ()
    assert later.bins.coverage > 0.9


def test_without_an_archive_nothing_older_is_read(nodes: list[SampledNode], settings: Settings) -> None:
    settings.ARCHIVE = ""
    assert chart(nodes[0], NOON - timedelta(days=9), NOON - timedelta(days=8)).gaps == ()
