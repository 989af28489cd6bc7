"""Closed days become verified Parquet files, and only then are their partitions dropped."""

from __future__ import annotations

import logging
import os
import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import duckdb
import numpy as np
import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import Sum
from pytest_django import Settings

from backstay.inventory.models import Node
from backstay.telemetry import partitions
from backstay.telemetry.archive import partition, writer
from backstay.telemetry.archive.reader import archived_samples
from backstay.telemetry.archive.store import Store, open_store
from backstay.telemetry.archive_models import ArchiveDay, ArchivePart
from bench.archive_rows import SampledNode, fill_day, make_nodes

DAY = date(2031, 5, 1)
DOCUMENT = Path(__file__).parents[4] / "docs/archive.md"
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)
CLOSED = datetime(2031, 5, 2, 4, tzinfo=UTC)
EXPIRED = datetime(2031, 5, 9, 2, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    """The archive's folder."""
    settings.HOT_DAYS = 7
    settings.ARCHIVE = str(tmp_path / "archive")
    return tmp_path / "archive"


@pytest.fixture
def nodes(db: None) -> list[SampledNode]:
    """Three switches with six hours of samples of DAY."""
    made = make_nodes("lab", nodes=3, ports=4)
    fill_day(DAY, made, start_s=6 * 3600, length_s=6 * 3600)
    return made


def archive(now: datetime = CLOSED) -> None:
    writer.run(now, run_s=600)


def insert(sampled: SampledNode, at: datetime, columns: str = "", values: str = "") -> None:
    """One more sample of a node with one octet more on each port than the last."""
    filled = "{" + ",".join(str(port) for port in range(len(sampled.ports))) + "}"
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_samples (node_id, ts, duration_ns, shift_ns, layout_id, in_octets,"
            f" out_octets, in_packets, out_packets{columns})"
            f" VALUES (%s, %s, 30000000000, 0, %s, %s, %s, %s, %s{values})",
            [sampled.node, at, sampled.layout, *[filled] * 4],
        )


def in_database(sampled: SampledNode) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM telemetry_samples WHERE node_id = %s", [sampled.node])
        return int(cursor.fetchone()[0])


def in_archive(sampled: SampledNode, port: int = 0) -> int:
    samples, gaps = archived_samples(
        sampled.node, sampled.ports[port], NOON - timedelta(days=2), NOON + timedelta(days=2)
    )
    assert gaps == []
    return len(samples.end)


def samples_of_database(sampled: SampledNode, port: int) -> list[tuple[int, int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (extract(epoch FROM ts) * 1000000)::int8, in_octets[%s],"
            " out_octets[%s]"
            " FROM telemetry_samples WHERE node_id = %s ORDER BY ts",
            [port + 1, port + 1, sampled.node],
        )
        rows: list[tuple[int, int, int]] = cursor.fetchall()
        return rows


def test_day_is_archived_verified_dropped_and_read(nodes: list[SampledNode], root: Path) -> None:
    before = {node.node: samples_of_database(node, 2) for node in nodes}
    archive()
    assert ArchiveDay.objects.get(day=DAY).verified_at is not None
    assert in_archive(nodes[0]) == 0, "the database still has them"
    assert DAY in partitions.maintain(EXPIRED)
    for node in nodes:
        samples, gaps = archived_samples(
            node.node, node.ports[2], NOON - timedelta(days=1), NOON + timedelta(days=1)
        )
        assert gaps == []
        assert len(before[node.node]) == 720
        ends, inward, outward = zip(*before[node.node], strict=True)
        assert np.round(samples.end * 1e6).astype(np.int64).tolist() == list(ends)
        assert samples.in_octets.tolist() == list(inward)
        assert samples.out_octets.tolist() == list(outward)
        assert np.isnan(samples.in_peak).all()
        assert not samples.reset.any()


def test_time_range_excludes_its_start_and_includes_its_end(nodes: list[SampledNode], root: Path) -> None:
    ends = [datetime.fromtimestamp(at / 1e6, UTC) for at, _, _ in samples_of_database(nodes[1], 0)]
    archive()
    partitions.maintain(EXPIRED)
    samples, _ = archived_samples(nodes[1].node, nodes[1].ports[0], ends[10], ends[20])
    assert len(samples.end) == 10


def test_missing_values_outcomes_and_a_changed_layout_are_kept(nodes: list[SampledNode], root: Path) -> None:
    sampled = nodes[0]
    insert(
        sampled, NOON + timedelta(hours=2), ", in_errors, in_peak, outcome",
        ", '{0,9,0,0}', '{5,-1,5,5}', '{0,2,0,0}'",
    )  # fmt: skip
    other = sampled.ports[::-1]
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_portlayout (node_id, digest, ports, created_at, used_at)"
            " VALUES (%s, 'other', %s, now(), now()) RETURNING id", [sampled.node, other],
        )  # fmt: skip
        layout = cursor.fetchone()[0]
    insert(SampledNode(sampled.node, layout, other), NOON + timedelta(hours=3))
    archive()
    partitions.maintain(EXPIRED)
    samples, _ = archived_samples(
        sampled.node, sampled.ports[1], NOON + timedelta(hours=1), NOON + timedelta(hours=4)
    )
    assert samples.in_octets.tolist() == [1, 2]
    assert samples.reset.tolist() == [True, False]
    assert np.isnan(samples.in_peak).all()
    path = root / ArchivePart.objects.get(table="samples").path
    table = pq.read_table(path)
    assert sum(table["in_errors"].to_pylist()) == 9
    assert sum(value or 0 for value in table["in_peak"].to_pylist()) == 15


def test_large_day_is_divided_and_a_large_device_is_read_in_slices(
    nodes: list[SampledNode], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PART_ROWS", 2880)
    monkeypatch.setattr(partition, "SLICE_VALUES", 1500)
    expected = samples_of_database(nodes[2], 3)
    archive()
    assert ArchivePart.objects.filter(table="samples").count() == 3
    partitions.maintain(EXPIRED)
    samples, _ = archived_samples(nodes[2].node, nodes[2].ports[3], NOON - timedelta(days=1), NOON)
    assert samples.in_octets.tolist() == [row[1] for row in expected]


def test_sums_beyond_64_bits_are_exact(nodes: list[SampledNode], root: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE telemetry_samples SET in_octets = %s", ["{9223372036854775807,1,1,1}"])
    archive()
    part = ArchivePart.objects.get(table="samples")
    assert part.totals["in_octets"] == 3 * 720 * (2**63 - 1 + 3)
    assert part.verified_at is not None


def test_current_day_and_days_within_the_grace_time_are_not_archived(
    nodes: list[SampledNode], root: Path
) -> None:
    archive(datetime(2031, 5, 2, 2, 59, tzinfo=UTC))
    assert not ArchiveDay.objects.filter(day=DAY).exists()


def test_without_an_archive_days_are_dropped_as_before(nodes: list[SampledNode], settings: Settings) -> None:
    assert settings.ARCHIVE == ""
    archive()
    assert DAY in partitions.maintain(EXPIRED)
    assert not ArchiveDay.objects.exists()


def test_day_that_is_not_archived_stays(
    nodes: list[SampledNode], root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert DAY not in partitions.maintain(EXPIRED)
    assert "the samples of 2031-05-01 are expired but kept" in caplog.text
    assert in_database(nodes[0]) == 720


def test_late_samples_are_noticed_at_the_drop_and_archived(nodes: list[SampledNode], root: Path) -> None:
    archive()
    insert(nodes[1], NOON + timedelta(hours=5))
    assert DAY not in partitions.maintain(EXPIRED)
    archive(EXPIRED)
    assert DAY in partitions.maintain(EXPIRED)
    assert [in_archive(node) for node in nodes] == [720, 721, 720]


def test_partition_created_again_by_a_step_of_the_clock_adds_parts(
    nodes: list[SampledNode], root: Path
) -> None:
    archive()
    partitions.maintain(EXPIRED)
    partitions._known.discard(DAY)
    partitions.ensure_day(DAY)
    insert(nodes[0], NOON + timedelta(hours=5))
    assert in_archive(nodes[0]) + in_database(nodes[0]) == 721
    partitions.maintain(EXPIRED)
    archive(EXPIRED)
    assert DAY in partitions.maintain(EXPIRED)
    assert [in_archive(node) for node in nodes] == [721, 720, 720]


def test_removed_node_keeps_its_archive_and_blocks_no_drop(nodes: list[SampledNode], root: Path) -> None:
    Node.objects.get(pk=nodes[2].node).delete()
    archive()
    assert ArchiveDay.objects.get(day=DAY).unreadable_rows == 720
    Node.objects.get(pk=nodes[1].node).delete()
    assert DAY in partitions.maintain(EXPIRED)
    assert [in_archive(node) for node in nodes] == [720, 720, 0]


class LyingStore(Store):
    """Reports success for what it does not keep: the class of a faulty store, not of ours."""

    def put(self, path: str, content: object) -> None:
        target = Path(self.root) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        raw = memoryview(content)  # type: ignore[arg-type]
        kept = {"lost": None, "truncated": raw[:-100], "changed": _changed(bytes(raw))}[os.environ["LIE"]]
        if kept is not None:
            target.write_bytes(kept)


def _changed(content: bytes) -> bytes:
    return content[:200] + bytes([content[200] ^ 1]) + content[201:]


@pytest.mark.parametrize("lie", ["lost", "truncated", "changed"])
def test_store_that_reports_success_falsely_is_found(
    nodes: list[SampledNode], root: Path, monkeypatch: pytest.MonkeyPatch, lie: str
) -> None:
    monkeypatch.setenv("LIE", lie)
    real = open_store(str(root))
    assert real is not None
    lying = LyingStore(real.filesystem, real.root, is_local=True)
    monkeypatch.setattr(writer, "open_store", lambda _: lying)
    archive()
    row = ArchiveDay.objects.get(day=DAY)
    assert row.verified_at is None
    assert row.failing_since is not None
    assert row.failure
    assert DAY not in partitions.maintain(EXPIRED)
    monkeypatch.undo()
    archive()
    repaired = ArchiveDay.objects.get(day=DAY)
    assert (repaired.failing_since, repaired.failure) == (None, "")
    assert repaired.verified_at is not None


@contextmanager
def largest_file(octets: int) -> Iterator[None]:
    """Writing more to one file fails, as on a full disk (RLIMIT_FSIZE; Python ignores SIGXFSZ)."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (octets, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_full_disk_keeps_the_partition_and_no_remains(nodes: list[SampledNode], root: Path) -> None:
    with largest_file(10_000):
        archive()
    row = ArchiveDay.objects.get(day=DAY)
    assert "OSError" in row.failure
    assert list((root / f"samples/site=lab/day={DAY}").iterdir()) == []
    assert DAY not in partitions.maintain(EXPIRED)
    archive()
    assert DAY in partitions.maintain(EXPIRED)


@pytest.fixture
def two_days(nodes: list[SampledNode], root: Path) -> Path:
    """Two released days; the file of the first."""
    fill_day(DAY + timedelta(days=1), nodes, length_s=3600)
    archive(CLOSED + timedelta(days=1))
    assert len(partitions.maintain(EXPIRED + timedelta(days=1))) == 2
    return root / ArchivePart.objects.get(table="samples", day__day=DAY).path


def with_gap(nodes: list[SampledNode]) -> tuple[int, str]:
    samples, (gap,) = archived_samples(
        nodes[0].node, nodes[0].ports[0], NOON - timedelta(days=1), NOON + timedelta(days=2)
    )
    assert (gap.day, gap.path) == (DAY, f"samples/site=lab/day={DAY}/part-0.parquet")
    return len(samples.end), gap.reason


def test_missing_file_is_named_and_the_rest_is_read(nodes: list[SampledNode], two_days: Path) -> None:
    two_days.unlink()
    assert with_gap(nodes) == (120, "is missing")


def test_truncated_file_is_named(nodes: list[SampledNode], two_days: Path) -> None:
    two_days.write_bytes(two_days.read_bytes()[:-10])
    rows, reason = with_gap(nodes)
    assert rows == 120
    assert "octets instead of" in reason


def test_single_changed_bit_of_the_data_is_named(nodes: list[SampledNode], two_days: Path) -> None:
    column = pq.ParquetFile(two_days).metadata.row_group(0).column(5)
    content = bytearray(two_days.read_bytes())
    content[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    two_days.write_bytes(content)
    rows, reason = with_gap(nodes)
    assert rows == 120
    assert "is damaged" in reason


def test_read_that_takes_too_long_is_a_gap(nodes: list[SampledNode], two_days: Path) -> None:
    two_days.unlink()
    os.mkfifo(two_days)  # Opening it blocks, as a file of a server that does not answer.
    samples, (gap,) = archived_samples(
        nodes[0].node, nodes[0].ports[0], NOON - timedelta(days=1), NOON + timedelta(days=2), read_s=0.5
    )
    assert gap.reason == "was not read within 0.5 s"
    assert len(samples.end) == 120
    os.close(os.open(two_days, os.O_WRONLY))  # Ends the blocked reader.


def test_remains_of_a_killed_write_are_removed(nodes: list[SampledNode], root: Path) -> None:
    folder = root / f"samples/site=lab/day={DAY}"
    folder.mkdir(parents=True)
    for name in ("_writing-part-0.parquet", "_writing-part-7.parquet", "part-7.parquet"):
        (folder / name).write_bytes(b"PAR1")
    archive()
    assert [path.name for path in folder.iterdir()] == ["part-0.parquet"]


def test_old_days_are_removed_with_their_rows(
    nodes: list[SampledNode], two_days: Path, settings: Settings
) -> None:
    settings.ARCHIVE_DAYS = 30
    writer.run(datetime(2031, 5, 31, tzinfo=UTC))
    assert two_days.exists()
    writer.run(datetime(2031, 6, 1, tzinfo=UTC))
    assert not two_days.exists()
    assert not ArchivePart.objects.filter(day__day=DAY).exists()
    assert ArchivePart.objects.aggregate(rows=Sum("rows"))["rows"] > 0


def test_run_ends_in_time_and_the_next_one_continues(
    nodes: list[SampledNode], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PART_ROWS", 2880)
    clock = iter(range(1000))
    monkeypatch.setattr("backstay.telemetry.archive.writer.time.monotonic", lambda: next(clock))
    writer.run(CLOSED, run_s=3)
    assert 0 < ArchivePart.objects.filter(verified_at=None).count() < 6
    assert ArchiveDay.objects.get().verified_at is None
    for _ in range(6):
        writer.run(CLOSED, run_s=3)
    assert ArchiveDay.objects.get().verified_at is not None


def test_names_of_ports_are_archived_with_the_samples(nodes: list[SampledNode], root: Path) -> None:
    archive()
    table = pq.read_table(root / f"ports/site=lab/day={DAY}/part-0.parquet")
    assert sorted(table["port_id"].to_pylist()) == sorted(port for node in nodes for port in node.ports)
    assert set(table["node"].to_pylist()) == {"sw0000-4", "sw0001-4", "sw0002-4"}
    assert "Ethernet1/1" in table["port"].to_pylist()


def test_failures_are_logged(nodes: list[SampledNode], root: Path, caplog: pytest.LogCaptureFixture) -> None:
    root.parent.mkdir(exist_ok=True)
    root.write_text("a file where the folder should be")
    with caplog.at_level(logging.ERROR):
        archive()
    assert "archiving 2031-05-01 failed; its partition is kept" in caplog.text
    assert ArchiveDay.objects.get().failing_since is not None


def test_other_programs_read_the_folders_as_documented(nodes: list[SampledNode], root: Path) -> None:
    """DuckDB is independent of the library that writes: encodings, partition columns and names are usual."""
    archive()
    partitions.maintain(EXPIRED)
    documented = re.search(r"DuckDB:\n\n```sql\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    assert documented is not None
    duckdb.sql("SET TimeZone = 'UTC'")
    rows = duckdb.sql(documented[1].replace("'/archive/", f"'{root}/")).to_arrow_table().to_pylist()
    shown = [row for row in rows if (row["node"], row["port"]) == ("sw0001-4", "Ethernet1/4")]
    with_hour = {row["hour"].hour: row["bit_s"] for row in shown}
    ten = datetime(2031, 5, 1, 10, tzinfo=UTC) - timedelta(microseconds=1)
    samples, _ = archived_samples(nodes[1].node, nodes[1].ports[3], ten, ten + timedelta(hours=1))
    assert with_hour[10] == pytest.approx(samples.in_octets.sum() * 8 / samples.seconds.sum())
    assert {row["node"] for row in rows} == {"sw0000-4", "sw0001-4", "sw0002-4"}


def test_command_shows_state_and_verifies_a_day(
    nodes: list[SampledNode], root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive()
    with pytest.raises(SystemExit) as ended:
        call_command("archive", "status")
    shown = capsys.readouterr().out
    assert ended.value.code == 0
    assert "Archived: 1 day" in shown
    assert "octets free, full" in shown
    path = root / ArchivePart.objects.get(table="samples").path
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SystemExit) as ended:
        call_command("archive", "verify", str(DAY))
    assert ended.value.code == 1
    assert "octets instead of" in capsys.readouterr().out
    assert DAY not in partitions.maintain(EXPIRED), "a damaged file is the only one only after the drop"
    archive(EXPIRED)
    assert DAY in partitions.maintain(EXPIRED)
    assert in_archive(nodes[0]) == 720
