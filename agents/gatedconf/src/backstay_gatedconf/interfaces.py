"""`interfaces { ... };`: attached ports and the preference of their routes while they are up or down."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Literal

from backstay_gatedconf.tokens import Cursor

_FLAGS = ("passive", "simplex", "reject", "blackhole")
_STOP = {"preference", "down", "autonomoussystem", *_FLAGS}


@dataclass(frozen=True, slots=True)
class Scan:
    """`options [strictinterfaces] [scaninterval N]`, in seconds."""

    strict: bool
    seconds: int | None


@dataclass(frozen=True, slots=True)
class InterfacePorts:
    """`interface LIST ...`."""

    names: tuple[str, ...]
    preference: int | None = None
    down_preference: int | None = None
    flags: tuple[str, ...] = ()
    autonomous_system: int | None = None


@dataclass(frozen=True, slots=True)
class Define:
    """`define ADDRESS ...`: a port that may appear later."""

    address: IPv4Address
    kind: Literal["", "broadcast", "pointtopoint"] = ""
    far: IPv4Address | None = None
    netmask: IPv4Address | None = None
    multicast: bool = False


@dataclass(frozen=True, slots=True)
class Interfaces:
    """The one `interfaces` statement."""

    items: tuple[Scan | InterfacePorts | Define, ...]


def parse(cursor: Cursor) -> Interfaces:
    """After the keyword `interfaces`."""
    return Interfaces(cursor.body(_item))


def _item(cursor: Cursor) -> Scan | InterfacePorts | Define:
    kind = cursor.choice("options", "interface", "define")
    if kind == "options":
        return Scan(cursor.has("strictinterfaces"), cursor.number_after("scaninterval", 1, 3600))
    return _ports(cursor) if kind == "interface" else _define(cursor)


def _ports(cursor: Cursor) -> InterfacePorts:
    names = cursor.names(_STOP)
    preference = down = system = None
    flags = set()
    while not cursor.sees(";"):
        if cursor.sees("preference"):
            preference = cursor.number_after("preference", 0, 255)
        elif cursor.has("down"):
            cursor.expect("preference")
            down = cursor.number(0, 255)
        elif cursor.sees("autonomoussystem"):
            system = cursor.number_after("autonomoussystem", 1, 65_535)
        else:
            flags.add(cursor.choice(*_FLAGS))
    return InterfacePorts(names, preference, down, tuple(flag for flag in _FLAGS if flag in flags), system)


def _define(cursor: Cursor) -> Define:
    address = cursor.address()
    kind: Literal["", "broadcast", "pointtopoint"] = ""
    if cursor.sees("broadcast", "pointtopoint"):
        kind = "broadcast" if cursor.take().text == "broadcast" else "pointtopoint"
    far = cursor.address() if kind else None
    netmask = cursor.address() if cursor.has("netmask") else None
    return Define(address, kind, far, netmask, cursor.has("multicast"))


def render(value: Interfaces) -> str:
    lines = "".join(f"    {_render(item)};\n" for item in value.items)
    return f"interfaces {{\n{lines}}}"


def _render(item: Scan | InterfacePorts | Define) -> str:
    if isinstance(item, Scan):
        parts = ["options", "strictinterfaces" if item.strict else "", _pair("scaninterval", item.seconds)]
    elif isinstance(item, InterfacePorts):
        parts = [
            "interface",
            *item.names,
            _pair("preference", item.preference),
            _pair("down preference", item.down_preference),
            *item.flags,
            _pair("autonomoussystem", item.autonomous_system),
        ]
    else:
        far = f"{item.kind} {item.far}" if item.kind else ""
        parts = [
            "define",
            str(item.address),
            far,
            _pair("netmask", item.netmask),
            "multicast" * item.multicast,
        ]
    return " ".join(filter(None, parts))


def _pair(keyword: str, value: int | IPv4Address | None) -> str:
    return "" if value is None else f"{keyword} {value}"
