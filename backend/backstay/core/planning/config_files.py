"""What the planner asks of the renderers, and what it reads of a node's files.

`backstay.core.rendering` answers it; tests answer it with less.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from backstay.core.model.plan import FileDifference
from backstay.core.model.routing import (
    EngineKind,
    NodeRouting,
    ObservedRouting,
    PolicyRoute,
    RunningRoute,
    SavedFile,
)
from backstay.core.rendering import marks

Variants = dict[tuple[str, str], dict[str, str]]
"""(policy, prefix) -> gateway -> block text with that gateway first."""


class Rendering(Protocol):
    """Engine files written and read. Texts depend on engine, routes and file, not on the node's name."""

    def render(self, routing: NodeRouting, current: str) -> str:
        """The whole boot file with our blocks in place; ValueError when `current` cannot be understood."""

    def contents(self, routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
        """What stands between the marks of each of these, the routing's routes in any order of gateways."""

    def advice(self, routing: NodeRouting, current: str) -> list[str]:
        """What the operator's own part should have besides, in sentences; ValueError as `render`."""

    def saved_routes(self, engine: EngineKind, text: str) -> tuple[RunningRoute, ...]:
        """The routes that the next boot would install, by prefix."""


def replaced(text: str) -> bool:
    """Whether a file has no block of ours at all: somebody put another in its place, or took them all out."""
    return marks.BEGIN not in text


def saved(observed: ObservedRouting, path: str) -> SavedFile:
    """A node's file as last seen; one that does not exist is empty and has no digest."""
    return next((item for item in observed.files if item.path == path), SavedFile(path, "", ""))


def file_difference(rendering: Rendering, routing: NodeRouting, observed: ObservedRouting) -> FileDifference:
    """The engine's boot file before and after."""
    before = saved(observed, routing.engine.config)
    after = rendering.render(routing, before.text)
    return FileDifference(before.path, before.text, after, before.sha256)


def variants(rendering: Rendering, routing: NodeRouting) -> Variants:
    """Every block that a checker, a move or a drill may have to switch to.

    Empty for an engine that is switched without its file.
    """
    if not routing.engine.spec.has_blocks:
        return {}
    led = [(route, hop.gateway) for route in routing.routes for hop in route.hops]
    texts = rendering.contents(routing, [route.led_by(gateway) for route, gateway in led])
    found: Variants = {}
    for (route, gateway), text in zip(led, texts, strict=True):
        found.setdefault((route.policy, str(route.prefix)), {})[gateway] = text
    return found
