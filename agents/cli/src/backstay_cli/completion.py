"""Names for the shell's completion, read from the API with a time limit of one second.

Pressing Tab must never wait for a network or print an error into the command line.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import httpx

from backstay_cli import account
from backstay_cli.api import PREFIX
from backstay_cli.errors import OperatorError
from backstay_cli.text import shown

WITHIN_S = 0.8
MOST = 500
Completer = Callable[[str], list[tuple[str, str]]]


def completer(path: str, name: str, *about: str, site: bool = True, **wanted: str) -> Completer:
    """Completes the field `name` of a list's items; `about` are the fields that describe it."""

    def complete(incomplete: str) -> list[tuple[str, str]]:
        found: dict[str, str] = {}
        for item in _items(path, site=site, wanted=wanted):
            text = str(item.get(name, ""))
            if text.startswith(incomplete) and text.isprintable():
                found.setdefault(text, ", ".join(shown(str(item.get(field) or "")) for field in about))
        return sorted(found.items())

    return complete


def _items(path: str, *, site: bool, wanted: dict[str, str]) -> list[dict[str, Any]]:
    try:
        known = account.load(os.environ)
        chosen = os.environ.get("BACKSTAY_SITE") or known.site
        params: dict[str, str | int] = {"limit": MOST, **wanted} if site else {}
        if site and chosen:
            params["site"] = chosen
        verify = known.url.startswith("https:")
        headers = {"Authorization": f"Bearer {known.token}"}
        answer = httpx.get(
            known.url + PREFIX + path, params=params, headers=headers, timeout=WITHIN_S, verify=verify
        )
        return [item for item in answer.json()["items"] if isinstance(item, dict)]
    except (OperatorError, httpx.HTTPError, ValueError, KeyError, TypeError):
        return []


policies = completer("/failover-policies", "name", "prefix")
nodes = completer("/nodes", "name", "role", "state")
paths = completer("/paths", "node", "active")
changes = completer("/changes", "id", "state", "title", state="current")
drills = completer("/drills", "id", "policy", "state")
channels = completer("/channels", "name", "kind", "state")
notification_routes = completer("/notification-routes", "name")
people = completer("/people", "name")
schedules = completer("/schedules", "name", "on_call")
sites = completer("/sites", "name", "title", site=False)
links = completer("/links", "name", "fabric", "state")
gateways = completer("/nodes", "name", "role", kind="gateway")
test_plans = completer("/test-plans", "name", "state_text")
test_runs = completer("/test-runs", "id", "plan", "state")
