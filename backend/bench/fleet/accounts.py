"""Compares the reports acknowledged to the agents with the rows of the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LEDGERS = "SELECT agent_id::text, boot::text, lower(r), upper(r) FROM telemetry_reportledger, unnest(seqs) r"
SAMPLES = """
SELECT node.agent_id::text,
    (extract(epoch FROM sample.ts) * 1000000)::bigint + ceil(sample.shift_ns / 1000.0)::bigint,
    sample.in_octets[1]
FROM telemetry_samples AS sample JOIN inventory_node AS node ON node.id = sample.node_id
"""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The agents' ledgers against the database."""

    acked: int
    lost: int
    """Acknowledged, and in the ledger or among the samples missing."""
    doubled: int
    """Samples that are stored more than once."""


def compare(
    ledgers: Sequence[Mapping[str, Any]],
    stored: Iterable[tuple[str, str, int, int]],
    samples: Iterable[tuple[str, int, int]],
) -> Comparison:
    """`stored`: rows of LEDGERS; `samples`: rows of SAMPLES."""
    known: dict[tuple[str, str], set[int]] = {}
    for agent, boot, low, high in stored:
        known.setdefault((agent, boot), set()).update(range(low, high))
    rows = Counter(samples)
    lost = 0
    for one in ledgers:
        missing = set(one["acked"]) - known.get((one["agent"], one["boot"]), set())
        missing |= {seq for at, seq in one["counted"] if not rows[one["agent"], at, seq]}
        lost += len(missing)
    acked = sum(len(one["acked"]) for one in ledgers)
    return Comparison(acked, lost, sum(1 for count in rows.values() if count > 1))
