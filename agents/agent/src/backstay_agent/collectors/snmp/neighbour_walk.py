"""Walk of a device's neighbour table that counts no entry which left the table during the walk.

A walk reads in the order of addresses and takes seconds for a large table. A flood adds addresses ahead of it
while the device drops those behind it, so one walk finds far more entries than the table ever had at one
moment. Entries of two consecutive walks were there all the time between them.
"""

from collections.abc import Sequence

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import Oid, Rows

_QUICK_NS = 200_000_000
"""A walk that was this quick is one moment: it is not repeated."""


async def walk_neighbours(session: SnmpSession, columns: Sequence[Oid], clock: Clock) -> Rows:
    """The table's entries, each with the values read last. Raises the session's errors."""
    began = clock.monotonic_ns()
    first = await session.walk(columns)
    if clock.monotonic_ns() - began < _QUICK_NS:
        return first
    second = await session.walk(columns)
    if second == first:
        return first
    return {
        column: {index: value for index, value in rows.items() if index in first.get(column, {})}
        for column, rows in second.items()
    }
