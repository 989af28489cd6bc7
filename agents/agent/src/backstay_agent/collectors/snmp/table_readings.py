"""What a collector asked of each SNMP table, what the device returned, and what the rows yielded."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.values import Rows, SnmpError, SnmpTimeoutError, WalkTimeLimitError
from backstay_wire import MAX_TABLES, TableReading, UnclearRows

_MOST_REASONS = 16
_MOST_NAME, _MOST_ERROR = 128, 256


@dataclass(slots=True)
class TableRead:
    """One read that is under way."""

    rows: int = 0

    def take(self, found: Rows) -> Rows:
        """Count the rows of a walk, however many of their columns have a value."""
        indexes = {index for values in found.values() for index in values}
        self.rows = len(indexes)
        return found


class TableReadings:
    """The newest read of each table of one collector, in the order of the first reads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tables: dict[str, TableReading] = {}

    def newest(self) -> list[TableReading]:
        """At most MAX_TABLES."""
        return list(self._tables.values())[:MAX_TABLES]

    def keep(self, tables: set[str]) -> None:
        """Forget all others: they are no longer read."""
        self._tables = {name: known for name, known in self._tables.items() if name in tables}

    @contextmanager
    def of(self, table: str, columns: int) -> Iterator[TableRead]:
        """Record the read in the block, whether or not it succeeds."""
        began, read = self._clock.monotonic_ns(), TableRead()
        known = self._tables.get(table)
        try:
            yield read
        except (SnmpError, SnmpTimeoutError) as error:
            before = known or TableReading(table=table[:_MOST_NAME], columns=columns)
            # Only these two are continued by the next read (host.snmp.walk); others begin again.
            is_interrupted = isinstance(error, WalkTimeLimitError | SnmpTimeoutError)
            self._tables[table] = before.model_copy(
                update={
                    "columns": columns,
                    "duration_ms": self._since(began),
                    "interruptions": _interruptions(before) + is_interrupted,
                    "error": (str(error) or type(error).__name__)[:_MOST_ERROR],
                }
            )
            raise
        self._tables[table] = TableReading(
            table=table[:_MOST_NAME],
            columns=columns,
            rows=read.rows,
            results=None if known is None else known.results,
            not_understood=[] if known is None else known.not_understood,
            duration_ms=self._since(began),
            interruptions=0 if known is None else _interruptions(known),
        )

    def understood(self, table: str, results: int, not_understood: Mapping[str, int]) -> None:
        """Record what the rows of a table's last whole read yielded; `not_understood`: rows by reason."""
        known = self._tables.get(table)
        if known is None:
            return
        unclear = [
            UnclearRows(reason=reason[:_MOST_NAME], rows=rows)
            for reason, rows in list(not_understood.items())[:_MOST_REASONS]
            if rows > 0
        ]
        self._tables[table] = known.model_copy(update={"results": results, "not_understood": unclear})

    def _since(self, began: int) -> float:
        return round((self._clock.monotonic_ns() - began) / 1e6, 3)


def _interruptions(known: TableReading) -> int:
    """Those before the next read: none if the last one was whole."""
    return known.interruptions if known.error else 0
