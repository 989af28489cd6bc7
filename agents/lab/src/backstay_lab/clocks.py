"""Offsets a router's clock, as the GigaRouter's was off by a month after a reboot.

The lab's nodes share one kernel and one clock, so only the time that a node's snmpd reports can be wrong: a
pass_persist program answers hrSystemDate (RFC 2790) with the kernel's time plus an offset. The clock advances
normally. The offset is stored in a file of the node, so a reboot keeps it.

`python -m backstay_lab.clocks FILE` is that program (pass_persist, snmpd.conf(5)).
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from backstay_lab.blueprint import NodeSpec
from backstay_lab.daemons import snmpd
from backstay_lab.errors import LabError
from backstay_lab.hippi.snmp import passpersist
from backstay_lab.hippi.snmp.value import Oid, Value, octets, oid
from backstay_lab.state import Run, StateFolder, write_private

SUBTREE = oid("1.3.6.1.2.1.25.1.2")
DATE: Oid = (*SUBTREE, 0)
"""hrSystemDate."""
MOST = timedelta(days=10 * 365)
_OFFSET = re.compile(r"([+-]?)(\d+(?:\.\d+)?)\s*(s|m|min|h|d)?")
_UNITS = {"s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}


def offset(text: str) -> timedelta:
    """Seconds of `-30d`, `+90s` or `2h`; LabError for an invalid offset or one above ten years."""
    found = _OFFSET.fullmatch(text.strip())
    if found is None:
        raise LabError(f"{text} is not an offset.", "Examples: --offset -30d, +90s, 2h.")
    sign, number, unit = found.groups()
    seconds = float(number) * _UNITS[unit or "s"] * (-1 if sign == "-" else 1)
    if abs(seconds) > MOST.total_seconds():
        raise LabError(f"{text} is more than ten years.", "Choose a smaller offset.")
    return timedelta(seconds=seconds)


def set_clock(folder: StateFolder, lab: Run, node: NodeSpec, by: timedelta | None) -> None:
    """Offset the node's clock; None corrects it.

    LabError for a node that runs no snmpd.
    """
    if not snmpd.watched(lab.plan(), node):
        raise LabError(f"{node.name} runs no snmpd.", "Name a node that is polled over SNMP, such as grf1.")
    file = file_of(folder.node_folder(node.name))
    if by is None:
        file.unlink(missing_ok=True)
    else:
        write_private(file, f"{by.total_seconds()}\n")


def file_of(folder: Path) -> Path:
    """File of a node's offset; without it the clock is correct."""
    return folder / "clock"


def snmpd_line(folder: Path) -> str:
    """The snmpd.conf lines that connect this program."""
    return f"pass_persist -p 50 .1.3.6.1.2.1.25.1.2 {sys.executable} -m backstay_lab.clocks {file_of(folder)}"


def seconds_off(file: Path) -> float:
    """The clock's current offset in seconds."""
    try:
        return float(file.read_text())
    except (OSError, ValueError):
        return 0.0


def date_and_time(moment: datetime) -> bytes:
    """DateAndTime of RFC 2579, eleven octets, in UTC."""
    return moment.year.to_bytes(2, "big") + bytes(
        [
            moment.month,
            moment.day,
            moment.hour,
            moment.minute,
            moment.second,
            moment.microsecond // 100_000,
            ord("+"),
            0,
            0,
        ]
    )


def _refuse(_target: Oid, _text: str) -> str:
    return passpersist.NOT_WRITABLE


def main() -> None:
    """Serve standard input until snmpd closes it."""
    file = Path(sys.argv[1])

    def table() -> Mapping[Oid, Value]:
        return {DATE: octets(date_and_time(datetime.fromtimestamp(time.time() + seconds_off(file), UTC)))}

    passpersist.serve(sys.stdin, sys.stdout, table, _refuse)


if __name__ == "__main__":
    main()
