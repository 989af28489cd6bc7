"""Overrides of a rule's parameters, severity and enablement for a part of a site, and which of them apply.

The most specific override wins: one port before a label, a role, a fabric, and the whole site; each value is
resolved by itself. Of two overrides of the same scope that apply to one object, such as two labels of a
node or the two ends of a link, the one whose match comes first in the alphabet wins. An override of a site
has no match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from backstay.core.alerting.rule_parameters import RuleParameter, Values, defaults
from backstay.core.model.topology import Link, Topology

OverrideScope = Literal["site", "fabric", "role", "label", "port"]
OVERRIDE_SCOPES: tuple[OverrideScope, ...] = get_args(OverrideScope)
"""From the least to the most specific."""
RuleObject = Literal["link", "port", "node", "site"]
"""What the incidents of a rule are about. Rules about policies, circuits and the whole site take overrides
of the site only."""
MATCHES: Mapping[OverrideScope, str] = {
    "site": "nothing: it applies to the whole site",
    "fabric": "the name of a fabric",
    "role": "the role of nodes",
    "label": "a label of nodes and its value, `rack=a1`",
    "port": "a port, `grf1:ga030`",
}
SEVERITIES = ("warning", "critical")


@dataclass(frozen=True, slots=True)
class ScopedOverride:
    """One override; None and missing parameters leave the less specific value."""

    scope: OverrideScope
    match: str = ""
    enabled: bool | None = None
    severity: str | None = None
    parameters: Values = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`role compute`, `port grf1:ga030`; of the site: `site`."""
        return f"{self.scope} {self.match}".rstrip()

    @property
    def key(self) -> tuple[int, str]:
        """Ascending from the most to the least specific."""
        return -OVERRIDE_SCOPES.index(self.scope), self.match


@dataclass(frozen=True, slots=True)
class OverrideTarget:
    """What an override may match of one object: both ends of a link, one port, or one node."""

    fabrics: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    ports: frozenset[str] = frozenset()

    def matches(self, override: ScopedOverride) -> bool:
        """Whether an override applies to the object."""
        known = {"fabric": self.fabrics, "role": self.roles, "label": self.labels, "port": self.ports}
        return override.scope == "site" or override.match in known[override.scope]


@dataclass(frozen=True, slots=True)
class EffectiveValue:
    """A value and where it comes from; `source` None: the rule's default."""

    value: float | str | bool
    source: ScopedOverride | None
    ties: tuple[ScopedOverride, ...] = ()
    """Overrides of the same scope that apply too and set another value, and lose by the alphabet."""


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    """What applies to one object."""

    enabled: EffectiveValue
    severity: EffectiveValue
    parameters: Mapping[str, EffectiveValue]


@dataclass(frozen=True, slots=True)
class RuleDefaults:
    """What applies without overrides; `severity` "": each finding has its own."""

    parameters: Sequence[RuleParameter] = ()
    severity: str = ""
    enabled: bool = True


def effective_settings(
    rule: RuleDefaults, overrides: Iterable[ScopedOverride], target: OverrideTarget
) -> EffectiveSettings:
    """The settings of an object, each with its source."""
    mine = sorted((item for item in overrides if target.matches(item)), key=lambda item: item.key)
    return EffectiveSettings(
        _effective(rule.enabled, [(item, item.enabled) for item in mine]),
        _effective(rule.severity, [(item, item.severity) for item in mine]),
        {
            spec.name: _effective(spec.default, [(item, item.parameters.get(spec.name)) for item in mine])
            for spec in rule.parameters
        },
    )


def _effective(
    default: float | str | bool, given: Sequence[tuple[ScopedOverride, float | str | bool | None]]
) -> EffectiveValue:
    known = [(item, value) for item, value in given if value is not None]
    if not known:
        return EffectiveValue(default, None)
    (source, value), *others = known
    ties = tuple(item for item, other in others if item.scope == source.scope and other != value)
    return EffectiveValue(value, source, ties)


