"""The spool opens whatever happened to its files, loses only damaged records, and counts them."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay_agent.uplink.record import HEADER, encode, scan
from backstay_agent.uplink.segment import Segment
from backstay_agent.uplink.spool import Spool, TakenRecord

QUOTA = 4 * 1024 * 1024


def payload(number: int, size: int = 40) -> bytes:
    return f'{{"n":{number},"x":"{"x" * (number * 7 % size)}"}}'.encode()


def fill(folder: Path, count: int, quota: int = QUOTA) -> None:
    spool = Spool(folder, quota)
    for number in range(count):
        spool.append(payload(number))
    spool.close()


def drain(spool: Spool) -> list[bytes]:
    """All records of the spool, acknowledged batch by batch."""
    found: list[bytes] = []
    while batch := spool.take(512, 1 << 20):
        found += [held.payload for held in batch]
        spool.acknowledge(batch)
    return found


def only_segment(folder: Path) -> Path:
    return max(folder.glob("*.seg"), key=lambda path: path.stat().st_size)


@pytest.fixture(scope="module")
def original() -> Iterator[bytes]:
    """The octets of a segment of 300 records."""
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), 300)
        yield only_segment(Path(name)).read_bytes()


def reopen(data: bytes) -> tuple[list[bytes], int]:
    """(records of a spool with one segment of `data`, number counted as lost)."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "0000000001.seg").write_bytes(data)
        spool = Spool(folder, QUOTA)
        dropped = spool.dropped
        found = drain(spool)
        spool.close()
        again = Spool(folder, QUOTA)
        assert again.dropped == dropped
        again.close()
        return found, dropped


def test_appended_records_survive_a_restart_in_order(tmp_path: Path) -> None:
    fill(tmp_path, 50)
    spool = Spool(tmp_path, QUOTA)
    assert spool.waiting == 50
    assert drain(spool) == [payload(n) for n in range(50)]
    assert spool.waiting == 0


def test_acknowledged_records_are_gone_after_a_restart(tmp_path: Path) -> None:
    fill(tmp_path, 50)
    spool = Spool(tmp_path, QUOTA)
    spool.acknowledge(spool.take(20, 1 << 20))
    left = spool.waiting
    spool.close()
    assert Spool(tmp_path, QUOTA).waiting == left == 30


def test_unacknowledged_records_are_delivered_again(tmp_path: Path) -> None:
    fill(tmp_path, 10)
    spool = Spool(tmp_path, QUOTA)
    batch = spool.take(10, 1 << 20)
    assert spool.idle
    spool.release(batch)
    assert [held.payload for held in spool.take(10, 1 << 20)] == [payload(n) for n in range(10)]


def test_batch_has_the_newest_first_and_some_of_the_oldest(tmp_path: Path) -> None:
    fill(tmp_path, 1000)
    spool = Spool(tmp_path, QUOTA)
    numbers = [held.payload for held in spool.take(100, 1 << 20)]
    assert numbers == [payload(n) for n in [*range(50), *range(950, 1000)]]


def test_batch_respects_its_size_but_has_at_least_one_record(tmp_path: Path) -> None:
    spool = Spool(tmp_path, QUOTA)
    for _ in range(10):
        spool.append(b"x" * 1000)
    assert len(spool.take(10, 3500)) == 3
    assert len(spool.take(10, 10)) == 1


def test_urgent_record_is_delivered_once(tmp_path: Path) -> None:
    spool = Spool(tmp_path, QUOTA)
    held = spool.append(b"urgent")
    assert isinstance(held, TakenRecord)
    assert spool.take_one(held)
    assert not spool.take_one(held)
    assert spool.take(10, 1000) == []


def test_truncation_at_any_byte_loses_only_the_torn_record(tmp_path: Path) -> None:
    segment = Segment(tmp_path, 1)
    for number in range(60):
        segment.append(payload(number, 250))
    segment.close()
    path, acks = tmp_path / "0000000001.seg", tmp_path / "0000000001.ack"
    whole = list(scan(path.read_bytes()))
    size = path.stat().st_size
    assert size > 5000
    for cut in range(size - 1, size - 4097, -1):
        os.truncate(path, cut)
        acks.unlink()
        found = Segment(tmp_path, 1)
        intact = [place for place in whole if place.offset + place.length <= cut]
        torn = intact[-1].offset + intact[-1].length < cut
        assert len(found.states) == len(intact)
        assert found.read(len(intact) - 1) == payload(len(intact) - 1, 250)
        assert found.damaged == int(torn)
        found.close()


