"""All rows in order; the names are those of the reliability goals."""

from __future__ import annotations

from backstay_testing.hostile_devices import HOSTILE
from bench.faults import (
    fuzzed_api,
    hostile_snmp,
    invalid_items,
    killed_agent,
    killed_servers,
    killed_stores,
    replays,
    stopped_processes,
)
from bench.faults.row import Row

ROWS = [
    Row(
        name="R2",
        title="agent killed, back in 2 s of own time",
        tries=200,
        run=killed_agent.run,
        needs_service=False,
    ),
    Row(name="R5", title="acknowledgements cut after COMMIT", tries=1_000, run=replays.run),
    Row(name="R6", title="batches with bad items", tries=200, run=invalid_items.run),
    Row(name="R7", title="PostgreSQL killed under load", tries=20, run=killed_stores.postgres),
    Row(
        name="R7-groups",
        title="ingest or PostgreSQL killed in a group",
        tries=50,
        run=killed_stores.groups,
    ),
    Row(name="R8", title="Redis killed or emptied", tries=20, run=killed_stores.redis),
    Row(name="R9", title="worker killed in a job", tries=50, run=killed_servers.worker),
    Row(name="R9-web", title="web killed in a request", tries=50, run=killed_servers.web),
    Row(
        name="R14",
        title="hostile SNMP behaviours",
        tries=len(HOSTILE),
        run=hostile_snmp.run,
        needs_service=False,
    ),
    Row(name="R26", title="API cases of schemathesis", tries=50_000, run=fuzzed_api.run, needs_service=False),
    Row(name="R29", title="each process stopped in turn", tries=1, run=stopped_processes.run),
]
