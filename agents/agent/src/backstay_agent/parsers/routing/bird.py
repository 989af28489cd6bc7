"""BIRD's replies on its control socket into wire values (BIRD 1.6 and 2.0: `show status`, `show protocols`,
`show bfd sessions`, `show route`). Codes: nest/reply codes in the daemon's doc/reply_codes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network
from typing import Literal, cast

from backstay_agent.parsers import text
from backstay_agent.parsers.routing.candidates import Candidate, Prefix
from backstay_wire import BfdSession, Protocol

_CODE = re.compile(r"(\d{4})[- ]?(.*)")
_VERSION, _PROTOCOL, _ROUTE, _BFD = "1000", "1002", "1007", "1020"
_COUNT = re.compile(r"(\d+) of \d+ routes")
_HOP = re.compile(r"\t(?:via (\S+)|dev (\S+))")
_TABLE = re.compile(r"Table \S+:|\s*")
# BIRD 2.0 prints hops on lines of their own; BIRD 1.6 prints a single hop in place of the type.
_ROW = re.compile(
    r"(?P<prefix>[0-9a-f.:]+/\d+)?\s+(?:via (?P<via>\S+) on \S+|dev (?P<port>\S+)|(?P<type>[a-z]+))"
    r" \[(?P<protocol>\S+) [^\]]*\](?: (?P<best>\*))?(?:.* \((?P<preference>\d+)(?:/[^)]*)?\))?"
)
_BFD_STATES = {"Up", "Down", "Init", "AdminDown"}
# The "since" column is a time, or a date and a time, by `timeformat protocol`.
_SINCE = re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}\S*)?|\d{2}:\d{2}\S*")


class BirdError(ValueError):
    """The daemon refused the command."""


def _coded(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(code, content) of each line; a line that starts with a space has the previous line's code."""
    code = ""
    for line in lines:
        if line.startswith(" "):
            yield code, line[1:]
            continue
        match = _CODE.fullmatch(line)
        if match is None:
            raise BirdError(f"line without a code: {text.text(line)}")
        code = match[1]
        if code >= "8000":
            raise BirdError(text.text(match[2]))
        yield code, match[2]


def version(lines: list[str]) -> str:
    """The version in a reply to `show status`; "" if missing. Raises BirdError."""
    for code, content in _coded(lines):
        if code == _VERSION:
            return text.text(content.removeprefix("BIRD").strip())
    return ""


def protocols(lines: list[str]) -> list[Protocol]:
    """The rows of `show protocols`: name, proto, table, state, since, info. Raises BirdError."""
    return [
        row
        for code, content in _coded(lines)
        if code == _PROTOCOL and (row := _protocol(content)) is not None
    ]


def _protocol(content: str) -> Protocol | None:
    head = content.split(None, 4)
    if len(head) < 4:
        return None
    name, proto, _, state = head[:4]
    rest = head[4] if len(head) > 4 else ""
    since = _SINCE.match(rest)
    info = rest[since.end() :].strip() if since else rest
    return Protocol(
        name=text.name(name), proto=text.name(proto), state=text.name(state), info=text.text(info)
    )


def bfd_sessions(lines: list[str], unparsed: list[str] | None = None) -> list[BfdSession]:
    """The rows of `show bfd sessions` of every BFD protocol: address, interface, state, since, interval,
    timeout (both in seconds). Without a BFD protocol there are no sessions.

    Raises BirdError, for an unreadable row only without `unparsed`; with it, the row is added there.
    """
    try:
        rows = [content for code, content in _coded(lines) if code == _BFD]
    except BirdError as error:
        if "no protocols match" in str(error).lower() or "no bfd" in str(error).lower():
            return []
        raise
    found: list[BfdSession] = []
    for row in rows:
        try:
            if (session := _bfd_session(row.split())) is not None:
                found.append(session)
        except ValueError:
            _set_aside(row, unparsed)
    return found


def _set_aside(row: str, unparsed: list[str] | None) -> None:
    if unparsed is None:
        raise BirdError(f"an unreadable row: {text.text(row)}")
    unparsed.append(text.text(row))


def _bfd_session(row: list[str]) -> BfdSession | None:
    """None for headings and the protocol's own line, which have no known state in the third column. Raises
    ValueError."""
    if len(row) < 6 or row[2] not in _BFD_STATES:
        return None
    return BfdSession(
        neighbour=row[0],
        port=text.name(row[1]),
        state=cast(Literal["Down", "Init", "Up", "AdminDown"], row[2]),
        interval_ms=float(row[-2]) * 1000,
        timeout_ms=float(row[-1]) * 1000,
    )


def destinations(lines: list[str]) -> int:
    """Number of routes in the reply to `show route count`; 0 without a count. Raises BirdError."""
    for _, content in _coded(lines):
        match = _COUNT.match(content)
        if match is not None:
            return int(match[1])
    return 0


def candidates(lines: list[str], unparsed: list[str] | None = None) -> list[Candidate]:
    """The rows of `show route` of every table: the best route of a prefix first, each with its hops below.

    A row is `PREFIX TYPE [protocol since] * (preference/metric)`; the prefix is printed only before the best
    one. A row of a kind that is not known is added to `unparsed`. Raises BirdError, for a row without a
    readable prefix only without `unparsed`; with it, the row is added there, and the others of its prefix
    follow it.
    """
    found: list[Candidate] = []
    prefix: Prefix | None = None
    hops: list[str] = []
    for code, content in _coded(lines):
        if code != _ROUTE:
            continue
        hop = _HOP.match(content)
        if hop is not None and found and prefix is not None:
            hops.append(hop[1] or hop[2])
            found[-1] = replace(found[-1], via=text.text(", ".join(hops)))
            continue
        row = _ROW.match(content)
        if row is None:
            if unparsed is not None and not _TABLE.fullmatch(content):
                unparsed.append(text.text(content))
            continue
        hops = []
        prefix = _prefix(row["prefix"]) if row["prefix"] else prefix
        if prefix is None:
            _set_aside(content, unparsed)
            continue
        found.append(
            Candidate(
                prefix=prefix,
                via=row["via"] or row["port"] or row["type"],
                source=text.name(row["protocol"]),
                preference=int(row["preference"] or 0),
                selected=row["best"] is not None,
            )
        )
    return found


def _prefix(printed: str) -> Prefix | None:
    try:
        return ip_network(printed)
    except ValueError:
        return None
