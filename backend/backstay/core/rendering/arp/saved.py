"""The state that a node's two ARP boot files produce at the next boot, parsed as ip(8) and sysctl(8) do.

Only ARP flags, permanent neighbours and settings of ports are read; other lines are ignored. A relevant line
that cannot be parsed raises ValueError with its number, because the effect of a reboot would be unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from ipaddress import ip_address

from backstay.core.model.arp import Settings, StaticNeighbour
from backstay.core.model.routing import Address

_LINK = {"link", "l"}
_NEIGHBOUR = {"neigh", "neighbor", "neighbour", "n"}
_SET = {"replace", "add", "change"}
_PER_PORT = re.compile(r"net\.(ipv[46])\.(conf|neigh)\.(.+)\.([a-z][a-z0-9_]*)")
_DEFAULT = re.compile(r"net\.(ipv[46])\.neigh\.default\.(gc_[a-z0-9_]+)")


@dataclass(slots=True)
class SavedPortArp:
    """One port after the next boot; values that the files do not set are the kernel's defaults."""

    arp: bool | None = None
    settings: dict[str, int] = field(default_factory=dict)
    neighbours: dict[Address, str] = field(default_factory=dict)

    def entries(self) -> tuple[StaticNeighbour, ...]:
        """The permanent entries by address."""
        return tuple(
            StaticNeighbour(address, mac)
            for address, mac in sorted(
                self.neighbours.items(), key=lambda neighbour: (neighbour[0].version, neighbour[0])
            )
        )


@dataclass(slots=True)
class Saved:
    """A node's boot state."""

    ports: dict[str, SavedPortArp] = field(default_factory=dict)
    table: dict[str, int] = field(default_factory=dict)

    def port(self, name: str) -> SavedPortArp:
        """The port; empty if the files do not name it."""
        return self.ports.setdefault(name, SavedPortArp())

    def tables(self) -> Settings:
        """By name."""
        return tuple(sorted(self.table.items()))


def saved(config: str, settings: str) -> Saved:
    """Parse both files. Raises ValueError."""
    found = Saved()
    for number, fields in _lines(config, "#"):
        try:
            _batch(fields, found)
        except (ValueError, IndexError) as error:
            raise ValueError(
                f"line {number} of the ARP file: {' '.join(fields)!r} cannot be parsed"
            ) from error
    for number, fields in _lines(settings, "#;"):
        try:
            _sysctl(" ".join(fields), found)
        except ValueError as error:
            raise ValueError(
                f"line {number} of the settings file: {' '.join(fields)!r} cannot be parsed"
            ) from error
    return found


def _lines(text: str, comments: str) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        if bare and bare[0] not in comments:
            fields = bare.split(" #", 1)[0].split() if comments == "#" else bare.split()
            yield number, fields


def _batch(fields: list[str], found: Saved) -> None:
    while fields and fields[0] in {"-4", "-6", "-force"}:
        fields = fields[1:]
    if len(fields) < 2:
        return
    if fields[0] in _LINK and fields[1] in {"set", "s"}:
        _link(fields[2:], found)
    elif fields[0] in _NEIGHBOUR:
        _neighbour(fields[1], fields[2:], found)


def _link(fields: list[str], found: Saved) -> None:
    if "arp" not in fields:
        return
    at = fields.index("arp")
    device = fields[fields.index("dev") + 1] if "dev" in fields else fields[0]
    port = found.port(device)
    if fields[at + 1] not in {"on", "off"}:
        raise ValueError(fields[at + 1])
    arp = fields[at + 1] == "on"
    if arp is not (port.arp is not False):
        port.neighbours.clear()  # Changing the flag empties the device's table.
    port.arp = arp


def _neighbour(verb: str, fields: list[str], found: Saved) -> None:
    fields = fields[1:] if fields[:1] == ["to"] else fields
    options = dict(zip(fields[1::2], fields[2::2], strict=False))
    if verb == "flush":
        if "dev" in fields:
            found.port(fields[fields.index("dev") + 1]).neighbours.clear()
        return
    if verb not in _SET and verb not in {"del", "delete"}:
        return
    address, device = ip_address(fields[0]), options.get("dev", "")
    if not device:
        raise ValueError("no dev")
    if verb in _SET and options.get("nud", "permanent") == "permanent":
        found.port(device).neighbours[address] = options["lladdr"].lower()
    else:
        found.port(device).neighbours.pop(address, None)


def _sysctl(line: str, found: Saved) -> None:
    name, equals, value = line.partition("=")
    key = _dotted(name.strip().removeprefix("-"))
    table, port = _DEFAULT.fullmatch(key), _PER_PORT.fullmatch(key)
    if table is None and port is None:
        return
    if not equals:
        return  # `-name` alone keeps a pattern from being set (sysctl.d(5)).
    if table is not None:
        found.table[f"{table[1]}.{table[2]}"] = int(value)
    elif port is not None and port[3] not in {"all", "default", "*"}:
        number = _number(value)
        if number is not None:
            device = port[3].replace("/", ".")
            found.port(device).settings[f"{port[1]}.{port[2]}.{port[4]}"] = number


def _number(value: str) -> int | None:
    """Other settings of a port are not numbers (stable_secret); they are ignored."""
    try:
        return int(value)
    except ValueError:
        return None


def _dotted(name: str) -> str:
    """Convert to dots between the parts; dots inside a part become slashes."""
    first = re.search(r"[./]", name)
    if first is not None and first[0] == "/":
        return name.translate(str.maketrans("./", "/."))
    return name
