"""Saved output of keepalived, LNet and iperf3."""

import re
from collections.abc import Mapping

from backstay_agent.parsers import iperf3, lnet
from backstay_agent.parsers.routing import keepalived
from backstay_agent.parsers.saved_output import Found, Kind, kind
from backstay_wire import MetricValue


def _keepalived(output: str) -> Found:
    return {"instances": keepalived.instances(output)}, []


def _lnet(output: str) -> Found:
    """One reply, or both in sequence."""
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
    "keepalived": kind("keepalived: the data file after SIGUSR1", r"-+< VRRP Topology >-+", _keepalived),
    "lnet": kind("LNet: lnetctl net show -v, lnetctl route show -v", r"^(?:net|route):\s*$", _lnet),
    "iperf3": kind(
        "iperf3 --json",
        r'\A\s*\{[\s\S]*"(?:version":\s*"iperf 3|intervals"|cpu_utilization_percent")|\A\s*\{\s*"error":',
        _iperf3,
        one_line=True,
    ),
}
