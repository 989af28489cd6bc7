"""Whether the map shows live traffic, from one response of `GET /api/v1/topology`. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Readiness:
    """Missing reports and loads; ready if there are none."""

    silent: tuple[str, ...]
    """Nodes that did not report, or not recently."""
    dark: tuple[str, ...]
    """Links without a fresh rate in either direction."""
    nodes: int
    links: int
    busiest_bps: int

    @property
    def ready(self) -> bool:
        return (
            self.nodes > 0 and self.links > 0 and not self.silent and not self.dark and self.busiest_bps > 0
        )

    @property
    def missing(self) -> int:
        """Number of missing nodes and links."""
        return len(self.silent) + len(self.dark)

    def __str__(self) -> str:
        if self.ready:
            return f"{self.nodes} nodes reporting, {self.links} links with live load"
        missing = []
        if self.silent:
            missing.append(f"not reporting: {_some(self.silent)}")
        if self.dark:
            missing.append(f"no live load: {_some(self.dark)}")
        return "; ".join(missing) or "no traffic yet"


def judge(topology: dict[str, Any]) -> Readiness:
    """The verdict on a topology."""
    nodes = [node for node in topology["nodes"] if node["kind"] != "fabric"]
    links = topology["links"]
    loads = [load for link in links for load in (link["forward"], link["back"]) if load and load["fresh"]]
    return Readiness(
        silent=tuple(node["name"] for node in nodes if node["age_s"] is None or node["state"] == "unknown"),
        dark=tuple(link["name"] for link in links if not _live(link)),
        nodes=len(nodes),
        links=len(links),
        busiest_bps=max((load["bps"] for load in loads), default=0),
    )


def _live(link: dict[str, Any]) -> bool:
    return any(load and load["fresh"] for load in (link["forward"], link["back"]))


def _some(names: tuple[str, ...], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
