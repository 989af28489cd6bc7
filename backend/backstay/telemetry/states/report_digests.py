"""Reports that repeat what is stored: recognised by a digest, so that only their time is written.

Most reports of a quiet agent repeat the one before. Their rows are neither read nor compared: one statement
takes the time of those whose digest is stored, and returns them; the others are compared as always.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import TypeVar
from uuid import UUID

from backstay.telemetry.ingest import store
from backstay.telemetry.ingest.clock import nanoseconds

ReportT = TypeVar("ReportT")
_ROWS = f"""
UPDATE {{table}} AS known SET at = {store.MOMENT.format("repeated.us")}
FROM unnest(%s::bigint[], %s::bigint[], %s::uuid[]) AS repeated (node_id, us, digest)
WHERE known.node_id = repeated.node_id AND known.digest = repeated.digest
  AND known.at < {store.MOMENT.format("repeated.us")} {{only}}
RETURNING known.node_id
"""  # noqa: S608 - only constants of this module are put in
HOST_NETWORKS = _ROWS.format(table="telemetry_hostnetwork", only="")
# A table that is filling up is judged again with each report.
NEIGHBOUR_TABLES = _ROWS.format(table="telemetry_neighbourwatch", only="AND NOT known.stirring")


def digest(text: str, *more: object) -> UUID:
    """Of a report's JSON, and of what else its state depends on."""
    octets = text.encode() + json.dumps(more).encode() if more else text.encode()
    return UUID(bytes=blake2b(octets, digest_size=16).digest())


def single(reports: Iterable[tuple[int, ReportT]]) -> dict[int, ReportT]:
    """Node id -> its report, of those with one: several are compared, in their order."""
    found = list(reports)
    counts = Counter(node for node, _ in found)
    return {node: report for node, report in found if counts[node] == 1}


def repeated(statement: str, digests: Mapping[int, UUID], times: Mapping[int, datetime]) -> set[int]:
    """Nodes whose stored report has this digest and is older; their rows have the new time.

    `digests`, `times`: of each node's report.
    """
    if not digests:
        return set()
    nodes = sorted(digests)  # One order for all writers: no deadlocks.
    values: Sequence[str] = (
        store.array(nodes),
        store.array(nanoseconds(times[node]) // 1000 for node in nodes),
        store.array(digests[node] for node in nodes),
    )
    return {node for (node,) in store.query(statement, values)}
