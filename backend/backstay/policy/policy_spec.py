"""Specification of a failover policy and its validation by field. Pure.

This checks consistency; the planner checks the effect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from ipaddress import ip_address, ip_network
from typing import Any

from backstay.core.formatting import listing
from backstay.core.model.policy import Group
from backstay.core.model.routing import Prefix
from backstay.core.model.topology import Topology
from backstay.core.planning.groups import select
from backstay.policy import intents

MOST_GATEWAYS = 16
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,49}")
"""Valid in names and comments of every engine's configuration."""
FieldError = tuple[str, str]
"""(field, message with the next step)."""


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """The API's `PolicyIn`; group, stripe and return path in column format."""

    name: str
    nodes: dict[str, Any]
    prefix: str
    gateways: list[str]
    stripe: dict[str, Any] | None
    detection: str
    timers: dict[str, Any]
    target: str | None
    return_path: dict[str, Any] | None
    note: str

    def group(self) -> Group:
        """Member selection."""
        return intents.group(self.nodes)

    def all_gateways(self) -> list[str]:
        """Gateways in order, or those of the stripe."""
        return self.gateways if self.stripe is None else list(self.stripe["gateways"])

    def columns(self) -> dict[str, Any]:
        """Column -> value of `FailoverPolicy` without site, name and origin; only after `validate`."""
        back = self.return_path
        return {
            "prefix": str(ip_network(self.prefix)),
            "detection": self.detection,
            "target": self.target,
            "probe_interval_ms": self.timers["interval_ms"],
            "note": self.note,
            "group": self.nodes,
            "timers": self.timers,
            "stripe": self.stripe,
            "return_path": None if back is None else {**back, "prefix": str(ip_network(back["prefix"]))},
        }


def validate(spec: PolicySpec, topology: Topology, taken: Collection[str], *, new: bool) -> dict[str, str]:
    """Field -> error with the next step; empty: valid.

    `taken`: names of the site's other policies. An existing policy may have no members: that withdraws it
    from its nodes.
    """
    names = frozenset(node.name for node in topology.nodes.values())
    found = [*_name(spec, taken), *_prefix(spec), *_nodes(spec, topology, new)]
    found += [*_gateways(spec, names), *_stripe(spec, topology, names), *_return_path(spec, names)]
    wrong: dict[str, str] = {}
    for field, text in found:
        wrong.setdefault(field, text)
    return wrong


def _name(spec: PolicySpec, taken: Collection[str]) -> Iterator[FieldError]:
    if _NAME.fullmatch(spec.name) is None:
        yield "name", "Use up to 50 letters, digits, - and _; start with a letter or digit."
    elif spec.name in taken:
        yield "name", f"A policy {spec.name} already exists: choose another name."


def _network(text: str) -> Prefix | str:
    """The network, or the error."""
    try:
        return ip_network(text)
    except ValueError:
        pass
    try:
        return f"{text} has host bits set: write {ip_network(text, strict=False)}."
    except ValueError:
        return f"{text!r} is not a prefix: use a format such as 0.0.0.0/0, 10.1.0.0/16 or 2001:db8::/32."


def _within(text: str | None, prefix: Prefix) -> str | None:
    """The error of a target for this prefix."""
    if text is None:
        return None
    try:
        address = ip_address(text)
    except ValueError:
        return f"{text!r} is not an address: use one inside {prefix}."
    if address not in prefix:
        return f"{address} is not inside {prefix}: probes to it do not test that prefix."
    return None


def _prefix(spec: PolicySpec) -> Iterator[FieldError]:
    prefix = _network(spec.prefix)
    if isinstance(prefix, str):
        yield "prefix", prefix
        return
    wrong = _within(spec.target, prefix)
    if wrong is not None:
        yield "target", wrong


def _nodes(spec: PolicySpec, topology: Topology, new: bool) -> Iterator[FieldError]:
    low, high = spec.nodes.get("number_from"), spec.nodes.get("number_to")
    if low is not None and high is not None and low > high:
        yield (
            "nodes.number_to",
            f"The range {low} to {high} is empty: the first number must not exceed the last.",
        )
    names = [node.name for node in topology.nodes.values()]
    idle = [
        pattern
        for pattern in spec.nodes.get("names", ())
        if not any(fnmatchcase(name, pattern) for name in names)
    ]
    if idle:
        yield "nodes.names", f"No node matches {listing(idle)}: see Devices for the names."
    group = spec.group()
    if group == Group():
        if new:
            yield "nodes", "Select nodes by name or pattern, role, number range or label."
    elif not select(topology, group):
        yield "nodes", "No node matches all criteria of the group: remove or correct one."


def _unknown(field: str, wanted: list[str], names: Collection[str]) -> Iterator[FieldError]:
    missing = [name for name in wanted if name not in names]
    if missing:
        yield field, f"The site has no node {listing(missing)}: see Devices for the names."
    twice = sorted({name for name in wanted if wanted.count(name) > 1})
    if twice:
        yield field, f"{listing(twice)} is listed twice: list every node once."
    if len(wanted) > MOST_GATEWAYS:
        yield field, f"{len(wanted)} is too many: at most {MOST_GATEWAYS}."


def _gateways(spec: PolicySpec, names: Collection[str]) -> Iterator[FieldError]:
    if spec.stripe is not None:
        if spec.gateways:
            yield "gateways", "A stripe has its own gateways: leave this list empty, or remove the stripe."
        return
    if not spec.gateways:
        yield "gateways", "Enter at least one gateway, the preferred one first."
    yield from _unknown("gateways", spec.gateways, names)


def _stripe(spec: PolicySpec, topology: Topology, names: Collection[str]) -> Iterator[FieldError]:
    stripe = spec.stripe
    if stripe is None:
        return
    gateways = stripe["gateways"]
    yield from _unknown("stripe.gateways", gateways, names)
    if len(gateways) < 2:
        yield "stripe.gateways", "A stripe needs at least two gateways: for one, use the gateway list."
    if stripe["backups"] > len(gateways) - 1:
        yield "stripe.backups", f"{len(gateways)} gateways leave at most {max(len(gateways) - 1, 0)} backups."
    strange = sorted(set(stripe["weights"]) - set(gateways))
    if strange:
        yield "stripe.weights", f"{listing(strange)} is not a gateway of this stripe: remove its weight."
    if any(not 0 < weight < 1e9 for weight in stripe["weights"].values()):
        yield "stripe.weights", "A weight must be above 0: remove a gateway that should serve no node."
    label = stripe["by_label"]
    if label and not any(label == key for node in topology.nodes.values() for key, _ in node.labels):
        yield "stripe.by_label", f"No node has the label {label!r}: correct it or leave it empty."


def _return_path(spec: PolicySpec, names: Collection[str]) -> Iterator[FieldError]:
    back = spec.return_path
    if back is None:
        return
    if not back["routers"]:
        yield "return_path.routers", "Enter the routers of the return path, or remove the return path."
    yield from _unknown("return_path.routers", back["routers"], names)
    prefix = _network(back["prefix"])
    if isinstance(prefix, str):
        yield "return_path.prefix", prefix
        return
    wrong = _within(back.get("target"), prefix)
    if wrong is not None:
        yield "return_path.target", wrong
