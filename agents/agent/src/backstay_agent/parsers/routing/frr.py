"""FRR's replies: text of `show version`, JSON of the rest (FRR 8.4).

Several JSON replies follow one another without a separator; each is recognised by its shape.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any, Literal, TypeVar

from backstay_agent.parsers import text
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_wire import BfdSession, Protocol

Entry = TypeVar("Entry")
_BFD: Mapping[str, Literal["Down", "Init", "Up", "AdminDown"]] = {
    "up": "Up",
    "down": "Down",
    "init": "Init",
    "shutdown": "AdminDown",
}
_MULTIPLIER = 3
"""The default detect-multiplier; FRR 7.2 does not print it."""
QUESTIONS: Mapping[str, str] = {
    "zebra": "show ip route json",
    "bfdd": "show bfd peers json",
    "ospfd": "show ip ospf neighbor json",
    "bgpd": "show bgp summary json",
}
"""Commands sent to a running daemon."""


class FrrError(ValueError):
    """The text is not output of a known version of FRR."""


@dataclass
class Answers:
    """The JSON replies of one conversation, by type."""

    candidates: list[Candidate] = field(default_factory=list)
    bfd: list[BfdSession] = field(default_factory=list)
    sessions: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Daemon -> its sessions: (up, all)."""
    unparsed: list[str] = field(default_factory=list)
    """Each entry that is unreadable, with the reason; the others of its reply are kept."""


def version(output: str) -> str:
    """`8.4.4` of the first line of `show version`; "" if missing."""
    tokens = output.split("\n", 1)[0].split()
    return text.text(tokens[1]) if len(tokens) > 1 and tokens[0] == "FRRouting" else ""


def answers(output: str) -> Answers:
    """Every JSON answer in the output. Raises FrrError if it is not JSON."""
    found = Answers()
    for value in _documents(output):
        if isinstance(value, list):
            found.bfd += _readable(value, _bfd_session, found.unparsed)
        elif isinstance(value.get("neighbors"), dict):
            found.sessions["ospfd"] = _ospf(value["neighbors"])
        elif any(isinstance(part, dict) and "peers" in part for part in value.values()):
            found.sessions["bgpd"] = _bgp(value)
        else:
            for prefix, routes in value.items():
                listed = routes if isinstance(routes, list) else [{"prefix": prefix}]
                found.candidates += _readable(listed, _candidate, found.unparsed)
    return found


def _readable(entries: Iterable[Any], parse: Callable[[Any], Entry], unparsed: list[str]) -> list[Entry]:
    """The entries that `parse` understands; the others are added to `unparsed`."""
    found: list[Entry] = []
    for entry in entries:
        try:
            found.append(parse(entry))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            unparsed.append(text.text(f"{type(error).__name__} {error} in {json.dumps(entry)}"))
    return found


def _documents(output: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    place = 0
    while (place := _next(output, place)) < len(output):
        try:
            value, place = decoder.raw_decode(output, place)
        except (ValueError, RecursionError) as error:
            raise FrrError(f"broken JSON after {place} characters: {error}") from error
        yield value


def _next(output: str, place: int) -> int:
    starts = [at for at in (output.find("{", place), output.find("[", place)) if at >= 0]
    return min(starts, default=len(output))


def _candidate(route: dict[str, Any]) -> Candidate:
    hops = route.get("nexthops", [])
    return Candidate(
        prefix=ip_network(route["prefix"]),
        via=text.text(", ".join(_via(hop) for hop in hops)) or "nowhere",
        source=text.name(route["protocol"]),
        preference=int(route["distance"]),
        selected=bool(route.get("selected")),
        usable=any(hop.get("active") for hop in hops),
    )


def _via(hop: dict[str, Any]) -> str:
    return str(hop.get("ip") or hop.get("interfaceName") or "unreachable")


def _bfd_session(peer: dict[str, Any]) -> BfdSession:
    interval = float(max(peer["receive-interval"], peer.get("remote-transmit-interval", 0)))
    multiplier = peer.get("remote-detect-multiplier", peer.get("detect-multiplier", _MULTIPLIER))
    return BfdSession(
        neighbour=peer["peer"],
        port=text.name(peer.get("interface", "")),
        state=_BFD[peer["status"]],
        interval_ms=interval,
        timeout_ms=interval * multiplier,
    )


def _ospf(neighbours: dict[str, Any]) -> tuple[int, int]:
    """Neighbours by router id; each a list, one entry per interface. `state` or `nbrState` is `Full/DR`."""
    states = [
        str(entry.get("nbrState", entry.get("state", "")))
        for entries in neighbours.values()
        for entry in (entries if isinstance(entries, list) else [entries])
        if isinstance(entry, dict)
    ]
    return sum(state.startswith("Full") for state in states), len(states)


def _bgp(families: dict[str, Any]) -> tuple[int, int]:
    groups = [part.get("peers") for part in families.values() if isinstance(part, dict)]
    peers = {
        address: peer
        for group in groups
        if isinstance(group, dict)
        for address, peer in group.items()
        if isinstance(peer, dict)
    }
    return sum(peer.get("state") == "Established" for peer in peers.values()), len(peers)


def protocols(running: list[str], found: Answers) -> list[Protocol]:
    """The daemons as protocols; one with sessions includes the number that is up."""
    return [
        Protocol(
            name=text.name(name),
            proto=text.name(name.removesuffix("d").upper() if name != "zebra" else "zebra"),
            state="up",
            info="{} of {} neighbours up".format(*found.sessions[name]) if name in found.sessions else "",
        )
        for name in running
    ]
