"""Interface of the renderers: one module per engine, pure functions of values and text.

A file that cannot be parsed reliably is rejected with ValueError; the message is for the operator and names
the line. Text outside our blocks is not changed, except that hand-written static routes of the routing's
prefixes move into our blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from backstay.core.model.routing import NodeRouting, PolicyRoute, Prefix, RunningRoute
from backstay.core.rendering import blocks


class Renderer(Protocol):
    """Reads and writes one engine's boot file."""

    def render(self, routing: NodeRouting, current: str) -> str:
        """The complete file with exactly this routing's blocks. Raises ValueError."""

    def contents(self, routing: NodeRouting, routes: Iterable[PolicyRoute]) -> list[str]:
        """The block content of each of these routes, which may have their gateways in any order.

        Raises ValueError.
        """

    def saved_routes(self, text: str) -> tuple[RunningRoute, ...]:
        """The routes that this file installs at boot, from our blocks and hand-written. Raises ValueError."""

    def validation_errors(self, text: str) -> list[str]:
        """Reasons why the file cannot be parsed or a block cannot be placed, as sentences; empty if none."""

    def advice(self, routing: NodeRouting, current: str) -> list[str]:
        """Missing settings in the operator's part, as sentences for warnings."""


def title(block: blocks.Block) -> str:
    """The block's name for messages."""
    return f"block {block.policy} {block.prefix}"


def drop_foreign(text: str, wanted: Iterable[blocks.Name]) -> str:
    """`text` without our blocks that are not in `wanted`."""
    keep = set(wanted)
    for block in blocks.find(text):
        if block.name not in keep:
            text = blocks.remove(text, block.name)
    return text


def named(routes: Iterable[PolicyRoute], contents: Iterable[str]) -> dict[blocks.Name, str]:
    """Contents by block name."""
    return dict(zip(map(name_of, routes), contents, strict=True))


def name_of(route: PolicyRoute) -> blocks.Name:
    """Name of a route's block."""
    return route.policy, str(route.prefix)


def prefixes(routing: NodeRouting) -> set[Prefix]:
    """All prefixes of the routing."""
    return {route.prefix for route in routing.routes}


def refused(read: Callable[[], object]) -> list[str]:
    """The message of the ValueError that `read` raises; empty if it raises none."""
    try:
        read()
    except ValueError as error:
        return [str(error)]
    return []


def rivals(routing: NodeRouting, others: Iterable[tuple[Prefix, int, int]]) -> list[str]:
    """Hand-written routes without a gateway that precede one of ours, as sentences.

    `others` as (prefix, preference, line number). They are not moved into a block, because their purpose is
    unknown.
    """
    worst = {route.prefix: max(hop.preference for hop in route.hops) for route in routing.routes}
    return [
        f"Line {line} of {routing.engine.config} on {routing.node} routes {prefix} without a gateway, at "
        f"preference {preference}: it precedes our gateways. Remove it, or give it a higher preference."
        for prefix, preference, line in others
        if prefix in worst and preference <= worst[prefix]
    ]
