"""Compare a port's running MTU, state and addresses with the values of the next boot.

The saved values come only from the boot files that agents read: `ip -batch` texts (ip(8)). Another file of
the host may set what they do not set, so the verdict is then "unknown".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Setting = Literal["mtu", "state", "address"]
Verdict = Literal["saved", "differs", "unknown"]
_ORDER: Mapping[Verdict, int] = {"differs": 0, "unknown": 1, "saved": 2}
_LINK, _ADDRESS = ("l", "li", "lin", "link"), ("a", "ad", "add", "addr", "addre", "addres", "address")
_SET = ("s", "se", "set")
_ADD = ("a", "ad", "add", "replace", "change")
_DELETE = ("d", "de", "del", "dele", "delet", "delete")


@dataclass(frozen=True, slots=True)
class RunningPort:
    """A running port. `addresses` include prefix lengths."""

    name: str
    mtu: int
    admin_up: bool
    addresses: tuple[str, ...]


@dataclass(slots=True)
class SavedPort:
    """Values of a port in the boot files; None and empty: not set."""

    mtu: int | None = None
    up: bool | None = None
    addresses: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SavedValue:
    """One value of one port: running and after the next boot. `saved` empty: unknown."""

    port: str
    what: Setting
    running: str
    saved: str
    verdict: Verdict


def saved_ports(texts: Iterable[str]) -> dict[str, SavedPort]:
    """Values that `ip -batch` texts set, in order; other lines are ignored."""
    found: dict[str, SavedPort] = {}
    for text in texts:
        for line in text.splitlines():
            fields = line.partition("#")[0].split()
            if fields[:1] == ["ip"]:
                fields = fields[1:]
            if len(fields) > 2 and fields[0] in _LINK and fields[1] in _SET:
                _link(fields[2:], found)
            elif len(fields) > 3 and fields[0] in _ADDRESS:
                _address(fields[1], fields[2:], found)
    return found


def compare(ports: Iterable[RunningPort], saved: Mapping[str, SavedPort]) -> list[SavedValue]:
    """Each port's MTU, state and addresses, by port; values that a boot would change come first."""
    items = [item for port in ports for item in _of(port, saved.get(port.name, SavedPort()))]
    return sorted(items, key=lambda item: (_ORDER[item.verdict], item.port))


def worst_verdict(port: RunningPort, saved: Mapping[str, SavedPort]) -> Verdict:
    """The worst verdict of a port's values; a value that no file sets is better than one that differs."""
    verdicts = {item.verdict for item in compare([port], saved)}
    return next(verdict for verdict in _ORDER if verdict in verdicts)


def _link(fields: list[str], found: dict[str, SavedPort]) -> None:
    if fields[0] == "dev":
        fields = fields[1:]
    if not fields:
        return
    port = found.setdefault(fields[0], SavedPort())
    for keyword, following in zip(fields[1:], [*fields[2:], ""], strict=True):
        if keyword in {"up", "down"}:
            port.up = keyword == "up"
        elif keyword == "mtu" and following.isdecimal():
            port.mtu = int(following)


def _address(verb: str, fields: list[str], found: dict[str, SavedPort]) -> None:
    if "dev" not in fields[:-1]:
        return
    addresses = found.setdefault(fields[fields.index("dev") + 1], SavedPort()).addresses
    address = fields[0] if fields[0] != "local" else fields[1]
    if verb in _ADD and address not in addresses:
        addresses.append(address)
    elif verb in _DELETE and address in addresses:
        addresses.remove(address)


def _of(port: RunningPort, saved: SavedPort) -> Iterator[SavedValue]:
    if port.mtu:
        yield _item(port.name, "mtu", str(port.mtu), None if saved.mtu is None else str(saved.mtu))
    up = None if saved.up is None else _token(up=saved.up)
    yield _item(port.name, "state", _token(up=port.admin_up), up)
    for address in port.addresses:
        # The kernel sets the link-local address itself when the port comes up (RFC 4291).
        if not address.lower().startswith("fe80:"):
            missing = "not set" if saved.addresses else None
            yield _item(port.name, "address", address, address if address in saved.addresses else missing)
    for address in saved.addresses:
        if address not in port.addresses:
            yield SavedValue(port.name, "address", "not set", address, "differs")


def _token(*, up: bool) -> str:
    return "up" if up else "down"


def _item(port: str, what: Setting, running: str, saved: str | None) -> SavedValue:
    if saved is None:
        return SavedValue(port, what, running, "", "unknown")
    return SavedValue(port, what, running, saved, "saved" if saved == running else "differs")
