"""The program that snmpd keeps open for one subtree of one switch or gateway.

`python -m backstay_lab.hippi.snmp.agent SOCKET KIND NAME SPEED SUBTREE`: KIND is `switch` or `gateway`,
SUBTREE `enterprise`, `interfaces` or `names` (ifXTable). It queries the fabric at most every 50 ms, so a
walk sees one moment and costs one query.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from backstay_lab.errors import LabError
from backstay_lab.hippi.control import ask
from backstay_lab.hippi.snmp import hsg, interfaces, passpersist, ps32
from backstay_lab.hippi.snmp.interfaces import ETHERNET_TYPE, LOOPBACK_TYPE, DirectionCounts, InterfaceRow
from backstay_lab.hippi.snmp.subtrees import SUBTREES
from backstay_lab.hippi.snmp.value import Oid, Value

NET = Path("/sys/class/net")
IFF_UP = 1
MANAGEMENT_SPEED = 100_000_000


def kernel_rows(net: Path = NET) -> list[InterfaceRow]:
    """Every device of this namespace; ports that disappear meanwhile are omitted."""
    found = []
    for folder in sorted(net.iterdir()):
        try:
            found.append(_row(folder))
        except OSError:
            continue
    return found


def _row(folder: Path) -> InterfaceRow:
    def number(name: str) -> int:
        return int((folder / name).read_text(), 0)

    def counts(direction: str) -> DirectionCounts:
        names = ("bytes", "packets", "dropped", "errors")
        return DirectionCounts(*(number(f"statistics/{direction}_{name}") for name in names))

    loopback = folder.name == "lo"
    return InterfaceRow(
        index=number("ifindex"),
        name=folder.name,
        alias="",
        kind=LOOPBACK_TYPE if loopback else ETHERNET_TYPE,
        mtu=number("mtu"),
        speed=0 if loopback else MANAGEMENT_SPEED,
        enabled=bool(number("flags") & IFF_UP),
        up=loopback or (folder / "operstate").read_text().strip() == "up",
        into=counts("rx"),
        out=counts("tx"),
    )


State = dict[str, Any]
"""A snapshot of the fabric."""
FRESH_S = 0.05


@dataclass(frozen=True)
class DeviceKind:
    """The objects and the writable settings of one kind of device."""

    objects: Callable[[State, str, datetime], dict[Oid, Value]]
    write: Callable[[Oid, str, State, str, datetime], dict[str, Any] | None]
    rows: Callable[[State, str, int], list[interfaces.InterfaceRow]]


KINDS = {
    "switch": DeviceKind(ps32.objects, ps32.write, interfaces.switch_rows),
    "gateway": DeviceKind(hsg.objects, hsg.write, interfaces.gateway_rows),
}


class HippiDevice:
    """One switch or gateway of a running fabric, as SNMP objects."""

    def __init__(self, socket: Path, kind: str, name: str, speed: int, subtree: str) -> None:
        self._socket, self._name, self._speed = socket, name, speed
        self._kind = KINDS[kind]
        self._build: Callable[[State], Mapping[Oid, Value]] = {
            "enterprise": self._enterprise,
            "interfaces": self._interfaces,
            "names": self._interfaces,
        }[subtree]
        self._subtree = SUBTREES[subtree]
        self._objects: Mapping[Oid, Value] = {}
        self._until = 0.0

    def objects(self) -> Mapping[Oid, Value]:
        """The subtree's objects; empty while the fabric does not answer."""
        if time.monotonic() >= self._until:
            try:
                found = self._build(ask(self._socket, verb="show"))
            except LabError:
                found = {}
            depth = len(self._subtree)
            self._objects = {name: found[name] for name in sorted(found) if name[:depth] == self._subtree}
            self._until = time.monotonic() + FRESH_S
        return self._objects

    def set(self, target: Oid, text: str) -> str:
        """Write one object."""
        now = datetime.now().astimezone()
        try:
            state = ask(self._socket, verb="show")
            request = self._kind.write(target, text, state, self._name, now)
            if request is None:
                return passpersist.NOT_WRITABLE
            ask(self._socket, **request)
        except ValueError:
            return passpersist.WRONG_VALUE
        except LabError:
            return passpersist.INCONSISTENT
        self._until = 0.0
        return passpersist.DONE

    def _enterprise(self, state: State) -> Mapping[Oid, Value]:
        return self._kind.objects(state, self._name, datetime.now().astimezone())

    def _interfaces(self, state: State) -> Mapping[Oid, Value]:
        return interfaces.objects([*kernel_rows(), *self._kind.rows(state, self._name, self._speed)])


def main() -> None:
    """Serve standard input until snmpd closes it."""
    socket, kind, name, speed, subtree = sys.argv[1:6]
    device = HippiDevice(Path(socket), kind, name, int(speed), subtree)
    passpersist.serve(sys.stdin, sys.stdout, device.objects, device.set)


if __name__ == "__main__":
    main()
