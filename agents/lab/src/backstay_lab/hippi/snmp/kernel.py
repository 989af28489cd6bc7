"""The rows of IF-MIB that the kernel has: a device's management port, from /sys/class/net (sysfs(5))."""

from __future__ import annotations

from pathlib import Path

from backstay_lab.hippi.snmp.interfaces import ETHERNET_TYPE, LOOPBACK_TYPE, Counts, Row

NET = Path("/sys/class/net")
IFF_UP = 1
MANAGEMENT_SPEED = 100_000_000


def rows(net: Path = NET) -> list[Row]:
    """Every device of this namespace. A port that is gone meanwhile is left out."""
    found = []
    for folder in sorted(net.iterdir()):
        try:
            found.append(_row(folder))
        except OSError:
            continue
    return found


def _row(folder: Path) -> Row:
    def number(name: str) -> int:
        return int((folder / name).read_text(), 0)

    def counts(way: str) -> Counts:
        names = ("bytes", "packets", "dropped", "errors")
        return Counts(*(number(f"statistics/{way}_{name}") for name in names))

    loopback = folder.name == "lo"
    return Row(
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
