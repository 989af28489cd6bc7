"""The program that snmpd keeps open for an extension node's row (pass_persist, snmpd.conf(5)).

`python -m backstay_lab.sp.agent FILE` serves the SP dependent-node table, 1.3.6.1.4.1.2.6.117.4.1. SwToken
is not served: no known document describes its octets.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from backstay_lab.errors import LabError
from backstay_lab.hippi.snmp import passpersist
from backstay_lab.hippi.snmp.value import Oid, Value, address, integer, oid, string
from backstay_lab.sp.table import ExtensionNodeRow, load

NET = Path("/sys/class/net")
SUBTREE = oid("1.3.6.1.4.1.2.6.117.4")
ENTRY = (*SUBTREE, 1, 1)
"""ibmSPDepNodeEntry, by the node's name."""
IFF_UP, IFF_NOARP = 0x1, 0x80
"""netdevice(7)."""
SIOCGIFADDR, SIOCGIFNETMASK = 0x8915, 0x891B
FULLY_CONFIGURED, NOT_CONFIGURED = 6, 1


@dataclass(frozen=True)
class Adapter:
    """The kernel's state of the port."""

    arp: bool
    address: IPv4Address
    mask: IPv4Address
    mtu: int
    wanted: bool
    running: bool


def adapter(port: str, net: Path = NET) -> Adapter | None:
    """The kernel's settings of a port; None when it does not exist or has no address."""
    try:
        flags = int((net / port / "flags").read_text(), 16)
        mtu = int((net / port / "mtu").read_text())
        running = (net / port / "operstate").read_text().strip() == "up"
        ip, mask = _asked(port, SIOCGIFADDR), _asked(port, SIOCGIFNETMASK)
    except (OSError, ValueError):
        return None
    return Adapter(not flags & IFF_NOARP, ip, mask, mtu, bool(flags & IFF_UP), running)


def _asked(port: str, question: int) -> IPv4Address:
    """A `struct ifreq` (netdevice(7)): the name, then a sockaddr_in whose address is its second word."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        answer = fcntl.ioctl(asked, question, struct.pack("16s16x", port.encode()[:15]))
    return IPv4Address(answer[20:24])


def rows(row: ExtensionNodeRow, known: Adapter | None) -> dict[Oid, Value]:
    """The node's row; without the adapter only the sent values, as not configured."""
    name = row.name.encode()
    index = (len(name), *name)
    found = {
        1: string(row.name),
        2: integer(row.number),
        5: integer(row.switch_number),
        9: integer(row.host_offset),
        10: integer(NOT_CONFIGURED if known is None else FULLY_CONFIGURED),
        12: integer(1 if known is not None and known.running else 2),
    }
    if known is not None:
        found |= {
            4: integer(2 if known.arp else 1),
            6: address(known.address),
            7: address(known.mask),
            8: integer(known.mtu),
            15: integer(1 if known.wanted else 2),
        }
    return {(*ENTRY, column, *index): value for column, value in found.items()}


def objects(file: Path) -> Mapping[Oid, Value]:
    """The current table; empty while the row cannot be read."""
    try:
        row = load(file)
    except (LabError, ValueError, TypeError):
        return {}
    return rows(row, adapter(row.port))


def snmpd_line(file: Path) -> str:
    """The snmpd.conf lines that connect this program."""
    subtree = "".join(f".{number}" for number in SUBTREE)
    return f"pass_persist {subtree} {sys.executable} -m backstay_lab.sp.agent {file}"


def _refuse(_target: Oid, _text: str) -> str:
    return passpersist.NOT_WRITABLE


def main() -> None:
    """Serve standard input until snmpd closes it."""
    file = Path(sys.argv[1])
    passpersist.serve(sys.stdin, sys.stdout, lambda: objects(file), _refuse)


if __name__ == "__main__":
    main()
