"""An n x n mesh in both directions: the host with a slow row or column is the suspect.

A row holds the rates that a host sends, a column those that it receives. A slow row indicates a problem of
the sending side, a slow column of the receiving side, both of the host. A single slow cell indicates a
problem of the path between two hosts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Literal

from backstay.core.formatting import listing, rate, share

SLOW = 0.75
"""A cell is slow below this share of the grid's median."""
_MOST = 0.7
"""Minimum share of slow cells in the line of a suspect host."""
_LEAST_HOSTS = 3

Side = Literal["sends", "receives", "both", "path"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A suspect host or path."""

    host: str
    side: Side
    """What the host does slowly; `path` is between `host` and `peer`."""
    rate: float
    """Median of the slow cells, bit/s."""
    peer: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class GridVerdict:
    usual: float
    """Median of all cells, bit/s."""
    suspects: tuple[Suspect, ...]
    sentence: str


def judge_grid(rates: Mapping[tuple[str, str], float | None]) -> GridVerdict:
    """`rates` maps (sender, receiver) to bit/s; None or absent: not measured; 0: nothing arrived."""
    known = {pair: one for pair, one in rates.items() if one is not None and pair[0] != pair[1]}
    hosts = sorted({host for pair in known for host in pair})
    if len(hosts) < _LEAST_HOSTS:
        return GridVerdict(0.0, (), f"Inconclusive: {len(hosts)} hosts; a pattern needs {_LEAST_HOSTS}.")
    usual = _usual(known, hosts)
    slow = {pair for pair, one in known.items() if one < SLOW * usual}
    suspects, left = _hosts(known, hosts, slow)
    suspects += [_path(pair, known[pair], usual) for pair in sorted(left)]
    text = " ".join(one.sentence for one in suspects)
    return GridVerdict(
        usual, tuple(suspects), text or f"Even: {rate(usual)} between any two hosts; no slow cell."
    )


def _usual(known: Mapping[tuple[str, str], float], hosts: list[str]) -> float:
    """Median over hosts of each host's better half of cells, so that one bad host does not lower it."""
    best = [median(sorted(_line(known, host), reverse=True)[: max(len(hosts) // 2, 1)]) for host in hosts]
    return median(best)


def _line(known: Mapping[tuple[str, str], float], host: str) -> list[float]:
    return [one for pair, one in known.items() if host in pair]


def _hosts(
    known: Mapping[tuple[str, str], float], hosts: list[str], slow: set[tuple[str, str]]
) -> tuple[list[Suspect], set[tuple[str, str]]]:
    """Suspect hosts, the worst first, and the slow cells that they do not explain."""
    suspects: list[Suspect] = []
    left = set(slow)
    while left:
        found = max(
            ((_part(known, left, host, end), host, end) for host in hosts for end in (0, 1)),
            default=(0.0, "", 0),
        )
        part, host, end = found
        if part < _MOST or sum(pair[end] == host for pair in left) < 2:
            break
        mine = {pair for pair in left if pair[end] == host}
        both = _part(known, left, host, 1 - end) >= _MOST
        if both:
            mine |= {pair for pair in left if pair[1 - end] == host}
        side: Side = "both" if both else "sends" if end == 0 else "receives"
        suspects.append(_suspect(host, side, [known[pair] for pair in mine]))
        left -= mine
    return suspects, left


def _part(known: Mapping[tuple[str, str], float], slow: set[tuple[str, str]], host: str, end: int) -> float:
    """Share of a host's cells that are slow and not yet explained."""
    line = [pair for pair in known if pair[end] == host]
    return sum(pair in slow for pair in line) / len(line) if line else 0.0


def _suspect(host: str, side: Side, rates: list[float]) -> Suspect:
    level = median(rates)
    what = {"sends": "sends", "receives": "receives", "both": "sends and receives", "path": ""}[side]
    text = f"{host} {what} at {rate(level)} in {len(rates)} cells: check {host}, not the paths."
    return Suspect(host, side, level, sentence=text)


def _path(pair: tuple[str, str], measured: float, usual: float) -> Suspect:
    part = share(measured / usual)
    text = f"{listing(list(pair))}: {rate(measured)} from the first to the second, {part} of usual."
    return Suspect(pair[0], "path", measured, pair[1], text)
