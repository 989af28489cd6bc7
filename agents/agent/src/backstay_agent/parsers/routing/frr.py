"""FRR's replies: text of `show version`, JSON of the rest (FRR 8.4).

Several JSON replies follow one another without a separator; each is recognised by its shape.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_network
from typing import Any, Literal

from backstay_agent.parsers import text
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_wire import BfdSession, Protocol

_BFD: Mapping[str, Literal["Down", "Init", "Up", "AdminDown"]] = {
    "up": "Up",
    "down": "Down",
    "init": "Init",
    "shutdown": "AdminDown",
}
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


def version(output: str) -> str:
    """`8.4.4` of the first line of `show version`; "" if missing."""
    tokens = output.split("\n", 1)[0].split()
    return text.text(tokens[1]) if len(tokens) > 1 and tokens[0] == "FRRouting" else ""


def answers(output: str) -> Answers:
    """Every JSON answer in the output. Raises FrrError."""
    found = Answers()
    for value in _documents(output):
        if isinstance(value, list):
            found.bfd += [_bfd_session(peer) for peer in value]
        elif "neighbors" in value:
            found.sessions["ospfd"] = _ospf(value["neighbors"])
        elif any(isinstance(part, dict) and "peers" in part for part in value.values()):
            found.sessions["bgpd"] = _bgp(value)
        else:
            found.candidates += [_candidate(route) for routes in value.values() for route in routes]
    return found


def _documents(output: str) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    place = 0
    while (place := _next(output, place)) < len(output):
        try:
            value, place = decoder.raw_decode(output, place)
        except ValueError as error:
            raise FrrError(f"broken JSON after {place} characters: {error}") from error
        yield value


def _next(output: str, place: int) -> int:
    starts = [at for at in (output.find("{", place), output.find("[", place)) if at >= 0]
    return min(starts, default=len(output))


def _candidate(route: dict[str, Any]) -> Candidate:
    try:
        hops = route.get("nexthops", [])
        return Candidate(
            prefix=ip_network(route["prefix"]),
            via=", ".join(_via(hop) for hop in hops) or "nowhere",
            source=text.name(route["protocol"]),
            preference=int(route["distance"]),
            selected=bool(route.get("selected")),
            usable=any(hop.get("active") for hop in hops),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FrrError(f"unreadable route: {type(error).__name__} {error}") from error


def _via(hop: dict[str, Any]) -> str:
    return str(hop.get("ip") or hop.get("interfaceName") or "unreachable")


def _bfd_session(peer: dict[str, Any]) -> BfdSession:
    try:
        interval = float(max(peer["receive-interval"], peer.get("remote-transmit-interval", 0)))
        return BfdSession(
            neighbour=peer["peer"],
            port=text.name(peer.get("interface", "")),
            state=_BFD[peer["status"]],
            interval_ms=interval,
            timeout_ms=interval * peer.get("remote-detect-multiplier", peer["detect-multiplier"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FrrError(f"unreadable BFD peer: {type(error).__name__} {error}") from error


def _ospf(neighbours: dict[str, Any]) -> tuple[int, int]:
    """Neighbours by router id; each a list, one entry per interface. `state` or `nbrState` is `Full/DR`."""
    states = [
        str(entry.get("nbrState", entry.get("state", "")))
        for entries in neighbours.values()
        for entry in (entries if isinstance(entries, list) else [entries])
    ]
    return sum(state.startswith("Full") for state in states), len(states)


def _bgp(families: dict[str, Any]) -> tuple[int, int]:
    peers = {
        address: peer
        for part in families.values()
        if isinstance(part, dict)
        for address, peer in part.get("peers", {}).items()
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
