"""Mapping of the slots of a device's sample arrays to ports.

A device names its ports in each report, in its own order. The same names in the same order share a layout,
which is cached in memory; a new order creates a row, and undeclared ports are created here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from django.db import transaction

from backstay.inventory.models import Port
from backstay.telemetry.models import PortLayout

MAX_PORTS_OF_A_NODE = 8192
"""Twice a report's limit: a device that invents names cannot fill the database."""
MAX_CACHED = 50_000

Key = tuple[int, tuple[str, ...]]


class TooManyPortsError(ValueError):
    """The device has named more ports than a device can have."""


@dataclass(slots=True)
class LayoutCache:
    """The layouts cached in this process, per site version, because an import may remove ports."""

    _ids: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def get(self, key: Key, version: int) -> int | None:
        """The layout's id, if cached for this site version."""
        found = self._ids.get(key)
        return found[1] if found and found[0] == version else None

    def put(self, key: Key, version: int, layout: int) -> None:
        """Cache a committed layout."""
        if len(self._ids) >= MAX_CACHED:
            self._ids.clear()
        self._ids[key] = (version, layout)


_cache = LayoutCache()


def layout_ids(wanted: Collection[Key], version: int) -> dict[Key, int]:
    """Key -> layout id, in the caller's transaction; TooManyPortsError.

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
    """Node id -> port ids by name; undeclared ports are created. TooManyPortsError."""
    known: dict[int, dict[str, int]] = {node: {} for node in wanted}
    for node, name, port in _ports_of(wanted):
        known[node][name] = port
    new: list[Port] = []
    for node, names in sorted(wanted.items()):  # One order for all writers: no deadlocks.
        found = [name for name in dict.fromkeys(names) if name not in known[node]]
        if found and len(known[node]) + len(found) > MAX_PORTS_OF_A_NODE:
            raise TooManyPortsError(f"more than {MAX_PORTS_OF_A_NODE} ports on one device")
        new += [Port(node_id=node, name=name, declared=False) for name in found]
    if new:
        Port.objects.bulk_create(new, ignore_conflicts=True)
        for node, name, port in _ports_of({port.node_id for port in new}):
            known[node][name] = port
    return known


def _ports_of(nodes: Iterable[int]) -> Iterable[tuple[int, str, int]]:
    return Port.objects.filter(node_id__in=list(nodes)).values_list("node_id", "name", "pk")


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
    """(node id, digest) -> layout id; missing layouts are created."""
    known = _layouts_like(layouts)
    new = {(row.node_id, bytes(row.digest)): row for row in layouts}
    missing = [new[key] for key in sorted(new.keys() - known.keys())]
    if missing:
        PortLayout.objects.bulk_create(missing, ignore_conflicts=True)
        known |= _layouts_like(missing)
    return known


def _layouts_like(layouts: Iterable[PortLayout]) -> dict[tuple[int, bytes], int]:
    rows = PortLayout.objects.filter(
        node_id__in={row.node_id for row in layouts}, digest__in=[row.digest for row in layouts]
    )
    return {(node, bytes(digest)): pk for node, digest, pk in rows.values_list("node_id", "digest", "pk")}


def _remember(key: Key, version: int, layout: int) -> Callable[[], None]:
    return lambda: _cache.put(key, version, layout)
