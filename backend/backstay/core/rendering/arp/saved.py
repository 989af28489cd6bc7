"""What a node's two ARP boot files would bring about at the next boot, read as ip(8) and sysctl(8) read them.

Only what is about ports' ARP flag, permanent neighbours and settings counts; other lines are the operator's
business. A line that is about them and cannot be read raises ValueError with its number: nobody would know
what a reboot does.
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
class SavedPort:
    """One port as the next boot leaves it; what the files do not say is the kernel's own."""

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

    ports: dict[str, SavedPort] = field(default_factory=dict)
    table: dict[str, int] = field(default_factory=dict)

    def port(self, name: str) -> SavedPort:
        """That port's; empty when the files do not name it."""
        return self.ports.setdefault(name, SavedPort())

    def tables(self) -> Settings:
        """By name."""
        return tuple(sorted(self.table.items()))


def saved(config: str, settings: str) -> Saved:
    """Both files together. Raises ValueError."""
    found = Saved()
    for number, words in _lines(config, "#"):
        try:
            _batch(words, found)
        except (ValueError, IndexError) as error:
            raise ValueError(
                f"line {number} of the ARP file: {' '.join(words)!r} is not understood"
            ) from error
    for number, words in _lines(settings, "#;"):
        try:
            _sysctl(" ".join(words), found)
        except ValueError as error:
            raise ValueError(
                f"line {number} of the settings file: {' '.join(words)!r} is not understood"
            ) from error
    return found


def _lines(text: str, comments: str) -> Iterable[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.strip()
        if bare and bare[0] not in comments:
            words = bare.split(" #", 1)[0].split() if comments == "#" else bare.split()
            yield number, words


def _batch(words: list[str], found: Saved) -> None:
    while words and words[0] in {"-4", "-6", "-force"}:
        words = words[1:]
    if len(words) < 2:
        return
    if words[0] in _LINK and words[1] in {"set", "s"}:
        _link(words[2:], found)
    elif words[0] in _NEIGHBOUR:
        _neighbour(words[1], words[2:], found)


def _link(words: list[str], found: Saved) -> None:
    if "arp" not in words:
        return
    at = words.index("arp")
    device = words[words.index("dev") + 1] if "dev" in words else words[0]
    port = found.port(device)
    if words[at + 1] not in {"on", "off"}:
        raise ValueError(words[at + 1])
    arp = words[at + 1] == "on"
    if arp is not (port.arp is not False):
        port.neighbours.clear()  # Changing the flag empties the device's table.
    port.arp = arp


def _neighbour(verb: str, words: list[str], found: Saved) -> None:
    words = words[1:] if words[:1] == ["to"] else words
    told = dict(zip(words[1::2], words[2::2], strict=False))
    if verb == "flush":
        if "dev" in words:
            found.port(words[words.index("dev") + 1]).neighbours.clear()
        return
    if verb not in _SET and verb not in {"del", "delete"}:
        return
    address, device = ip_address(words[0]), told.get("dev", "")
    if not device:
        raise ValueError("no dev")
    if verb in _SET and told.get("nud", "permanent") == "permanent":
        found.port(device).neighbours[address] = told["lladdr"].lower()
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
    """Other settings of a port are no numbers (stable_secret); they are none of ours."""
    try:
        return int(value)
    except ValueError:
        return None


def _dotted(name: str) -> str:
    """With dots between the parts; dots of a part become slashes, whichever way it was written."""
    first = re.search(r"[./]", name)
    if first is not None and first[0] == "/":
        return name.translate(str.maketrans("./", "/."))
    return name
