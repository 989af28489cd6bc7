"""A failover policy as a person wants it, and everything that is wrong with the wish, field by field. Pure.

Whether it is wise is the planner's to judge; here it only has to make sense.
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
"""What every engine's configuration takes as part of a name and of a comment."""
FieldError = tuple[str, str]
"""(field, sentence with the next step)."""


@dataclass(frozen=True, slots=True)
class PolicySpec:
    """As the public API's `PolicyIn`; groups, stripes and return paths as the policy's columns hold them."""

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
        """Whom it is for."""
        return intents.group(self.nodes)

    def all_gateways(self) -> list[str]:
        """In order; a stripe's as they stand there."""
        return self.gateways if self.stripe is None else list(self.stripe["gateways"])

    def columns(self) -> dict[str, Any]:
        """Column -> value of `FailoverPolicy`, but for its site, name and origin. After `mistakes` only."""
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
    """Field -> what is wrong and what to do; empty: the wish makes sense.

    `taken` are the names of the site's other policies. A policy that exists may be for no node at all: that
    is how it is taken back from nodes that have it.
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
        yield "name", "Name it with up to 50 letters, digits, - and _, a letter or digit first."
    elif spec.name in taken:
        yield "name", f"There is a policy {spec.name} already: choose another name."


def _network(text: str) -> Prefix | str:
    """The network; or what is wrong with it."""
    try:
        return ip_network(text)
    except ValueError:
        pass
    try:
        return f"{text} has host bits set: write {ip_network(text, strict=False)}."
    except ValueError:
        return f"{text!r} is no prefix: write one such as 0.0.0.0/0, 10.1.0.0/16 or 2001:db8::/32."


def _within(text: str | None, prefix: Prefix) -> str | None:
    """What is wrong with a target of this prefix."""
    if text is None:
        return None
    try:
        address = ip_address(text)
    except ValueError:
        return f"{text!r} is no address: write one inside {prefix}."
    if address not in prefix:
        return f"{address} is not inside {prefix}: probes to it would say nothing about that prefix."
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
        yield "nodes.number_to", f"Numbers {low} to {high} are none: the first must not be above the last."
    names = [node.name for node in topology.nodes.values()]
    idle = [
        pattern
        for pattern in spec.nodes.get("names", ())
        if not any(fnmatchcase(name, pattern) for name in names)
    ]
    if idle:
        yield "nodes.names", f"No node is called {listing(idle)}: look the names up under Devices."
    group = spec.group()
    if group == Group():
        if new:
            yield "nodes", "Say which nodes: by name or pattern, role, number range or label."
    elif not select(topology, group):
        yield "nodes", "No node fits all parts of the group: leave one part out or correct it."


def _unknown(field: str, wanted: list[str], names: Collection[str]) -> Iterator[FieldError]:
    missing = [name for name in wanted if name not in names]
    if missing:
        yield field, f"The site has no node {listing(missing)}: look the names up under Devices."
    twice = sorted({name for name in wanted if wanted.count(name) > 1})
    if twice:
        yield field, f"{listing(twice)} stands there twice: name each once."
    if len(wanted) > MOST_GATEWAYS:
        yield field, f"{len(wanted)} are too many: name at most {MOST_GATEWAYS}."


def _gateways(spec: PolicySpec, names: Collection[str]) -> Iterator[FieldError]:
    if spec.stripe is not None:
        if spec.gateways:
            yield "gateways", "A stripe has its own gateways: leave this list empty, or take the stripe away."
        return
    if not spec.gateways:
        yield "gateways", "Name at least one gateway, the preferred one first."
    yield from _unknown("gateways", spec.gateways, names)


def _stripe(spec: PolicySpec, topology: Topology, names: Collection[str]) -> Iterator[FieldError]:
    stripe = spec.stripe
    if stripe is None:
        return
    gateways = stripe["gateways"]
    yield from _unknown("stripe.gateways", gateways, names)
    if len(gateways) < 2:
        yield "stripe.gateways", "A stripe needs at least two gateways: with one, name it as the gateway."
    if stripe["backups"] > len(gateways) - 1:
        yield "stripe.backups", f"{len(gateways)} gateways leave at most {max(len(gateways) - 1, 0)} backups."
    strange = sorted(set(stripe["weights"]) - set(gateways))
    if strange:
        yield "stripe.weights", f"{listing(strange)} is no gateway of this stripe: take its weight away."
    if any(not 0 < weight < 1e9 for weight in stripe["weights"].values()):
        yield "stripe.weights", "A weight is above 0: leave a gateway out that shall have no node."
    label = stripe["by_label"]
    if label and not any(label == key for node in topology.nodes.values() for key, _ in node.labels):
        yield "stripe.by_label", f"No node carries a label {label!r}: correct it or leave it empty."


def _return_path(spec: PolicySpec, names: Collection[str]) -> Iterator[FieldError]:
    back = spec.return_path
    if back is None:
        return
    if not back["routers"]:
        yield "return_path.routers", "Name the routers that route back, or take the return path away."
    yield from _unknown("return_path.routers", back["routers"], names)
    prefix = _network(back["prefix"])
    if isinstance(prefix, str):
        yield "return_path.prefix", prefix
        return
    wrong = _within(back.get("target"), prefix)
    if wrong is not None:
        yield "return_path.target", wrong
