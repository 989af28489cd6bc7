"""An export has each stored value once, in every format; what it cannot read is a named gap."""

from __future__ import annotations

import csv
import io
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone
from pytest_django import Settings

from backstay.inventory import snapshot
from backstay.inventory.models import Fabric, Link, Node, Port, Site
from backstay.retention import services as retention
from backstay.retention.selectors import days_at
from backstay.telemetry import partitions
from backstay.telemetry.export_models import Export
from backstay.telemetry.exports import codec, execution, files, labels, selectors
from backstay.telemetry.exports.ports import port_batch
from backstay.telemetry.rollups import execution as rollups
from backstay.telemetry.selectors.port_samples import samples
from backstay.telemetry.tests.test_archive import CLOSED, DAY, EXPIRED, NOON, archive, nodes, root
from bench.archive_rows import SampledNode, fill_day

__all__ = ["nodes", "root"]
MIDNIGHT = NOON - timedelta(hours=12)
ROWS = 3 * 4 * 720
"""Of the fixture: three switches of four ports, six hours at 30 s."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.EXPORTS = str(tmp_path / "exports")
    return tmp_path / "exports"


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "RETRY_S", -1.0)


def queued(kind: str = "csv", level: str = "samples", **more: Any) -> Export:
    known: dict[str, Any] = {
        "site": Site.objects.get(name="lab"),
        "person": "vera",
        "start": MIDNIGHT,
        "end": MIDNIGHT + timedelta(days=1),
        "created_at": timezone.now(),
    }
    return Export.objects.create(format=kind, level=level, **{**known, **more})


def written(export: Export) -> Export:
    """Run rounds to its end."""
    for _ in range(20):
        execution.run_round(timezone.now())
        export.refresh_from_db()
        if export.state in {"done", "failed"}:
            break
    return export


def rows_of(export: Export) -> list[dict[str, Any]]:
    """The rows of a complete export, with numbers as numbers and times in Unix seconds."""
    assert (export.state, export.failure) == ("done", "")
    content = selectors.file_of(export).read_bytes()
    if export.format == "parquet":
        return [_plain(row) for row in pq.read_table(io.BytesIO(content)).to_pylist()]
    if export.format == "jsonl":
        return [_plain(json.loads(line)) for line in content.decode().splitlines()]
    return [_plain(row) for row in csv.DictReader(io.StringIO(content.decode(), newline=""))]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    texts = {"node", "port", "fabric", "link", "level", "note"}
    return {name: (value or None) if name in texts else _number(value) for name, value in row.items()}


def _number(value: Any) -> float | None:
    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        return value.timestamp()
    if isinstance(value, str) and value.endswith("Z"):
        return datetime.fromisoformat(value).timestamp()
    return float(value)


def sums_of_database() -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(item), count(*) FROM telemetry_samples, unnest(in_octets) AS item")
        total, number = cursor.fetchone()
    return int(total), int(number)


def test_every_format_has_each_sample_once(nodes: list[SampledNode]) -> None:
    total, number = sums_of_database()
    assert number == ROWS
    found = {}
    for kind in ("csv", "jsonl", "parquet"):
        export = written(queued(kind))
        rows = rows_of(export)
        assert export.rows == len(rows) == ROWS
        assert export.bytes == selectors.file_of(export).stat().st_size
        assert (export.progress, export.gap_count) == (1.0, 0)
        assert sum(int(row["in_octets"]) for row in rows) == total
        found[kind] = rows
    assert found["csv"] == found["jsonl"] == found["parquet"]
    first = found["csv"][0]
    assert (first["node"], first["port"], first["level"], first["note"]) == (
        "sw0000-4", "Ethernet1/1", "samples", None,
    )  # fmt: skip
    assert first["end"] - first["start"] == pytest.approx(first["in_observed_s"], abs=1e-5)


def test_rows_are_those_of_the_chart(nodes: list[SampledNode]) -> None:
    chosen = nodes[1].ports[2]
    start, end = NOON - timedelta(hours=3), NOON - timedelta(hours=2)
    rows = rows_of(written(queued("jsonl", selection={"ports": [chosen]}, start=start, end=end)))
    site = Site.objects.get()
    port = snapshot.load(site).ports[chosen]
    expected, _ = samples(port, start, end, site.interval_s)
    inside = expected.where(expected.end <= end.timestamp())
    assert {row["port_id"] for row in rows} == {chosen}
    assert [row["end"] for row in rows] == pytest.approx(inside.end.tolist(), abs=1e-6)
    assert [row["in_octets"] for row in rows] == inside.in_octets.tolist()
    assert [row["out_octets"] for row in rows] == inside.out_octets.tolist()


def test_archived_day_is_exported_as_before_the_drop(nodes: list[SampledNode], root: Path) -> None:
    before = rows_of(written(queued()))
    archive()
    assert DAY in partitions.maintain(EXPIRED)
    export = written(queued())
    assert rows_of(export) == before
    assert export.gap_count == 0


def test_damaged_and_missing_files_are_named_in_the_file_and_in_the_row(
    nodes: list[SampledNode], root: Path
) -> None:
    fill_day(DAY + timedelta(days=1), nodes, length_s=3600)
    archive(CLOSED + timedelta(days=1))
    assert DAY in partitions.maintain(EXPIRED + timedelta(days=1))
    path = root / f"samples/site=lab/day={DAY}/part-0.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    for damage in (lambda: path.write_bytes(content), path.unlink):
        damage()
        for kind in ("csv", "jsonl", "parquet"):
            export = written(queued(kind, end=MIDNIGHT + timedelta(days=2)))
            rows = rows_of(export)
            (gap,) = [row for row in rows if row["level"] == "gap"]
            assert gap["note"].startswith(f"The archive's file samples/site=lab/day={DAY}/part-0.parquet is")
            assert (gap["start"], gap["end"]) == (MIDNIGHT.timestamp(), MIDNIGHT.timestamp() + 86_400)
            assert [known["text"] for known in export.gaps] == [gap["note"]]
            assert len([row for row in rows if row["start"] >= gap["end"] - 30]) == 12 * 120
            assert labels.status_text(export, timezone.now()) == "Complete, with 1 gap."
            if kind == "parquet":
                metadata = pq.read_schema(selectors.file_of(export)).metadata
                manifest = json.loads(metadata[codec.MANIFEST.encode()])
                assert manifest["gaps"] == export.gaps


def test_time_without_data_is_a_gap(nodes: list[SampledNode]) -> None:
    export = written(queued(start=MIDNIGHT - timedelta(days=2), end=MIDNIGHT + timedelta(days=1)))
    gap = rows_of(export)[0]
    assert gap["level"] == "gap"
    assert gap["note"] == "No samples of this time are stored any more."
    assert gap["end"] == MIDNIGHT.timestamp()
    nothing = written(queued(level="1d"))
    assert [row["note"] for row in rows_of(nothing)] == ["No bins of 1d of this time are stored."]


def test_rolled_up_levels_have_the_same_bytes(nodes: list[SampledNode]) -> None:
    now = MIDNIGHT + timedelta(days=1, hours=2)
    rollups.run_round(now)
    total, _ = sums_of_database()
    for level, bins in (("5m", 12 * 6 * 12), ("1h", 12 * 6), ("1d", 12)):
        rows = rows_of(written(queued("parquet", level)))
        bytes_in = sum(int(row["in_octets"]) for row in rows if row["level"] == level)
        # The first sample begins before 6:00, in the bin before.
        assert len([row for row in rows if row["level"] == level]) in {bins, bins + 12}
        assert bytes_in == total
        assert all(row["in_max_bit_s"] > 0 or row["in_octets"] == 0 for row in rows if row["level"] == level)


def test_automatic_level_joins_roll_ups_and_samples_without_overlap(nodes: list[SampledNode]) -> None:
    rollups.run_round(MIDNIGHT + timedelta(hours=10, minutes=11))
    total, _ = sums_of_database()
    start, end = MIDNIGHT - timedelta(days=7), MIDNIGHT + timedelta(days=1)
    rows = rows_of(written(queued("jsonl", "auto", start=start, end=end)))
    levels = {row["level"] for row in rows}
    assert levels == {"5m", "samples", "gap"}
    parts = [row for row in rows if row["level"] != "gap"]
    border = (MIDNIGHT + timedelta(hours=10)).timestamp()
    assert max(row["end"] for row in parts if row["level"] == "5m") == border
    assert min(row["start"] for row in parts if row["level"] == "samples") == border
    # Roll-ups cut samples at Unix seconds as a double: 0.2 us.
    assert sum(row["in_octets"] for row in parts) == pytest.approx(total, rel=1e-9)


def test_selection_of_links_and_fabrics(nodes: list[SampledNode]) -> None:
    site = Site.objects.get()
    fabric = Fabric.objects.create(
        site=site, name="eth0", kind="ethernet", media_rate=10**9, usable_rate=10**9
    )
    a, b = nodes[0].ports[0], nodes[2].ports[1]
    link = Link.objects.create(site=site, a_id=a, b_id=b, fabric=fabric)
    Port.objects.filter(pk=nodes[1].ports[0]).update(fabric=fabric)
    rows = rows_of(written(queued(selection={"links": [link.pk]})))
    assert {row["port_id"] for row in rows} == {a, b}
    assert {(row["link"], row["fabric"]) for row in rows} == {
        ("sw0000-4:Ethernet1/1-sw0002-4:Ethernet1/2", "eth0")
    }
    rows = rows_of(written(queued(selection={"fabric": "eth0"})))
    assert {row["port_id"] for row in rows} == {a, b, nodes[1].ports[0]}
    assert written(queued(selection={"fabric": "none"})).gaps[0]["text"] == "The selection has no ports."


def test_names_that_begin_a_formula_are_protected_in_csv_only(nodes: list[SampledNode]) -> None:
    Port.objects.filter(pk=nodes[0].ports[0]).update(name='=HYPERLINK("x")')
    chosen = {"ports": [nodes[0].ports[0]]}
    assert {row["port"] for row in rows_of(written(queued(selection=chosen)))} == {'\'=HYPERLINK("x")'}
    content = selectors.file_of(Export.objects.get()).read_bytes()
    assert b'"\'=HYPERLINK(""x"")"' in content
    assert content.count(b"\r\n") == 721
    assert {row["port"] for row in rows_of(written(queued("jsonl", selection=chosen)))} == {'=HYPERLINK("x")'}


def test_changed_layout_within_a_bin_is_one_row(nodes: list[SampledNode]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO telemetry_portlayout (node_id, digest, ports, created_at, used_at)"
            " SELECT node_id, %s, ports[1:2], now(), now() FROM telemetry_portlayout"
            " WHERE id = %s RETURNING id",
            [b"2" * 16, nodes[0].layout],
        )
        (layout,) = cursor.fetchone()
        cursor.execute(
            "UPDATE telemetry_samples SET layout_id = %s, in_octets = in_octets[1:2],"
            " out_octets = out_octets[1:2], in_packets = in_packets[1:2], out_packets = out_packets[1:2]"
            " WHERE node_id = %s AND ts > %s",
            [layout, nodes[0].node, NOON - timedelta(minutes=92)],
        )
    rollups.run_round(MIDNIGHT + timedelta(days=1, hours=2))
    rows = rows_of(written(queued("csv", "1h", selection={"ports": [nodes[0].ports[0]]})))
    bins = [row["start"] for row in rows if row["level"] == "1h"]
    assert len(bins) == len(set(bins)) == 7
    fine = rows_of(written(queued("csv", "samples", selection={"ports": [nodes[0].ports[0]]})))
    assert sum(row["in_octets"] for row in rows) == sum(row["in_octets"] for row in fine)


def test_killed_step_is_repeated_from_the_last_saved_byte(
    nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = rows_of(written(queued("jsonl")))
    export = queued("jsonl")
    monkeypatch.setattr(execution, "STEP_ROWS", 3000)  # Of one port.
    monkeypatch.setattr(execution, "SAVE_S", 0.0)
    real, calls = port_batch, []

    def killed(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 3:
            raise KeyboardInterrupt  # As if the process ended: nothing handles it.
        return real(*args)

    monkeypatch.setattr(execution, "port_batch", killed)
    with pytest.raises(KeyboardInterrupt):
        execution.run_round(timezone.now())
    export.refresh_from_db()
    assert (export.state, export.attempts) == ("running", 0)
    assert 0 < export.progress < 1
    with files.path_of(export.file, files.PARTIAL).open("ab") as stream:
        stream.write(b"half of a line")
    assert rows_of(written(export)) == expected


def test_lost_worker_ends_as_a_failure_with_a_reason(
    nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    export = queued()

    def killed(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(execution, "port_batch", killed)
    for _ in range(execution.MOST_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            execution.run_round(timezone.now())
    execution.run_round(timezone.now())
    export.refresh_from_db()
    assert (export.state, export.failure) == ("failed", "Its worker was lost 3 times in the same step.")
    assert export.ended_at is not None
    assert not files.path_of(export.file, files.PARTIAL).exists()


def test_failing_step_is_tried_again_and_then_fails_with_its_reason(
    nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    export = queued()

    def broken(*_: Any) -> Any:
        raise OSError("no space left")

    monkeypatch.setattr(execution, "port_batch", broken)
    written(export)
    assert (export.state, export.failure) == ("failed", "OSError: no space left")


def test_failed_attempt_is_followed_by_a_pause(
    nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "RETRY_S", 20.0)
    export = queued()

    def broken(*_: Any) -> Any:
        raise OSError("no space left")

    monkeypatch.setattr(execution, "port_batch", broken)
    assert execution.run_round(timezone.now()) == 1
    assert execution.run_round(timezone.now()) == 0
    monkeypatch.setattr(execution, "port_batch", port_batch)
    Export.objects.filter(pk=export.pk).update(worked_at=F("worked_at") - timedelta(seconds=20))
    assert written(export).state == "done"


def test_export_that_no_worker_ends_fails_in_time(nodes: list[SampledNode]) -> None:
    export = queued(created_at=timezone.now() - execution.LONGEST - timedelta(seconds=1))
    execution.run_round(timezone.now())
    export.refresh_from_db()
    assert export.failure == "It was not finished within 6 h: is a worker running?"


def test_lost_file_is_written_again(nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rows_of(written(queued()))
    export = queued()
    monkeypatch.setattr(execution, "STEP_ROWS", 3000)
    execution.write_slice(export, 0.001)
    export.refresh_from_db()
    assert export.state == "running"
    assert export.bytes
    files.path_of(export.file, files.PARTIAL).unlink()
    assert rows_of(written(export)) == expected


def test_limits_end_an_export(nodes: list[SampledNode], settings: Settings) -> None:
    settings.EXPORT_ROWS = ROWS - 1
    assert written(queued()).failure.startswith("More than 8\u202f639 rows")
    settings.EXPORT_ROWS, settings.EXPORT_BYTES = ROWS, 10_000
    assert (
        written(queued()).failure
        == "More than 10000 B: choose a coarser level, a shorter time or fewer ports."
    )
    settings.EXPORT_BYTES, settings.EXPORT_USER_BYTES = 2**30, 2 * 10**6
    assert written(queued()).state == "done"
    assert "in all exports of vera" in written(queued()).failure
    assert written(queued(person="otto")).state == "done"


def test_deleted_export_stops_and_leaves_no_file(
    nodes: list[SampledNode], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = queued()
    monkeypatch.setattr(execution, "STEP_ROWS", 3000)
    monkeypatch.setattr(execution, "SAVE_S", 0.0)
    real, calls = port_batch, []

    def deleting(*args: Any) -> Any:
        calls.append(args)
        Export.objects.all().delete()
        return real(*args)

    monkeypatch.setattr(execution, "port_batch", deleting)
    execution.run_round(timezone.now())
    assert len(calls) == 1
    execution.run_round(timezone.now())
    assert list(folder.iterdir()) == []
    assert export.pk


def test_expired_exports_are_removed_with_their_files(nodes: list[SampledNode], folder: Path) -> None:
    old, new = written(queued()), written(queued())
    days = days_at(old.site, "exports")
    assert days == 7
    Export.objects.filter(pk=old.pk).update(ended_at=timezone.now() - timedelta(days=days, seconds=1))
    (folder / "notes.txt").write_text("not ours")
    retention.remove_expired(timezone.now())
    execution.run_round(timezone.now())
    assert sorted(path.name for path in folder.iterdir()) == sorted([f"{new.file}.csv", "notes.txt"])


def test_exports_of_several_users_take_turns(
    nodes: list[SampledNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "SLICE_S", 0.0001)
    first, second = queued(), queued(person="otto")
    for _ in range(2):  # A busy machine may end a round after one slice.
        execution.run_round(timezone.now(), round_s=0.05)
    for export in (first, second):
        export.refresh_from_db()
        assert export.worked_at is not None


def test_devices_without_samples_are_no_rows_and_no_gap(nodes: list[SampledNode]) -> None:
    Node.objects.create(site=Site.objects.get(), name="idle", kind="host", role="host")
    export = written(queued(start=NOON + timedelta(hours=1), end=NOON + timedelta(hours=2)))
    assert rows_of(export) == []
