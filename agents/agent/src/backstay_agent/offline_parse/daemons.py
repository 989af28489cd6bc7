"""Kinds of routing and service daemons, and of measurements: FRR, BIRD, gated, keepalived, LNet, iperf3."""

import re
from collections.abc import Mapping

from backstay_agent.offline_parse.kind import Found, Kind, kind
from backstay_agent.parsers import iperf3, lnet
from backstay_agent.parsers.routing import bird, candidates, frr, frr_text, gated, keepalived
from backstay_agent.parsers.routing.candidates import Candidate
from backstay_wire import MetricValue

_CODE = re.compile(r"(\d{4})[- ]?.*")
_BIRD_KNOWN = frozenset(
    ("0000", "0001", "0013", "0014", "0015", "1000", "1002", "1007", "1008", "1011", "1020", "2002")
)
"""Replies of BIRD that are read, or say nothing: done, ready, status, counts, headings."""


def _choices(found: list[Candidate]) -> dict[str, object]:
    return {"candidates": found, "figures": candidates.figures(found)}


def _frr(output: str) -> Found:
    found = frr.answers(output)
    refused = [line for line in output.splitlines() if line.startswith("%")]
    sessions = {
        name: {"established": up, "configured": known} for name, (up, known) in found.sessions.items()
    }
    return {**_choices(found.candidates), "bfd": found.bfd, "sessions": sessions}, refused


def _frr_routes(output: str) -> Found:
    found, unparsed = frr_text.routes(output)
    return _choices(found), unparsed


def _frr_ports(output: str) -> Found:
    return {"ports": frr_text.ports(output)}, []


def _frr_version(output: str) -> Found:
    return {"version": frr.version(output)}, []


def _bird(output: str) -> Found:
    lines = [line for line in output.splitlines() if line.strip()]
    code, unparsed = "", list[str]()
    for line in lines:
        code = match[1] if (match := _CODE.fullmatch(line)) else code
        if code not in _BIRD_KNOWN:
            unparsed.append(line)
    answers = {
        "version": bird.version(lines),
        "protocols": bird.protocols(lines),
        "bfd": bird.bfd_sessions(lines),
        **_choices(bird.candidates(lines)),
    }
    return {name: value for name, value in answers.items() if value}, unparsed


def _gated(output: str) -> Found:
    found = gated.table(output)
    return _choices(found.candidates), found.unparsed


def _keepalived(output: str) -> Found:
    return {"instances": keepalived.instances(output)}, []


def _lnet(output: str) -> Found:
    """One answer or both, one after the other."""
    figures: list[MetricValue] = []
    for part in re.split(r"^(?=(?:net|route):)", output, flags=re.MULTILINE):
        if part.startswith("route:"):
            figures += lnet.routes(part)
        elif part.strip():
            found = lnet.nets(part)
            counters = found.counters.items()
            figures += found.figures
            figures += [
                MetricValue(subject=who, metric=metric, value=value) for (who, metric), value in counters
            ]
    return {"figures": figures}, []


def _iperf3(output: str) -> Found:
    found, unparsed = iperf3.result(output)
    return {"result": found}, unparsed


KINDS: Mapping[str, Kind] = {
    "frr": kind(
        "FRR: show ip route json, show bfd peers json, show ip ospf neighbor json, show bgp summary json",
        r'"(?:internalFlags|receive-interval|nbrState|nbrPriority|peerCount|dynamicPeers)":',
        _frr,
        one_line=True,
    ),
    "frr-ports": kind(
        "FRR: show interface json", r'\A\s*\{[\s\S]*"administrativeStatus"', _frr_ports, one_line=True
    ),
    "frr-routes": kind("FRR: show ip route", r"^Codes: K - kernel route", _frr_routes),
    "frr-version": kind("FRR: show version", r"\AFRRouting \d", _frr_version),
    "bird": kind(
        "BIRD: birdc -v show status, protocols, bfd sessions, route",
        r"\A(?:0001|0013|0014|1000|1002|1007|1008|1020|2002)[- ]",
        _bird,
    ),
    "gated": kind("gated: gdc dump", r"^\t\+ = Active Route", _gated),
    "keepalived": kind("keepalived: the data file after SIGUSR1", r"-+< VRRP Topology >-+", _keepalived),
    "lnet": kind("LNet: lnetctl net show -v, lnetctl route show -v", r"^(?:net|route):\s*$", _lnet),
    "iperf3": kind(
        "iperf3 --json",
        r'\A\s*\{[\s\S]*"(?:version":\s*"iperf 3|intervals"|cpu_utilization_percent")|\A\s*\{\s*"error":',
        _iperf3,
        one_line=True,
    ),
}
