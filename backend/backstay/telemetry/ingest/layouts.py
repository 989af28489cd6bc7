"""Mapping of the slots of a device's sample arrays to ports.

A device names its ports in each report, in its own order. The same names in the same order share a layout,
which is cached in memory; a new order creates a row, and undeclared ports are created here.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from backstay.inventory.models import Port
from backstay.telemetry.ingest import store
from backstay.telemetry.models import PortLayout, PortUse

MAX_PORTS_OF_A_NODE = 8192
"""Twice a report's limit: a device that invents names cannot fill the database."""
MAX_LAYOUTS_OF_A_NODE = 10_000
"""A device whose ports change 140 times a day, at 62 days of 5-minute roll-ups."""
MAX_CACHED = 50_000
CACHED_S = 86_400.0
"""How long a cached layout is trusted without a query. Retention removes only what was unused for longer."""
USE_RESOLUTION = timedelta(hours=12)
"""Age from which a layout's or a port's time of use is written again."""

Key = tuple[int, tuple[str, ...]]

_TOUCH_LAYOUTS = "UPDATE telemetry_portlayout SET used_at = %s WHERE id = ANY(%s::bigint[]) RETURNING id"
_TOUCH_PORTS = "UPDATE telemetry_portuse SET used_at = %s WHERE port_id = ANY(%s::bigint[]) RETURNING port_id"


class ExcessError(ValueError):
    """A report would exceed what is stored of one device; the message is the reason for its refusal."""


class TooManyPortsError(ExcessError):
    """The device has named more ports than a device can have."""


class TooManyLayoutsError(ExcessError):
    """The device reports other ports, or metrics, each time."""


@dataclass(slots=True)
class LayoutCache:
    """The layouts cached in this process, per site version, because an import may remove ports."""

    _ids: dict[Key, tuple[int, float, int]] = field(default_factory=dict)

    def get(self, key: Key, version: int) -> int | None:
        """The layout's id, if cached for this site version."""
        found = self._ids.get(key)
        return found[2] if found and found[0] == version and time.monotonic() < found[1] else None

    def put(self, key: Key, version: int, layout: int) -> None:
        """Cache a committed layout."""
        if len(self._ids) >= MAX_CACHED:
            self._ids.clear()
        self._ids[key] = (version, time.monotonic() + CACHED_S, layout)


_cache = LayoutCache()


def layout_ids(wanted: Collection[Key], version: int) -> dict[Key, int]:
    """Key -> layout id, in the caller's transaction; TooManyPortsError, TooManyLayoutsError.

    The number of queries does not depend on the number of uncached layouts.
    """
    found = {key: known for key in wanted if (known := _cache.get(key, version)) is not None}
    unknown = [key for key in dict.fromkeys(wanted) if key not in found]
    if not unknown:
        return found
    ports = port_ids(_names_by_node(unknown))
    layouts = {key: _layout(key, ports[key[0]]) for key in unknown}
    ids = _stored(layouts.values())
    for key, layout in layouts.items():
        found[key] = ids[layout.node_id, bytes(layout.digest)]
        transaction.on_commit(_remember(key, version, found[key]))
    return found


def port_ids(wanted: Mapping[int, Iterable[str]]) -> dict[int, dict[str, int]]:
    """Node id -> port ids by name; undeclared ports are created. TooManyPortsError.

    Records that the ports are in use, so that retention removes none of them meanwhile.
    """
    named = {node: dict.fromkeys(names) for node, names in wanted.items()}
    known = _in_use(named, _ports_of(named))
    new: list[Port] = []
    for node, names in sorted(named.items()):  # One order for all writers: no deadlocks.
        found = [name for name in names if name not in known[node]]
        if found and len(known[node]) + len(found) > MAX_PORTS_OF_A_NODE:
            raise TooManyPortsError(f"more than {MAX_PORTS_OF_A_NODE} ports on one device")
        new += [Port(node_id=node, name=name, declared=False) for name in found]
    if new:
        Port.objects.bulk_create(new, ignore_conflicts=True)
        for row in _ports_of({port.node_id for port in new}):
            known[row.node][row.name] = row.id
        created = [PortUse(port_id=known[port.node_id][port.name]) for port in new]
        PortUse.objects.bulk_create(created, ignore_conflicts=True)
    return known


