"""The ports of an export, in batches of whole devices in the order of their ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from backstay.inventory.sql import fetch_rows

NAMES = ("node", "port", "fabric", "link")
MOST_BATCH = 8192
"""Most ports of a batch, unless one device has more."""
_CHOSEN = """
    FROM inventory_port AS port
    JOIN inventory_node AS node ON node.id = port.node_id
    LEFT JOIN inventory_link AS link ON link.a_id = port.id OR link.b_id = port.id
    LEFT JOIN inventory_fabric AS fabric ON fabric.id = coalesce(port.fabric_id, link.fabric_id)
    WHERE node.site_id = %(site)s AND node.id >= %(first)s AND node.id <= %(last)s
      AND (%(ports)s::bigint[] IS NULL OR port.id = ANY (%(ports)s))
      AND (%(links)s::bigint[] IS NULL OR link.id = ANY (%(links)s))
      AND (%(fabric)s::text IS NULL OR fabric.name = %(fabric)s)
"""
_END = """(
    SELECT of_end.name || ':' || an_end.name FROM inventory_port AS an_end
    JOIN inventory_node AS of_end ON of_end.id = an_end.node_id WHERE an_end.id = link.{}_id
)"""
_PORTS = f"""
    SELECT node.id, port.id, node.name, port.name, fabric.name,
        {_END.format("a")} || '-' || coalesce({_END.format("b")}, fabric.name)
    {_CHOSEN} ORDER BY node.id, port.id LIMIT %(limit)s
"""
_COUNT = f"SELECT count(*) {_CHOSEN}"
_LAST = 2**62


@dataclass(frozen=True, slots=True)
class PortBatch:
    """Ports of consecutive devices, ascending by `ids`; names are None if unknown."""

    nodes: tuple[int, ...]
    """The devices, ascending."""
    ids: NDArray[np.int64]
    node_ids: NDArray[np.int64]
    names: Mapping[str, Sequence[str | None]]
    """NAMES -> one for each port."""

    def columns(self, port_ids: NDArray[np.int64]) -> dict[str, pa.Array]:
        """NAMES, `node_id` and `port_id` of rows of these ports."""
        at = np.searchsorted(self.ids, port_ids)
        indices = pa.array(at.astype(np.int32))
        found = {
            name: pa.DictionaryArray.from_arrays(indices, pa.array(texts, pa.string()))
            for name, texts in self.names.items()
        }
        return {**found, "node_id": pa.array(self.node_ids[at]), "port_id": pa.array(port_ids)}


def port_count(site: int, selection: Mapping[str, Any]) -> int:
    """Ports of the selection that exist."""
    ((number,),) = fetch_rows(_COUNT, _values(site, selection, 0, _LAST))
    return int(number)


def port_batch(site: int, selection: Mapping[str, Any], first_node: int, most: int) -> PortBatch | None:
    """The ports of the next devices from `first_node` on, about `most`; None: there are no more."""
    limit = max(1, min(most, MOST_BATCH))
    rows = fetch_rows(_PORTS, {**_values(site, selection, first_node, _LAST), "limit": limit + 1})
    if len(rows) > limit:
        last = rows[-1][0]
        whole = [row for row in rows if row[0] != last]
        # The first device has more ports than that.
        rows = whole or fetch_rows(_PORTS, {**_values(site, selection, last, last), "limit": None})
    return _batch(rows) if rows else None


def _values(site: int, selection: Mapping[str, Any], first: int, last: int) -> dict[str, Any]:
    return {
        "site": site,
        "first": first,
        "last": last,
        **{name: selection.get(name) for name in ("ports", "links", "fabric")},
    }


def _batch(rows: list[tuple[Any, ...]]) -> PortBatch:
    rows = sorted(rows, key=lambda row: row[1])
    nodes, ids, *names = zip(*rows, strict=True)
    return PortBatch(
        nodes=tuple(sorted(set(nodes))),
        ids=np.array(ids, np.int64),
        node_ids=np.array(nodes, np.int64),
        names=dict(zip(NAMES, names, strict=True)),
    )
