"""The archive in an S3-compatible store: sound, slow, full, breaking, lying, and one that does not answer.

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
from backstay.telemetry.archive import store as archive_store
from backstay.telemetry.archive import writer
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.archive.store import SettingError, Store, open_store
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart
from backstay.telemetry.tests.s3_proxy import LIES, Fault, S3Proxy, s3_proxy
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
def proxy(settings: Settings) -> Iterator[S3Proxy]:
    """Before the real store, with an archive of its own."""
    with s3_proxy(os.environ["BACKSTAY_TEST_S3"]) as running:
        settings.ARCHIVE = running.setting(uuid.uuid4().hex)
        yield running


def opened(settings: Settings) -> Store:
    store = open_store(settings.ARCHIVE)
    assert store is not None
    return store


def assert_kept(reason: str = "") -> None:
    """The day is not verified, its failure is recorded, and its partition stays."""
    row = ArchiveDay.objects.get(day=DAY)
    assert (row.verified_at, row.failing_since is None) == (None, False)
    assert reason in row.failure
    assert DAY not in partitions.maintain(EXPIRED)


def assert_repaired(nodes: list[SampledNode], settings: Settings) -> None:
    """The next run archives the day: the manifest's files and no others, with each sample."""
    writer.run(CLOSED, run_s=600)
    row = ArchiveDay.objects.get(day=DAY)
    assert (row.failing_since, row.failure) == (None, "")
    store = opened(settings)
    folders = [f"{table}/site=lab/day={DAY}" for table in ("samples", "ports")]
    files = sorted(path for folder in folders for path in store.list(folder))
    assert files == sorted(ArchivePart.objects.values_list("path", flat=True))
    assert DAY in partitions.maintain(EXPIRED)
    start, end = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 5, 2, tzinfo=UTC)
    for node in nodes:
        samples, gaps = archived_samples(node.node, node.ports[0], start, end)
        assert (len(samples.end), gaps) == (720, [])


@NEEDS_S3
def test_slow_store_is_waited_for(nodes: list[SampledNode], settings: Settings, proxy: S3Proxy) -> None:
    proxy.fault = Fault(delay_s=0.3)
    assert_repaired(nodes, settings)
    assert proxy.fault.met > 10


@NEEDS_S3
def test_store_that_is_too_slow_delays_for_a_limited_time(
    nodes: list[SampledNode], settings: Settings, proxy: S3Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_store, "REQUEST_S", 1.0)
    proxy.fault = Fault(delay_s=4.0)
    began = time.monotonic()
    writer.run(CLOSED, run_s=1)
    assert time.monotonic() - began < 30
    assert_kept("OSError")
    proxy.fault = Fault()
    assert_repaired(nodes, settings)


@NEEDS_S3
@pytest.mark.parametrize("fault", [Fault(is_full=True), Fault(breaks=True)], ids=["full", "breaks"])
def test_store_that_takes_no_upload_keeps_the_partition_and_no_remains(
    nodes: list[SampledNode], settings: Settings, proxy: S3Proxy, fault: Fault
) -> None:
    proxy.fault = fault
    writer.run(CLOSED, run_s=600)
    assert fault.met > 0
    assert_kept("OSError")
    assert opened(settings).list(f"samples/site=lab/day={DAY}") == []
    proxy.fault = Fault()
    assert_repaired(nodes, settings)


@NEEDS_S3
@pytest.mark.parametrize("lie", list(LIES))
def test_upload_that_is_falsely_reported_as_stored_is_found(
    nodes: list[SampledNode], settings: Settings, proxy: S3Proxy, lie: str
) -> None:
    proxy.fault = Fault(lie=lie)
    writer.run(CLOSED, run_s=600)
    assert proxy.fault.met > 0
    reasons = {"lost": "FileNotFoundError", "truncated": "octets instead of", "changed": "another checksum"}
    assert_kept(reasons[lie])
    proxy.fault = Fault()
    assert_repaired(nodes, settings)


@NEEDS_S3
def test_lie_about_a_released_day_is_a_named_gap(
    nodes: list[SampledNode], settings: Settings, proxy: S3Proxy
) -> None:
    assert_repaired(nodes, settings)
    store, path = opened(settings), ArchivePart.objects.get(table="samples").path
    content = store.get(path)
    proxy.fault = Fault(lie="truncated")
    store.put(path, content)
    proxy.fault = Fault()
    start, end = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 5, 2, tzinfo=UTC)
    samples, (gap,) = archived_samples(nodes[0].node, nodes[0].ports[0], start, end)
    assert len(samples.end) == 0
    assert "octets instead of" in gap.reason


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
    monkeypatch.setattr(archive_store, "REQUEST_S", 1.0)
    settings.ARCHIVE = f"s3://bucket/archive?endpoint_override=127.0.0.1:{silent_port}&scheme=http"
    began = time.monotonic()
    writer.run(CLOSED, run_s=1)
    assert time.monotonic() - began < 30
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
