"""One segment of the spool: an append-only file of records, and a separate file of acknowledgements.

The acknowledgements are only an optimisation: losing one resends its reports, and the backend drops
duplicates. So they are never synced, and each carries its own CRC: a damaged one counts as missing.
"""

import contextlib
import struct
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

from backstay_agent.host.files import AppendFile
from backstay_agent.uplink import record

_ACK = struct.Struct("<III")
_ACK_FIELDS = struct.Struct("<II")
WAITING, TAKEN, DONE = 0, 1, 2
SUFFIX, ACK_SUFFIX = ".seg", ".ack"


def segment_paths(folder: Path, number: int) -> tuple[Path, Path]:
    """A segment's records and its acknowledgements, whether or not they exist."""
    return folder / f"{number:010d}{SUFFIX}", folder / f"{number:010d}{ACK_SUFFIX}"


def segment_numbers(folder: Path) -> set[int]:
    """Numbers of the segments in a spool; other names are not ours."""
    named = (path for path in folder.glob(f"*{SUFFIX}") if path.stem.isascii() and path.stem.isdigit())
    return {int(path.stem) for path in named if path.stem == f"{int(path.stem):010d}"}


class Segment:
    """Records by position (0, 1, ...), each WAITING, TAKEN (being sent) or DONE."""

    def __init__(self, folder: Path, number: int) -> None:
        """Open segment `number` and read its content; an existing one is only read."""
        self.number = number
        self.damaged = 0
        """Damaged records that had not been acknowledged."""
        self._path, self._ack_path = segment_paths(folder, number)
        self._file = AppendFile(self._path)
        try:
            self._acks = AppendFile(self._ack_path)
        except OSError:
            self._file.close()
            raise
        self._ordinals = array("I")
        self._offsets = array("Q")
        self._lengths = array("I")
        self.states = bytearray()
        self._load()
        self.waiting = self.states.count(WAITING)

    @property
    def size(self) -> int:
        """Octets on disk."""
        return self._file.size + self._acks.size

    @property
    def unacknowledged(self) -> int:
        """Records not DONE."""
        return len(self.states) - self.states.count(DONE)

    def append(self, payload: bytes) -> None:
        """Add a record. Raises OSError with nothing changed."""
        ordinal = len(self._ordinals)
        offset = self._file.append(record.encode(ordinal, payload))
        self._add(record.Place(ordinal, offset + record.HEADER, len(payload)))
        self.waiting += 1

    def length(self, position: int) -> int:
        """Octets of a record's payload."""
        return self._lengths[position]

    def read(self, position: int) -> bytes | None:
        """A record's payload, checked; None if the disk returns something else."""
        start = self._offsets[position] - record.HEADER
        data = self._file.read(start, record.HEADER + self._lengths[position])
        return record.check(data, self._ordinals[position])

    def mark(self, position: int, state: int) -> None:
        """Change a record's state."""
        self.waiting += (state == WAITING) - (self.states[position] == WAITING)
        self.states[position] = state

    def acknowledge(self, positions: Sequence[int]) -> None:
        """Mark records DONE and store that. Raises OSError if it cannot be stored."""
        for position in positions:
            self.mark(position, DONE)
        self._remember(sorted(self._ordinals[position] for position in positions))

    def sync(self) -> None:
        """Sync the records to disk."""
        self._file.sync()

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        self._acks.close()

    def delete(self) -> None:
        """Close the files and remove them, the acknowledgements last."""
        self.close()
        self._path.unlink(missing_ok=True)
        self._ack_path.unlink(missing_ok=True)

    def _remember(self, ordinals: Sequence[int]) -> None:
        self._acks.append(b"".join(_encode_ack(first, count) for first, count in _runs(ordinals)))

    def _add(self, place: record.Place) -> None:
        self._ordinals.append(place.ordinal)
        self._offsets.append(place.offset)
        self._lengths.append(place.length)
        self.states.append(WAITING)

    def _load(self) -> None:
        data = self._file.read(0, self._file.size)
        acknowledged = set(_decode_acks(self._acks.read(0, self._acks.size)))
        lost: set[int] = set()
        expected = end = 0
        for place in record.scan(data):
            if place.ordinal < expected:
                continue
            lost |= set(range(expected, place.ordinal)) - acknowledged
            self._add(place)
            if place.ordinal in acknowledged:
                self.states[-1] = DONE
            expected, end = place.ordinal + 1, place.offset + place.length
        if end < len(data) and expected not in acknowledged:
            # A torn tail: at least one record, and more than one only if the disk lost acknowledged data.
            lost.add(expected)
        self.damaged = len(lost)
        if lost:
            # Marked as done, so that the next start does not count them again.
            with contextlib.suppress(OSError):
                self._remember(sorted(lost))


def _runs(ordinals: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ascending numbers as (first, count) of stretches without a gap."""
    first = count = 0
    for ordinal in ordinals:
        if count and ordinal == first + count:
            count += 1
            continue
        if count:
            yield first, count
        first, count = ordinal, 1
    if count:
        yield first, count


def _encode_ack(first: int, count: int) -> bytes:
    return _ACK.pack(first, count, crc32(_ACK_FIELDS.pack(first, count)))


def _decode_acks(data: bytes) -> Iterator[int]:
    for position in range(0, len(data) - _ACK.size + 1, _ACK.size):
        first, count, crc = _ACK.unpack_from(data, position)
        if crc == crc32(_ACK_FIELDS.pack(first, count)):
            yield from range(first, first + count)
