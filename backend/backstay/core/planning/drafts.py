"""Draft of each node's part of a plan: differences, the new boot file, and the checker's variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import PurePosixPath

from backstay.core.model.plan import FileDifference, NodePlan, RouteDifference
from backstay.core.model.routing import Engine, EngineKind, NodeRouting, ObservedRouting, PolicyRoute
from backstay.core.model.topology import Topology
from backstay.core.planning.config_files import Rendering, Variants, file_difference, variants
from backstay.core.planning.diff import differences
from backstay.core.planning.digest import digest
from backstay.core.planning.scope import Original


class Drafts:
    """Drafts for the nodes that have reported, and the reasons why a file cannot be written."""

    def __init__(
        self,
        topology: Topology,
        observed: Mapping[int, ObservedRouting],
        confirmed: Mapping[int, NodeRouting],
        rendering: Rendering,
        originals: Mapping[int, Original],
    ) -> None:
        self._names = {address: topology.nodes[port.node_id].name for address, port in topology.addresses}
        self._observed = observed
        self._confirmed = confirmed
        self._rendering = rendering
        self._originals = originals
        self._variants: dict[tuple[Engine, tuple[PolicyRoute, ...]], Variants] = {}
        self.nodes: list[NodePlan] = []
        self.faults: dict[int, str] = {}
        """Node id -> reason why its file cannot be written."""
        self.advice: dict[int, tuple[str, ...]] = {}
        """Node id -> recommended additions to the operator's part of the file."""

    def make(self, routings: Mapping[int, NodeRouting]) -> None:
        """Draft every node that has reported."""
        for node, routing in routings.items():
            if node in self._observed:
                try:
                    self.nodes.append(self._draft(routing, self._observed[node]))
                except ValueError as error:
                    self.faults[node] = str(error).rstrip(".")

    def _draft(self, routing: NodeRouting, observed: ObservedRouting) -> NodePlan:
        confirmed = self._confirmed.get(routing.node_id)
        original = self._originals.get(routing.node_id)
        returned = () if original is None else original.routes
        changes = differences(self._names, routing, observed, confirmed, returned)
        files = (file_difference(self._rendering, routing, observed, original),)
        lines = self._rendering.advice(routing, files[0].before)
        if lines:
            self.advice[routing.node_id] = tuple(lines)
        return NodePlan(
            routing=routing,
            base=observed.digest,
            differences=changes,
            files=files,
            variants=self._switching(routing),
            shape=shape(routing.engine.kind, changes, files),
        )

    def _switching(self, routing: NodeRouting) -> Variants:
        """The checker's texts, shared by nodes with the same engine and routes."""
        key = (routing.engine, routing.routes)
        if key not in self._variants:
            self._variants[key] = variants(self._rendering, routing)
        return self._variants[key]


_LENGTH = 16
"""Hex digits: enough for one plan's shapes."""
_Lines = tuple[str, tuple[str, ...], tuple[str, ...]]
"""File name, removed lines, added lines."""


def shape(engine: EngineKind, differences: Iterable[RouteDifference], files: Iterable[FileDifference]) -> str:
    """Identifier of the visible changes: the differences and the removed and added lines of each file."""
    lines = tuple((PurePosixPath(item.path).name, *_changed(item.before, item.after)) for item in files)
    return _name(engine, tuple(differences), lines)


@lru_cache(maxsize=1024)
def _name(engine: EngineKind, differences: tuple[RouteDifference, ...], lines: tuple[_Lines, ...]) -> str:
    """Cached: a plan has few shapes."""
    return digest([engine, differences, lines])[:_LENGTH]


def _changed(before: str, after: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines between the common prefix and the common suffix."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return tuple(old[start : len(old) - end]), tuple(new[start : len(new) - end])
