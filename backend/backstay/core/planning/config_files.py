"""Interface between planner and renderers, and access to a node's files.

`backstay.core.rendering` implements it; tests use simpler implementations.
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
from backstay.core.planning.scope import Original
from backstay.core.rendering import blocks, marks

Variants = dict[tuple[str, str], dict[str, str]]
"""(policy, prefix) -> gateway -> block text with that gateway first."""


class Rendering(Protocol):
    """Read and write engine files. The text depends on engine, routes and file, not on the node's name."""

    def render(self, routing: NodeRouting, current: str) -> str:
        """The complete boot file with our blocks; ValueError if `current` cannot be parsed."""

    def contents(self, routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
        """The block contents of each of these routes, which may have the gateways in another order."""

    def advice(self, routing: NodeRouting, current: str) -> list[str]:
        """Recommended additions to the operator's own part, as sentences; ValueError as in `render`."""

    def saved_routes(self, engine: EngineKind, text: str) -> tuple[RunningRoute, ...]:
        """The routes that the next boot would install, by prefix."""


def replaced(text: str) -> bool:
    """Whether a file has none of our blocks: it was replaced, or the blocks were removed."""
    return marks.BEGIN not in text


def saved(observed: ObservedRouting, path: str) -> SavedFile:
    """A node's file as last reported; a missing file is empty and has no digest."""
    return next((item for item in observed.files if item.path == path), SavedFile(path, "", ""))


def file_difference(
    rendering: Rendering, routing: NodeRouting, observed: ObservedRouting, original: Original | None = None
) -> FileDifference:
    """The boot file with our blocks, or with `original` as it was before a change. Raises ValueError."""
    before = saved(observed, routing.engine.config)
    after = rendering.render(routing, before.text)
    if original is not None:
        if outside(before.text) != outside(original.after):
            raise ValueError(
                "it was edited outside of Backstay's blocks since the change, so its hand-written routes "
                "cannot be restored. Undo the edit, or remove the policy and write them again"
            )
        after = original.before
    return FileDifference(before.path, before.text, after, before.sha256)


def outside(text: str) -> str:
    """The text without our blocks. Raises ValueError."""
    return blocks.cut(text, [(block.start, block.end) for block in blocks.find(text)])


def variants(rendering: Rendering, routing: NodeRouting) -> Variants:
    """The blocks for each gateway that a checker, a move or a drill can switch to.

    Empty for an engine that switches without its file.
    """
    if not routing.engine.spec.has_blocks:
        return {}
    led = [(route, hop.gateway) for route in routing.routes for hop in route.hops]
    texts = rendering.contents(routing, [route.led_by(gateway) for route, gateway in led])
    found: Variants = {}
    for (route, gateway), text in zip(led, texts, strict=True):
        found.setdefault((route.policy, str(route.prefix)), {})[gateway] = text
    return found
