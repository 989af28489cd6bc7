"""AIX's adapter statistics (entstat(1) and similar; `netstat -v` prints all of them in sequence).

A device's text begins with `ETHERNET STATISTICS (en0) :`. Lines are pairs (`Packets: 12`, often two per line:
transmit on the left, receive on the right), rows of a label and numbers, or headings. Pure.
"""

import re
from dataclasses import dataclass, field

_HEAD = re.compile(r"(?P<medium>[A-Z][A-Z0-9 /]*) STATISTICS \((?P<device>\w+)\)\s*:?\s*")
_PAIR = re.compile(r"(?P<key>[A-Za-z0-9][^:]*?):(?:\s+(?P<value>\S.*?))?(?=\s{2,}\S|\s*$)")
_ROW = re.compile(r"(?P<key>[A-Za-z].*?)(?P<numbers>(?:\s+-?\d+)+)")
_HEADING = re.compile(r"[A-Za-z][\w ,/().-]*")
_ERROR = re.compile(r"\w+: \d{4}-\d{3} .*")
_RULE = re.compile(r"-+(?:\s+-+)*")
_RIGHT = 40
"""Column after which a pair belongs to the receive side of a line."""
_TRANSMIT, _GENERAL = "Transmit Statistics", "General Statistics"


@dataclass
class EntstatDevice:
    """The values of one device's text."""

    name: str
    medium: str
    sent: dict[str, str] = field(default_factory=dict)
    received: dict[str, str] = field(default_factory=dict)
    other: dict[str, str] = field(default_factory=dict)
    """Pairs above and below the two columns; for a name that occurs twice, the first."""
    rows: dict[str, list[int]] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    """Driver flags: Up, Broadcast, Running, ..."""


@dataclass
class Statistics:
    """Every device of a text."""

    devices: list[EntstatDevice] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    """AIX messages with their numbers, for example that a device cannot be opened."""
    unparsed: list[str] = field(default_factory=list)


def statistics(output: str) -> Statistics:
    """Everything in the text; unknown lines are kept in `unparsed`."""
    found = Statistics()
    reader: _Reader | None = None
    for line in output.splitlines():
        content = line.strip()
        if not content or _RULE.fullmatch(content):
            if reader is not None:
                reader.in_flags = reader.in_flags and bool(content)
        elif head := _HEAD.fullmatch(content):
            found.devices.append(EntstatDevice(head["device"], head["medium"]))
            reader = _Reader(found.devices[-1])
        elif _ERROR.fullmatch(content):
            found.errors.append(content)
        elif reader is None or not reader.take(line):
            found.unparsed.append(line)
    return found


@dataclass
class _Reader:
    """Reads the lines of one device."""

    device: EntstatDevice
    two_columns: bool = False
    in_flags: bool = False

    def take(self, line: str) -> bool:
        """Parse a line into the device; returns whether it is known."""
        if _TRANSMIT in line or line.startswith(_GENERAL):
            self.two_columns = _TRANSMIT in line
            return True
        pairs = list(_PAIR.finditer(line))
        if pairs and not line[: pairs[0].start()].strip():
            for pair in pairs:
                self._keep(pair["key"].strip(), pair["value"] or "", pair.start())
            return True
        content = line.strip()
        if self.in_flags:
            self.device.flags += content.split()
            return True
        if row := _ROW.fullmatch(content):
            self.device.rows.setdefault(row["key"], [int(number) for number in row["numbers"].split()])
            return True
        return _HEADING.fullmatch(content) is not None

    def _keep(self, key: str, value: str, column: int) -> None:
        self.in_flags = key == "Driver Flags"
        if self.in_flags:
            self.device.flags = value.split()
        elif not self.two_columns:
            self.device.other.setdefault(key, value)
        elif column >= _RIGHT:
            self.device.received.setdefault(key, value)
        else:
            self.device.sent.setdefault(key, value)
