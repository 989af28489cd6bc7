"""Results of the search as answered, with the page of each object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from backstay.api.http import urls
from backstay.api.search.schemas import SearchResult

if TYPE_CHECKING:
    from backstay.alerts.search.selectors import Found

_PAGES: dict[str, Callable[[Any], str]] = {
    "node": urls.node_url,
    "port": urls.port_url,
    "link": urls.link_url,
    "fabric": urls.fabric_url,
    "circuit": urls.circuit_url,
    "policy": urls.policy_url,
    "change": urls.change_url,
    "drill": urls.drill_url,
    "incident": urls.incident_url,
    "test plan": urls.plan_url,
    "paper": urls.run_url,
    "rule": lambda kind: f"/rules/{quote(kind)}",
    "window": urls.window_url,
    "channel": lambda ident: f"/notifications/channels/{ident}",
    "schedule": lambda ident: f"/notifications/schedules/{ident}",
}


def result_out(found: Found) -> SearchResult:
    """A result."""
    return SearchResult.model_validate(
        {
            "kind": found.kind,
            "name": found.name,
            "detail": found.detail.strip(),
            "why": found.why,
            "url": _url(found),
        }
    )


def _url(found: Found) -> str:
    if found.kind == "neighbour":
        return f"/neighbours?address={quote(found.name)}"
    return _PAGES[found.kind](found.id)
