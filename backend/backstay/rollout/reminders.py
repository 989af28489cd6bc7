"""What a change's checklist says of devices that Backstay does not change: what a person sets there must be
saved there, and most of them let nobody read whether it was."""

from __future__ import annotations

from collections.abc import Collection

from backstay.core.planning.reminders import checklist, system_of
from backstay.inventory.models import Site


def reminders_of(site: Site, gateways: Collection[int], handed: Collection[str]) -> list[str]:
    """`grf1: Save its configuration ...`, by name, for each device concerned that has no agent of its own.

    `gateways`: ids of those that the change's policies lead to; `handed`: names of those on which a person
    sets something as a part of it. One query.
    """
    rows = site.nodes.exclude(agent__isnull=False).values_list(
        "pk", "name", "watcher_id", "sources", "state__sys_descr"
    )
    return checklist(
        (name, system_of([source.get("system", "") for source in sources], description or ""))
        for pk, name, watcher, sources, description in rows
        if watcher != pk and (pk in gateways or name in handed)
    )