class _PortRow(NamedTuple):
    node: int
    name: str
    id: int
    is_declared: bool
    used_at: datetime | None


def _ports_of(nodes: Iterable[int]) -> list[_PortRow]:
    rows = Port.objects.filter(node_id__in=list(nodes))
    return [_PortRow(*row) for row in rows.values_list("node_id", "name", "pk", "declared", "use__used_at")]


def _in_use(named: Mapping[int, Collection[str]], rows: list[_PortRow]) -> dict[int, dict[str, int]]:
    """Node id -> ids of all its ports, without those that retention has just removed."""
    now = timezone.now()
    used = [row for row in rows if not row.is_declared and row.name in named[row.node]]
    unrecorded = [row.id for row in used if row.used_at is None]
    if unrecorded:
        PortUse.objects.bulk_create([PortUse(port_id=port) for port in unrecorded], ignore_conflicts=True)
    old = sorted(row.id for row in used if row.used_at is not None and row.used_at < now - USE_RESOLUTION)
    gone = set(old) - touched(_TOUCH_PORTS, old, now)
    known: dict[int, dict[str, int]] = {node: {} for node in named}
    for row in rows:
        if row.id not in gone:
            known[row.node][row.name] = row.id
    return known


def touched(statement: str, ids: list[int], now: datetime) -> set[int]:
    """Record the use; the ids that still exist, and stay until the transaction ends."""
    return {found for (found,) in store.query(statement, [now, ids])} if ids else set()


def _names_by_node(keys: Iterable[Key]) -> dict[int, list[str]]:
    names: dict[int, list[str]] = {}
    for node, reported in keys:
        names.setdefault(node, []).extend(reported)
    return names


def _layout(key: Key, ports: Mapping[str, int]) -> PortLayout:
    node, names = key
    ids = [ports[name] for name in names]
    digest = blake2b(b"".join(port.to_bytes(8, "big") for port in ids), digest_size=16).digest()
    return PortLayout(node_id=node, digest=digest, ports=ids)


def _stored(layouts: Collection[PortLayout]) -> dict[tuple[int, bytes], int]:
    """(node id, digest) -> layout id; missing layouts are created. TooManyLayoutsError."""
    known = _layouts_like(layouts)
    new = {(row.node_id, bytes(row.digest)): row for row in layouts}
    missing = [new[key] for key in sorted(new.keys() - known.keys())]
    if missing:
        _check_room(missing)
        PortLayout.objects.bulk_create(missing, ignore_conflicts=True)
        known |= _layouts_like(missing)
    return known


def _check_room(missing: Collection[PortLayout]) -> None:
    rows = PortLayout.objects.filter(node_id__in={row.node_id for row in missing})
    counts = Counter(dict(rows.values_list("node_id").annotate(number=Count("pk")).order_by()))
    counts.update(row.node_id for row in missing)
    if max(counts.values()) > MAX_LAYOUTS_OF_A_NODE:
        raise TooManyLayoutsError(f"more than {MAX_LAYOUTS_OF_A_NODE} different sets of ports of one device")


def _layouts_like(layouts: Iterable[PortLayout]) -> dict[tuple[int, bytes], int]:
    """The stored ones, in use from now on."""
    now = timezone.now()
    rows = PortLayout.objects.filter(
        node_id__in={row.node_id for row in layouts}, digest__in=[row.digest for row in layouts]
    )
    found = list(rows.values_list("node_id", "digest", "pk", "used_at"))
    old = sorted(pk for _, _, pk, used_at in found if used_at < now - USE_RESOLUTION)
    gone = set(old) - touched(_TOUCH_LAYOUTS, old, now)
    return {(node, bytes(digest)): pk for node, digest, pk, _ in found if pk not in gone}


def _remember(key: Key, version: int, layout: int) -> Callable[[], None]:
    return lambda: _cache.put(key, version, layout)
