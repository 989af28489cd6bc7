"""Routes of paths through each of their policy's gateways, stored for lists and maps of links.

A route depends on the site's links and policies (`Site.version`), and on the active gateways of nodes that
are gateways themselves. Whoever changes one of them calls `refresh` in the same transaction. Each round of
the site calls it too: after a rewiring and an upgrade.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from backstay.core.model.policy_paths import PathView, PolicyPaths
from backstay.inventory import snapshot
from backstay.inventory.advisory_locks import LockClass, lock_until_commit
from backstay.inventory.models import Site
from backstay.policy.models import Path, PathRoute, PolicyGateway, RouteInputs
from backstay.policy.selectors import Policy, read_policies

BATCH = 2000
"""Rows of one statement."""
Key = tuple[int, int]
"""(path id, gateway's node id)."""


def refresh(site: Site, *_: datetime | None) -> bool:
    """Compute the routes again if their inputs changed; whether they did. Two queries if not."""
    if _is_current(site):
        return False
    with transaction.atomic():
        lock_until_commit(LockClass.ROUTES, site)
        site.refresh_from_db(fields=["version"])
        if not _is_current(site):
            _store(site, _routes(site))
            known = {"version": site.version, "onward": _onward(site)}
            RouteInputs.objects.update_or_create(site=site, defaults=known)
    return True


def _is_current(site: Site) -> bool:
    known = RouteInputs.objects.filter(site=site).first()
    return known is not None and known.version == site.version and known.onward == _onward(site)


def _onward(site: Site) -> list[list[int | None]]:
    gateways = PolicyGateway.objects.filter(policy__site=site).values("node")
    rows = Path.objects.filter(policy__site=site, node__in=gateways).order_by("pk")
    return [list(row) for row in rows.values_list("pk", "active_id")]


def _routes(site: Site) -> dict[Key, list[int]]:
    policies = read_policies(site)
    rows = Path.objects.filter(policy__site=site).order_by("pk")
    values = rows.values_list("pk", "node_id", "active_id", "policy_id")
    views = [_view(policies[policy], *row) for *row, policy in values if policy in policies]
    known = PolicyPaths(snapshot.read(site), views)
    found = {(view.id, gate): list(known.route(view, gate).links) for view in views for gate in view.gateways}
    return {key: links for key, links in found.items() if links}


def _view(policy: Policy, path: int, node: int, active: int | None) -> PathView:
    return PathView(path, node, policy.prefix, tuple(policy.gateways), active, policy.target)


def _store(site: Site, routes: Mapping[Key, list[int]]) -> None:
    """Write the routes that differ from the stored ones, and remove the others."""
    rows = PathRoute.objects.filter(path__policy__site=site).values_list(
        "pk", "path_id", "gateway_id", "links"
    )
    known = {(path, gateway): (pk, links) for pk, path, gateway, links in rows}
    gone = [pk for key, (pk, _) in known.items() if key not in routes]
    PathRoute.objects.filter(pk__in=gone).delete()
    changed = [
        PathRoute(path_id=path, gateway_id=gateway, links=links)
        for (path, gateway), links in routes.items()
        if known.get((path, gateway), (0, None))[1] != links
    ]
    PathRoute.objects.bulk_create(
        changed, BATCH, update_conflicts=True, unique_fields=["path", "gateway"], update_fields=["links"]
    )
