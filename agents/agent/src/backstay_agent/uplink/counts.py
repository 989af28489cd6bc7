"""The spool's counts on disk: two copies, each with a checksum; the other one replaces a damaged one."""

import json
from pathlib import Path
from zlib import crc32

from backstay_agent.host.files import atomic_write, report_aside

_NAMES = ("counts.json", "counts-copy.json")


class LossCounts:
    """`dropped`: records lost so far. `gone`: number of the newest segment whose loss is counted in it."""

    def __init__(self, folder: Path) -> None:
        self._paths = [folder / name for name in _NAMES]

    def read(self) -> tuple[int, int]:
        """(dropped, gone): the larger of the readable copies; (0, 0) without one."""
        found = [counts for path in self._paths if (counts := _read(path))]
        return max(found, default=(0, 0))

    def write(self, dropped: int, gone: int) -> None:
        """Replace both copies. Raises OSError."""
        counts = {"dropped": dropped, "gone": gone, "crc": _crc(dropped, gone)}
        for path in self._paths:
            atomic_write(path, json.dumps(counts).encode(), durable=False)


def _crc(dropped: int, gone: int) -> int:
    return crc32(f"{dropped} {gone}".encode())


def _read(path: Path) -> tuple[int, int] | None:
    try:
        counts = json.loads(path.read_bytes())
        dropped, gone = int(counts["dropped"]), int(counts["gone"])
        if "crc" not in counts:
            # Of an older version. Its `gone` cannot be trusted; segments that it names are sent again.
            return dropped, 0
        if counts["crc"] != _crc(dropped, gone):
            raise ValueError("wrong checksum")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, OverflowError, KeyError, TypeError, RecursionError) as error:
        report_aside(path, error)
        return None
    else:
        return dropped, gone
