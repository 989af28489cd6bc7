"""Values that exist at the tested service: without them, most cases end at "there is no such object"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Get = Callable[[str], Any]
"""Path with query -> the JSON of a successful GET as administrator, else None."""
MOST = 50
"""Ids of one noun."""
LISTS = (
    "nodes",
    "fabrics",
    "ports",
    "links",
    "paths",
    "circuits",
    "failover-policies",
    "arp-policies",
    "extension-nodes",
    "changes",
    "drills",
    "test-plans",
    "test-grids",
    "test-runs",
    "incidents",
    "agents",
    "channels",
    "notification-routes",
    "schedules",
    "deliveries",
    "push-devices",
    "wallboards",
    "saved-views",
    "maintenance-windows",
    "calendar-feeds",
    "metric-limits",
    "exports",
)
OF_FABRIC_KIND = {"infiniband": "infiniband", "hippi": "hippi"}
"""Nouns whose id is that of a fabric of this kind."""
NOUN = re.compile(r"/api/v1/([a-z-]+)/\{")


@dataclass(slots=True)
class Known:
    """Existing ids by noun, and existing values by the name of a parameter or field."""

    ids: dict[str, list[Any]] = field(default_factory=dict)
    values: dict[str, list[Any]] = field(default_factory=dict)
    bodies: Mapping[str, Any] = field(default_factory=dict)
    """Operation id -> a body that is accepted while nothing has changed."""

    def of_path(self, path: str, name: str) -> list[Any]:
        """Values of a path parameter."""
        noun = NOUN.match(path)
        return self.ids.get(noun[1], []) if noun and name == "id" else self.values.get(name, [])


def read(get: Get, site: str) -> Known:
    """What the public API lists at the site."""
    items = {noun: _items(get(f"/api/v1/{noun}?site={site}&limit={MOST}")) for noun in LISTS}
    items["rules"] = _items(get(f"/api/v1/rules?site={site}&limit={MOST}"))
    known = Known({noun: [item["id"] for item in found if "id" in item] for noun, found in items.items()})
    for noun, kind in OF_FABRIC_KIND.items():
        known.ids[noun] = [item["id"] for item in items["fabrics"] if item["kind"] == kind]
    nodes = _texts(items["nodes"], "name")
    policies = _texts(items["failover-policies"], "name")
    known.values = {
        "index": [0],
        "site": [site],
        "node": nodes,
        "nodes": nodes,
        "source": nodes,
        "destination": nodes[::-1],
        "names": [["sp*"], ["*"], nodes[:2]],
        "senders": [nodes[:1]],
        "receivers": [nodes[1:2]],
        "gateways": [["grf1", "atmgw"], nodes[:2]],
        "gateway": ["grf1", "atmgw", *nodes[:1]],
        "policy": [*policies, *known.ids["failover-policies"]],
        "policies": [known.ids["failover-policies"][:1], policies[:1]],
        "fabric": _texts(items["fabrics"], "name"),
        "prefix": ["0.0.0.0/0", "10.9.0.0/24", "10.1.0.0/16", "2001:db8::/64"],
        "target": ["10.9.0.1"],
        "digest": [item["digest"] for item in items["changes"] if item.get("digest")] or ["0" * 64],
        "with": known.ids["test-runs"],
        "link_id": known.ids["links"],
        "incident_id": known.ids["incidents"],
        "path": known.ids["paths"],
        "plan": known.ids["test-plans"],
        "kind": _texts(items["rules"], "kind"),
        "metric": ["ib.symbol_errors"],
        "address": ["10.1.0.21", "10.1.0.16"],
        "at": ["now-1h"],
    }
    return known


def _items(page: Any) -> list[dict[str, Any]]:
    items: Any = page.get("items", []) if isinstance(page, dict) else page or []
    return [item for item in items if isinstance(item, dict)]


def _texts(items: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    return [item[name] for item in items if isinstance(item.get(name), str)]