class TargetIndex:
    """Which links, nodes and ports of a topology an override applies to, as positions in arrays."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self.ids: dict[RuleObject, NDArray[np.int64]] = {
            "link": np.array(list(topology.links), np.int64),
            "node": np.array(list(topology.nodes), np.int64),
            "port": np.array(list(topology.ports), np.int64),
        }
        self.place: dict[RuleObject, dict[int, int]] = {
            kind: {ident: place for place, ident in enumerate(ids.tolist())} for kind, ids in self.ids.items()
        }
        self._known: dict[tuple[RuleObject, OverrideScope], dict[str, NDArray[np.int64]]] = {}

    def target(self, kind: RuleObject, ident: int | None) -> OverrideTarget:
        """Of a link, node or port; of an unknown one, only overrides of the site apply."""
        if kind == "site" or ident is None or ident not in self.place[kind]:
            return OverrideTarget()
        topology = self._topology
        if kind == "node":
            ports = topology.node_ports.get(ident, ())
            return _target(topology, [ident], [], [port.fabric_id for port in ports])
        if kind == "link":
            link = topology.links[ident]
            ends = _ends(link)
            return _target(topology, [topology.ports[end].node_id for end in ends], ends, [link.fabric_id])
        port = topology.ports[ident]
        return _target(topology, [port.node_id], [ident], [port.fabric_id])

    def places(self, kind: RuleObject, override: ScopedOverride) -> NDArray[np.int64] | slice:
        """Positions of the objects that an override applies to."""
        if override.scope == "site":
            return slice(None)
        key = (kind, override.scope)
        if key not in self._known:
            self._known[key] = self._index(kind, override.scope)
        return self._known[key].get(override.match, np.empty(0, np.int64))

    def _index(self, kind: RuleObject, scope: OverrideScope) -> dict[str, NDArray[np.int64]]:
        """Match -> positions. Built once for a topology, only for scopes that are used."""
        found: dict[str, list[int]] = {}
        for place, ident in enumerate(self.ids[kind].tolist()):
            target = self.target(kind, ident)
            known = {
                "fabric": target.fabrics,
                "role": target.roles,
                "label": target.labels,
                "port": target.ports,
            }
            for match in known[scope]:
                found.setdefault(match, []).append(place)
        return {match: np.array(places, np.int64) for match, places in found.items()}

    def values(
        self, kind: RuleObject, overrides: Iterable[ScopedOverride], name: str, default: float
    ) -> NDArray[np.float64]:
        """One parameter of every object, by position."""
        found = np.full(len(self.ids[kind]), default, np.float64)
        for override in sorted(overrides, key=lambda item: item.key, reverse=True):
            if name in override.parameters:
                found[self.places(kind, override)] = override.parameters[name]
        return found

    def settings(
        self, kind: RuleObject, rule: RuleDefaults, overrides: Sequence[ScopedOverride]
    ) -> tuple[list[Values], NDArray[np.int64]]:
        """The distinct sets of parameters, and which of them applies to each object, by position."""
        site = {**defaults(rule.parameters), **_of_site(overrides)}
        names = list(site)
        if not names or all(item.scope == "site" or not item.parameters for item in overrides):
            return [site], np.zeros(len(self.ids[kind]), np.int64)
        columns = [self.values(kind, overrides, name, site[name]) for name in names]
        table, place = np.unique(np.column_stack(columns), axis=0, return_inverse=True)
        return [dict(zip(names, row, strict=True)) for row in table.tolist()], place.reshape(-1)


def _of_site(overrides: Iterable[ScopedOverride]) -> Values:
    return next((item.parameters for item in overrides if item.scope == "site"), {})


def _ends(link: Link) -> list[int]:
    return [link.a] if link.b is None else [link.a, link.b]


def _target(
    topology: Topology, nodes: Iterable[int], ports: Iterable[int], fabrics: Iterable[int | None]
) -> OverrideTarget:
    known = [topology.nodes[node] for node in nodes]
    return OverrideTarget(
        frozenset(topology.fabrics[fabric].name for fabric in fabrics if fabric is not None),
        frozenset(node.role for node in known),
        frozenset(f"{name}={value}" for node in known for name, value in node.labels),
        frozenset(
            f"{topology.nodes[topology.ports[port].node_id].name}:{topology.ports[port].name}"
            for port in ports
        ),
    )