@given(data=st.data(), count=st.integers(1, 12))
@settings(max_examples=60, deadline=None)
def test_flipped_bits_lose_only_the_affected_records(
    original: bytes, data: st.DataObject, count: int
) -> None:
    damaged = bytearray(original)
    hit: set[int] = set()
    whole = list(scan(original))
    for _ in range(count):
        bit = data.draw(st.integers(0, len(original) * 8 - 1))
        damaged[bit // 8] ^= 1 << bit % 8
        ordinal = next(p.ordinal for p in whole if bit // 8 < p.offset + p.length)
        hit ^= set() if ordinal in hit else {ordinal}
    found, dropped = reopen(bytes(damaged))
    # Two flips of one bit cancel: that record is intact.
    really = {
        p.ordinal
        for p in whole
        if damaged[p.offset - HEADER : p.offset + p.length]
        != original[p.offset - HEADER : p.offset + p.length]
    }
    assert found == [payload(p.ordinal) for p in whole if p.ordinal not in really]
    last = len(whole) - 1
    trailing = 0
    while last - trailing in really:
        trailing += 1
    # The number of records damaged at the very end is unknown.
    assert dropped == len(really) - max(0, trailing - 1)


def test_damaged_acknowledgement_causes_a_resend_without_loss(tmp_path: Path) -> None:
    fill(tmp_path, 20)
    spool = Spool(tmp_path, QUOTA)
    spool.acknowledge(spool.take(10, 1 << 20))
    spool.close()
    acks = max(tmp_path.glob("*.ack"), key=lambda path: path.stat().st_size)
    octets = bytearray(acks.read_bytes())
    octets[2] ^= 1
    acks.write_bytes(octets)
    reopened = Spool(tmp_path, QUOTA)
    assert reopened.waiting >= 10
    assert reopened.dropped == 0


def test_full_quota_drops_the_oldest_and_counts_them_exactly(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 1024 * 1024)
    made = 8_000
    for number in range(made):
        spool.append(payload(number, 400))
    assert spool.size <= 1024 * 1024
    assert spool.dropped > 0
    assert spool.dropped + spool.waiting == made
    spool.close()
    again = Spool(tmp_path, 1024 * 1024)
    assert again.dropped + again.waiting == made
    left = drain(again)
    assert sorted(left) == sorted(payload(n, 400) for n in range(again.dropped, made))


def test_segment_dropped_before_a_crash_is_counted_once(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 1024 * 1024)
    oldest: bytes = b""
    for number in range(8_000):
        spool.append(payload(number, 400))
        if number == 1000:
            oldest = (tmp_path / "0000000001.seg").read_bytes()
    spool.close()
    # As after a crash between the note and the removal of the first segment.
    (tmp_path / "0000000001.seg").write_bytes(oldest)
    again = Spool(tmp_path, 1024 * 1024)
    assert again.dropped == spool.dropped
    assert again.waiting == spool.waiting


def test_foreign_files_and_empty_segments_are_ignored(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    (tmp_path / "README.seg").write_text("not ours")
    (tmp_path / "counts.json").write_text("{broken")
    (tmp_path / "0000000007.seg").write_bytes(b"")
    (tmp_path / "0000000099.ack").write_bytes(b"orphan")
    spool = Spool(tmp_path, QUOTA)
    assert len(drain(spool)) == 5


@given(st.lists(st.binary(max_size=300), max_size=20), st.binary(max_size=100))
@settings(max_examples=100, deadline=None)
def test_records_are_found_between_garbage(payloads: list[bytes], garbage: bytes) -> None:
    data = b""
    for ordinal, one in enumerate(payloads):
        data += garbage.replace(b"\xb5\x7aBS", b"") + encode(ordinal, one)
    places = list(scan(data))
    assert [data[p.offset : p.offset + p.length] for p in places] == payloads


@pytest.mark.parametrize(
    "text",
    [
        b'{"dropped":0,"gone":9999,"crc":1}',
        b'{"dropped":0,"gone":9999}',
        b'{"dropped":0,"gone":1e999}',
        b"[" * 50_000,
        b"",
    ],
)
def test_damaged_counts_discard_no_segment(tmp_path: Path, text: bytes) -> None:
    fill(tmp_path, 300)
    for path in tmp_path.glob("counts*.json"):
        path.unlink()
    (tmp_path / "counts.json").write_bytes(text)
    spool = Spool(tmp_path, QUOTA)
    assert len(drain(spool)) == 300
    assert spool.dropped == 0


def test_one_damaged_copy_of_the_counts_loses_no_count(tmp_path: Path) -> None:
    quota = 256 * 1024
    fill(tmp_path, 8000, quota)
    spool = Spool(tmp_path, quota)
    dropped, waiting = spool.dropped, spool.waiting
    assert dropped > 0
    spool.close()
    for name in ("counts.json", "counts-copy.json"):
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(data.replace(b"dropped", b"drOpped"))
        again = Spool(tmp_path, quota)
        assert (again.dropped, again.waiting) == (dropped, waiting)
        again.close()
        (tmp_path / name).write_bytes(data)


@pytest.mark.parametrize(
    "name",
    [
        "0000000001.seg",
        "0000000001.ack",
        "0000000002.seg",
        "0000000007.ack",
        "counts.json",
        "counts-copy.json",
    ],
)
def test_a_stray_folder_does_not_keep_the_spool_from_opening(tmp_path: Path, name: str) -> None:
    fill(tmp_path, 30)
    stray = tmp_path / name
    if stray.exists():
        stray.unlink()
    stray.mkdir()
    (stray / "kept").write_text("of somebody")
    spool = Spool(tmp_path, QUOTA)
    assert spool.append(payload(30)) is not None
    found = drain(spool)
    assert payload(30) in found
    if name != "0000000001.seg":
        assert len(found) == 31
    spool.close()
    assert list(tmp_path.rglob("kept")), "nothing of another's is deleted"


def test_a_file_in_place_of_the_spool_is_set_aside(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    folder.write_text("not a folder")
    spool = Spool(folder, QUOTA)
    assert spool.append(b"report") is not None
    spool.close()
    assert [path.read_text() for path in tmp_path.glob("spool.damaged-*")] == ["not a folder"]
