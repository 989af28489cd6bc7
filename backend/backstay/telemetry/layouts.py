"""Which slot of a device's sample arrays belongs to which port.

A device names its ports in each report, in its own order. The same names in the same order are the same
layout, found in memory; a new order is a new row, and ports that nobody declared become known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from django.db import transaction

from backstay.inventory.models import Port
from backstay.telemetry.models import PortLayout

MAX_PORTS_OF_A_NODE = 8192
"""Twice what a report can hold: a device that invents names cannot fill the database with them."""
MAX_CACHED = 50_000

Key = tuple[int, tuple[str, ...]]


class TooManyPortsError(ValueError):
    """The device has named more ports than a device can have."""


@dataclass(slots=True)
class LayoutCache:
    """The layouts known to this process. An import may remove ports, so it holds for one site version."""

    _ids: dict[Key, tuple[int, int]] = field(default_factory=dict)

    def get(self, key: Key, version: int) -> int | None:
        """The layout's id, if it was found at this version of the site."""
        found = self._ids.get(key)
        return found[1] if found and found[0] == version else None

    def put(self, key: Key, version: int, layout: int) -> None:
        """Remember a layout that is committed."""
        if len(self._ids) >= MAX_CACHED:
            self._ids.clear()
        self._ids[key] = (version, layout)


_cache = LayoutCache()


def layout_id(node: int, names: Sequence[str], version: int) -> int:
    """The id of the layout of these names; TooManyPortsError. Within the caller's transaction."""
    key = (node, tuple(names))
    known = _cache.get(key, version)
    if known is not None:
        return known
    ports = port_ids(node, names)
    ids = [ports[name] for name in names]
    digest = blake2b(b"".join(port.to_bytes(8, "big") for port in ids), digest_size=16).digest()
    layout, _ = PortLayout.objects.get_or_create(node_id=node, digest=digest, defaults={"ports": ids})
    transaction.on_commit(_remember(key, version, layout.pk))
    return layout.pk


def port_ids(node: int, names: Sequence[str]) -> dict[str, int]:
    """Ids of a node's ports by name; those that nobody declared are made. TooManyPortsError."""
    known = dict(Port.objects.filter(node_id=node).values_list("name", "pk"))
    new = [name for name in dict.fromkeys(names) if name not in known]
    if new:
        if len(known) + len(new) > MAX_PORTS_OF_A_NODE:
            raise TooManyPortsError(f"more than {MAX_PORTS_OF_A_NODE} ports on one device")
        found = [Port(node_id=node, name=name, declared=False) for name in new]
        Port.objects.bulk_create(found, ignore_conflicts=True)
        known.update(Port.objects.filter(node_id=node, name__in=new).values_list("name", "pk"))
    return known


def _remember(key: Key, version: int, layout: int) -> Callable[[], None]:
    return lambda: _cache.put(key, version, layout)
