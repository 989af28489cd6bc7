"""The archive in an S3-compatible store, and stores that do not answer.

`BACKSTAY_TEST_S3` names the bucket as BACKSTAY_ARCHIVE does, with keys in the environment; docs/archive.md
has the commands for a local server.
"""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from pytest_django import Settings

from backstay.telemetry import partitions
from backstay.telemetry.archive import writer
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.archive.store import SettingError, open_store
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart
from bench.archive_rows import SampledNode, fill_day, make_nodes

DAY = date(2031, 5, 1)
CLOSED, EXPIRED = datetime(2031, 5, 2, 4, tzinfo=UTC), datetime(2031, 5, 9, 2, tzinfo=UTC)
NEEDS_S3 = pytest.mark.skipif("BACKSTAY_TEST_S3" not in os.environ, reason="BACKSTAY_TEST_S3 names no store")


@pytest.fixture
def nodes(db: None, settings: Settings) -> list[SampledNode]:
    settings.HOT_DAYS = 7
    made = make_nodes("lab", nodes=2, ports=4)
    fill_day(DAY, made, length_s=6 * 3600)
    return made


@NEEDS_S3
def test_day_is_archived_in_a_bucket_and_read(nodes: list[SampledNode], settings: Settings) -> None:
    bucket, _, options = os.environ["BACKSTAY_TEST_S3"].partition("?")
    settings.ARCHIVE = f"{bucket}/{uuid.uuid4().hex}?{options}"
    writer.run(CLOSED, run_s=600)
    assert ArchiveDay.objects.get(day=DAY).failure == ""
    assert DAY in partitions.maintain(EXPIRED)
    start, end = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 5, 2, tzinfo=UTC)
    samples, gaps = archived_samples(nodes[1].node, nodes[1].ports[0], start, end)
    assert gaps == []
    assert len(samples.end) == 720
    store = open_store(settings.ARCHIVE)
    assert store is not None
    store.delete(ArchivePart.objects.get(table="samples").path)
    samples, (gap,) = archived_samples(nodes[1].node, nodes[1].ports[0], start, end)
    assert (len(samples.end), gap.reason) == (0, "is missing")
    settings.ARCHIVE_DAYS = 1
    writer.expire(store, EXPIRED)
    assert store.list(f"samples/site=lab/day={DAY}") == []


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


@pytest.mark.slow
@pytest.mark.real_clock
def test_store_that_does_not_answer_delays_for_a_limited_time(
    nodes: list[SampledNode], settings: Settings, silent_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key-id-of-the-test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-test")
    settings.ARCHIVE = f"s3://bucket/archive?endpoint_override=127.0.0.1:{silent_port}&scheme=http"
    began = time.monotonic()
    writer.run(CLOSED, run_s=1)
    assert time.monotonic() - began < 90
    failure = ArchiveDay.objects.get(day=DAY).failure
    assert failure
    assert "secret-of-the-test" not in failure
    assert "key-id-of-the-test" not in failure
    assert DAY not in partitions.maintain(EXPIRED)


@pytest.mark.parametrize(
    "setting",
    [
        "s3://key:secret@bucket/prefix",
        "s3:///prefix",
        "relative/path",
        "gs://bucket",
        "s3://bucket?secret_key=secret",
    ],
)
def test_invalid_setting_is_refused_without_repeating_it(setting: str) -> None:
    with pytest.raises(SettingError) as refused:
        open_store(setting)
    assert "secret@" not in str(refused.value)
    assert "=secret" not in str(refused.value)
