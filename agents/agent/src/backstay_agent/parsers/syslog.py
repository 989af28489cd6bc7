"""Syslog lines (RFC 3164, RFC 5424) into notices: severity, type if known, and the line."""

import re
from dataclasses import dataclass
from typing import Literal

from backstay_agent.parsers import text

Severity = Literal["ok", "warning", "critical"]

_PRIORITY = re.compile(r"<(\d{1,3})>(1 )?")
_HIGHEST = 191
_5424 = re.compile(r"\S+ \S+ (?P<app>\S+) \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+) ?")
_3164 = re.compile(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ ")
_BOM = "\ufeff"
_SEVERITY: tuple[Severity, ...] = ("critical",) * 4 + ("warning",) + ("ok",) * 3

# Messages with a name of their own. The GRF's console spells it so.
_KNOWN: tuple[tuple[re.Pattern[str], str, Severity], ...] = (
    (re.compile(r"\[[RT]X\] Switch Rec[ie]{2}ve Error"), "switch_receive_error", "critical"),
    (re.compile(r"\bgated\b.*\b(?:terminat|exit|abort|died)", re.IGNORECASE), "gated_down", "critical"),
    (
        re.compile(r"\b(?:interface|port|link) (?P<subject>[\w./-]+)[:,]? .{0,60}?\bdown\b", re.IGNORECASE),
        "link_down",
        "critical",
    ),
    (re.compile(r"\b(?P<subject>[\w./-]+): Link is Down\b", re.IGNORECASE), "link_down", "critical"),
    (re.compile(r"\b(?P<subject>[\w./-]+): Link is Up\b", re.IGNORECASE), "link_up", "ok"),
    (re.compile(r"\bOpenSM\b.*\b(?:SUBNET UP|MASTER)\b"), "sm_up", "ok"),
)


@dataclass(frozen=True, slots=True)
class SyslogLine:
    """One syslog message."""

    name: str
    severity: Severity
    subject: str
    text: str


def parse(data: bytes) -> SyslogLine:
    """Parse a datagram. One without a priority is user.notice (RFC 3164, section 4.3.3)."""
    line = text.from_octets(data.rstrip(b"\r\n\0")[:4096])
    severity: Severity = "ok"
    found = _PRIORITY.match(line)
    if found is not None and int(found[1]) <= _HIGHEST:
        severity = _SEVERITY[int(found[1]) % 8]
        line = line[found.end() :]
        head = (_5424 if found[2] else _3164).match(line)
        if head is not None:
            app = head.groupdict().get("app", "-") or "-"
            line = (f"{app}: " if app != "-" else "") + line[head.end() :].removeprefix(_BOM)
    for pattern, name, known in _KNOWN:
        match = pattern.search(line[:1024])
        if match is not None:
            return SyslogLine(name, known, match.groupdict().get("subject", "") or "", text.text(line))
    return SyslogLine("other", severity, "", text.text(line))
