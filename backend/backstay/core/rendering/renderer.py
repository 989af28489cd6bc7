"""The interface of every renderer: one module an engine, pure functions of values and text.

A file that cannot be read with certainty is refused with ValueError: the message is for a person and names
the line. Nothing outside our marks is changed but for hand-written static routes of the very prefixes that
the routing is about: those move into our blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from backstay.core.model.routing import NodeRouting, PolicyRoute, Prefix, RunningRoute
from backstay.core.rendering import blocks


class Renderer(Protocol):
    """One engine's boot file, written and read."""

    def render(self, routing: NodeRouting, current: str) -> str:
        """The whole file with exactly this routing's blocks in it. Raises ValueError."""

    def contents(self, routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
        """The text between the marks of each of these, the routing's routes in any order of their gateways.

        Raises ValueError.
        """

    def saved_routes(self, text: str) -> tuple[RunningRoute, ...]:
        """What this file installs at boot: our blocks' gateways and hand-written ones. Raises ValueError."""

    def validation_errors(self, text: str) -> list[str]:
        """Why the file cannot be read or a block cannot be placed, in sentences; empty: it can."""

    def advice(self, routing: NodeRouting, current: str) -> list[str]:
        """What the operator's own part lacks for this routing to do what it should; for warnings."""


def title(block: blocks.Block) -> str:
    """Where a block stands, for a message."""
    return f"block {block.policy} {block.prefix}"


def drop_foreign(text: str, wanted: Iterable[blocks.Name]) -> str:
    """`text` without those of our blocks that are no longer wanted."""
    keep = set(wanted)
    for block in blocks.find(text):
        if block.name not in keep:
            text = blocks.remove(text, block.name)
    return text


def named(routes: Iterable[PolicyRoute], contents: Iterable[str]) -> dict[blocks.Name, str]:
    """What stands between which marks."""
    return dict(zip(map(name_of, routes), contents, strict=True))


def name_of(route: PolicyRoute) -> blocks.Name:
    """The marks' words of a route's own block."""
    return route.policy, str(route.prefix)


def prefixes(routing: NodeRouting) -> set[Prefix]:
    """All that the routing is about."""
    return {route.prefix for route in routing.routes}


def refused(read: Callable[[], object]) -> list[str]:
    """The sentence of the ValueError that reading raises; empty when it raises none."""
    try:
        read()
    except ValueError as error:
        return [str(error)]
    return []


def rivals(routing: NodeRouting, others: Iterable[tuple[Prefix, int, int]]) -> list[str]:
    """Hand-written routes that lead to no gateway but come before one of ours, in sentences.

    `others` as (prefix, preference, line number). They are not taken over: what they are for is not known.
    """
    worst = {route.prefix: max(hop.preference for hop in route.hops) for route in routing.routes}
    return [
        f"Line {line} of {routing.engine.config} on {routing.node} routes {prefix} without a gateway, at "
        f"preference {preference}: it comes before gateways of ours. Remove it, or give it a higher one."
        for prefix, preference, line in others
        if prefix in worst and preference <= worst[prefix]
    ]
