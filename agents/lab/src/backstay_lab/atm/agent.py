"""The program that snmpd keeps open for a router's circuits (pass_persist, snmpd.conf(5)).

`python -m backstay_lab.atm.agent FILE SUBTREE`: SUBTREE is `atm` (ATM-MIB, RFC 2515) or `netstar`
(NETSTAR-MIB). Only objects whose number, type and range are known are served.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from backstay_lab.atm.table import CircuitRow, load
from backstay_lab.errors import LabError
from backstay_lab.hippi.snmp import passpersist
from backstay_lab.hippi.snmp.value import Oid, Value, integer, oid

NET = Path("/sys/class/net")
SUBTREES = {"atm": oid("1.3.6.1.2.1.37"), "netstar": oid("1.3.6.1.4.1.1080.1.1.4")}
CONFIGURED_VCCS = (*SUBTREES["atm"], 1, 2, 1, 4)
"""atmInterfaceConfVccs, by ifIndex."""
VCL = (*SUBTREES["atm"], 1, 7, 1)
"""atmVclEntry, by ifIndex, VPI and VCI."""
VC = (*SUBTREES["netstar"], 1, 1)
"""grAtmV1VcEntry, by ifIndex, VPI and VCI."""
NEXT_HOP = (*SUBTREES["netstar"], 4, 1)
"""grAtmV1NetToVcEntry, by ifIndex and network address."""
UP, DOWN = 1, 2
AAL5, GRF_AAL5, IP_LLC, PERMANENT, ROW_ACTIVE = 3, 2, 1, 3, 1
ACTIVE, INACTIVE = 1, 2


@dataclass(frozen=True)
class LineState:
    """The kernel's state of a port."""

    index: int
    up: bool


def lines(ports: Iterable[str], net: Path = NET) -> dict[str, LineState]:
    """The existing ports."""
    found = {}
    for port in ports:
        try:
            index = int((net / port / "ifindex").read_text())
            state = (net / port / "operstate").read_text().strip()
        except OSError:
            continue
        found[port] = LineState(index, state == "up")
    return found


def atm(rows: Iterable[CircuitRow], ports: Mapping[str, LineState]) -> dict[Oid, Value]:
    """ATM-MIB: the number of circuits per interface, and each circuit."""
    found: dict[Oid, Value] = {}
    count = {line.index: 0 for line in ports.values()}
    for row in rows:
        if row.port not in ports:
            continue
        line = ports[row.port]
        index = (line.index, row.vpi, row.vci)
        count[line.index] += 1
        found |= {
            (*VCL, 3, *index): integer(UP),
            (*VCL, 4, *index): integer(UP if line.up else DOWN),
            (*VCL, 8, *index): integer(AAL5),
            (*VCL, 13, *index): integer(ROW_ACTIVE),
        }
    return found | {(*CONFIGURED_VCCS, index): integer(number) for index, number in count.items()}


def netstar(rows: Iterable[CircuitRow], ports: Mapping[str, LineState]) -> dict[Oid, Value]:
    """NETSTAR-MIB: each circuit, and the circuit to each neighbour."""
    found: dict[Oid, Value] = {}
    for row in rows:
        if row.port not in ports:
            continue
        line = ports[row.port]
        index = (line.index, row.vpi, row.vci)
        peer = (line.index, *map(int, row.peer.split(".")))
        found |= {
            (*VC, 2, *index): integer(row.vpi),
            (*VC, 3, *index): integer(row.vci),
            (*VC, 4, *index): integer(GRF_AAL5),
            (*VC, 5, *index): integer(IP_LLC),
            (*VC, 10, *index): integer(PERMANENT),
            (*NEXT_HOP, 3, *peer): integer(row.vpi),
            (*NEXT_HOP, 4, *peer): integer(row.vci),
            (*NEXT_HOP, 5, *peer): integer(ACTIVE if line.up else INACTIVE),
        }
    return found


BUILDERS: dict[str, Callable[[Iterable[CircuitRow], Mapping[str, LineState]], dict[Oid, Value]]] = {
    "atm": atm,
    "netstar": netstar,
}


def objects(file: Path, subtree: str) -> Mapping[Oid, Value]:
    """The current subtree; empty while the table cannot be read."""
    try:
        rows = load(file)
    except (LabError, ValueError):
        return {}
    return BUILDERS[subtree](rows, lines({row.port for row in rows}))


def snmpd_lines(file: Path) -> list[str]:
    """The snmpd.conf lines that connect this program."""
    program = f"{sys.executable} -m backstay_lab.atm.agent {file}"
    return [
        f"pass_persist {''.join(f'.{number}' for number in root)} {program} {name}"
        for name, root in SUBTREES.items()
    ]


def _refuse(_target: Oid, _text: str) -> str:
    return passpersist.NOT_WRITABLE


def main() -> None:
    """Serve standard input until snmpd closes it."""
    file, subtree = Path(sys.argv[1]), sys.argv[2]
    passpersist.serve(sys.stdin, sys.stdout, lambda: objects(file, subtree), _refuse)


if __name__ == "__main__":
    main()
