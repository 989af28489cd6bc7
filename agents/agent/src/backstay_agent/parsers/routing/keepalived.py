"""keepalived's data file (keepalived(8), SIGUSR1): its VRRP instances and their states (1.3 to 2.2)."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from backstay_agent.parsers import text
from backstay_wire import MetricValue, Protocol

_SECTION = re.compile(r"-+< (?P<name>[^>]+) >-+")
_PAIR = re.compile(r"\s*(?P<key>[^=]+?) = ?(?P<value>.*)")
_TOPOLOGY = "VRRP Topology"
_INSTANCE = "VRRP Instance"
_FAULTS = ("Number of config faults", "Number of interface and track script faults")
_STATES = {"INIT", "BACKUP", "MASTER", "FAULT"}
_INIT_NUMBER = "0"
"""Release 1.3 prints a state without a name as its number (VRRP_STATE_INIT of vrrp.h)."""


class KeepalivedError(ValueError):
    """The file was not written by keepalived."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One VRRP instance."""

    name: str
    port: str
    router_id: int
    state: str
    """`master`, `backup`, `fault` or `init`."""
    wanted: str
    """The state itself where keepalived does not print the wanted one (1.3.5)."""
    priority: int
    """The effective one, including tracked checks."""
    faults: int
    since_s: float
    """Last transition, seconds since the epoch."""
    group: str = ""


def instances(data: str) -> tuple[list[Instance], list[str]]:
    """The VRRP instances of a data file, in its order, and the unreadable ones. Raises KeepalivedError."""
    if _SECTION.search(data) is None:
        raise KeepalivedError("no section head in the file")
    found: list[dict[str, str]] = []
    section = ""
    for line in data.splitlines():
        if head := _SECTION.fullmatch(line.strip()):
            section = head["name"]
        elif section == _TOPOLOGY and (pair := _PAIR.fullmatch(line)):
            if pair["key"] == _INSTANCE:
                found.append({})
            if found:
                found[-1].setdefault(pair["key"], pair["value"].strip())
    known: list[Instance] = []
    unparsed: list[str] = []
    for values in found:
        try:
            known.append(_instance(values))
        except (KeyError, ValueError, IndexError) as error:
            unparsed.append(text.text(f"instance {values.get(_INSTANCE)}: {type(error).__name__} {error}"))
    return known, unparsed


def _instance(values: Mapping[str, str]) -> Instance:
    return Instance(
        name=text.name(values[_INSTANCE]),
        port=text.name(values.get("Interface", values.get("Listening device", ""))),
        router_id=int(values["Virtual Router ID"]),
        state=_state(values["State"]),
        wanted=_state(values.get("Wantstate", values["State"])),
        priority=int(values.get("Effective priority", values.get("Priority", "0"))),
        faults=sum(int(values.get(key, "0")) for key in _FAULTS),
        since_s=_seconds(values.get("Last transition", "0").split()[0]),
        group=values.get("Sync group", ""),
    )


def _seconds(token: str) -> float:
    """Raises ValueError, also for a number without end in a damaged file."""
    value = float(token)
    if not math.isfinite(value):
        raise ValueError(f"time {text.text(token[:32])}")
    return value


def _state(label: str) -> str:
    """Raises ValueError for a text that is no VRRP state."""
    if label == _INIT_NUMBER:
        return "init"
    if label not in _STATES:
        raise ValueError(f"state {text.text(label)}")
    return label.lower()


def protocols(found: list[Instance]) -> list[Protocol]:
    """The instances as protocols of the daemon."""
    return [
        Protocol(
            name=instance.name,
            proto="VRRP",
            state=instance.state,
            info=text.text(f"router {instance.router_id} on {instance.port}, priority {instance.priority}"),
        )
        for instance in found
    ]


def metrics(found: list[Instance], now_s: float) -> list[MetricValue]:
    """Every instance's metrics; `now_s` is the host's wall clock, seconds since the epoch."""
    result: list[MetricValue] = []
    for instance in found:
        result += [
            MetricValue(subject=instance.name, metric="vrrp.state", value=instance.state),
            MetricValue(subject=instance.name, metric="vrrp.wanted_state", value=instance.wanted),
            MetricValue(subject=instance.name, metric="vrrp.priority", value=instance.priority),
            MetricValue(subject=instance.name, metric="vrrp.faults", value=instance.faults),
        ]
        if instance.since_s:
            age = round(max(0.0, now_s - instance.since_s), 1)
            result.append(MetricValue(subject=instance.name, metric="vrrp.seconds_in_state", value=age))
    return result
