"""`lnetctl net show -v` and `lnetctl route show -v` in YAML (lnetctl(8), Lustre 2.12 and later)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from backstay_agent.parsers import text
from backstay_wire import MetricValue

_COUNTERS = {
    "lnet.sent": "send_count",
    "lnet.received": "recv_count",
    "lnet.dropped": "drop_count",
}


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class LnetError(ValueError):
    """The text is not output of lnetctl."""


@dataclass(frozen=True, slots=True)
class Lnet:
    """Levels and states, and the counters by subject and metric."""

    metrics: list[MetricValue]
    counters: dict[tuple[str, str], int]


def nets(output: str) -> Lnet:
    """Reply to `net show -v`: state, health and message counts of each local NID. Raises LnetError.

    The loopback's NID (`0@lo`) is left out.
    """
    metrics: list[MetricValue] = []
    counters: dict[tuple[str, str], int] = {}
    for net in _entries(output, "net"):
        for interface in _list(net, "local NI(s)"):
            subject = _text(interface, "nid")
            if subject.endswith("@lo"):
                continue
            metrics.append(
                MetricValue(subject=subject, metric="lnet.ni_state", value=_text(interface, "status"))
            )
            health = _map(interface, "health stats").get("health value")
            if isinstance(health, int):
                metrics.append(MetricValue(subject=subject, metric="lnet.health", value=health))
            statistics = _map(interface, "statistics")
            for metric, key in _COUNTERS.items():
                if isinstance(statistics.get(key), int):
                    counters[subject, metric] = statistics[key]
    return Lnet(metrics, counters)


def routes(output: str) -> list[MetricValue]:
    """Reply to `route show -v`: state, priority and hops of each route. Raises LnetError."""
    metrics: list[MetricValue] = []
    for route in _entries(output, "route"):
        subject = text.name(f"{_text(route, 'net')} via {_text(route, 'gateway')}")
        if "state" in route:
            metrics.append(
                MetricValue(subject=subject, metric="lnet.route_state", value=_text(route, "state"))
            )
        for metric, key in (("lnet.route_priority", "priority"), ("lnet.route_hops", "hop")):
            if isinstance(route.get(key), int):
                metrics.append(MetricValue(subject=subject, metric=metric, value=_hops(route[key])))
    return metrics


def _hops(value: int) -> int:
    """Older releases print -1 as an unsigned number of 32 bits."""
    return -1 if value == (1 << 32) - 1 else value


def _entries(output: str, name: str) -> Iterator[Mapping[str, Any]]:
    """The items of the reply's list; an empty reply has none."""
    try:
        document = yaml.load(output, Loader=_LOADER)  # noqa: S506 - it is the safe one, compiled where it can be
    except yaml.YAMLError as error:
        raise LnetError(f"not YAML: {text.text(str(error))}") from error
    if document is None:
        return
    if not isinstance(document, dict) or name not in document:
        raise LnetError(f"no {name} in: {text.text(output[:200])}")
    yield from _list(document, name)


def _list(value: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    items = value.get(key) or []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise LnetError(f"{key} is not a list")
    return items


def _map(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _text(value: Mapping[str, Any], key: str) -> str:
    if key not in value:
        raise LnetError(f"an entry without {key}")
    if isinstance(value[key], dict | list):
        raise LnetError(f"{key} is not text")
    return str(value[key])[:120]
