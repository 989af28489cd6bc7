"""The order of drift: nodes that a reboot changes first, then by name in natural order, in PostgreSQL."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backstay.api.drift.router import SORTS
from backstay.api.http.list_query import ListQuery
from backstay.inventory.models import Node, Site
from backstay.rollout.models import Drift
from backstay.rollout.selectors import drifting


@pytest.mark.django_db
def test_nodes_that_a_reboot_changes_come_first_on_every_page() -> None:
    site = Site.objects.create(name="lab", title="Lab", interval_s=2.0, imported_at=timezone.now())
    for name, reboot in (("sp10", False), ("sp2", False), ("sp11", True), ("sp3", True)):
        node = Node.objects.create(site=site, name=name, kind="host", role="compute")
        Drift.objects.create(
            node=node,
            since=timezone.now(),
            running_differs=True,
            saved_differs=False,
            reboot=reboot,
            items=[],
        )
    names: list[str] = []
    cursor: str | None = None
    while True:
        rows, cursor = ListQuery(limit=1, sort="urgency", cursor=cursor).rows(drifting(site), SORTS, "node")
        names += [row.node.name for row in rows]
        if cursor is None:
            break
    assert names == ["sp3", "sp11", "sp2", "sp10"]
