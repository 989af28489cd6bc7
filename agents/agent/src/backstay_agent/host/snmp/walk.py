"""A walk over columns of tables, independent of the transport: where to continue, what to keep, when to
stop."""

from collections.abc import Callable, Sequence

from backstay_agent.host.snmp.values import Limits, Oid, SnmpError, Value


class Walk:
    """Columns that are walked together. Raises SnmpError as soon as the device misbehaves or takes too
    long."""

    def __init__(self, columns: Sequence[Oid], limits: Limits, now: Callable[[], float]) -> None:
        """`now` gives monotonic seconds."""
        self.found: dict[Oid, dict[Oid, Value]] = {column: {} for column in columns}
        self._last = {column: column for column in columns}
        self._columns = list(columns)
        self._limits = limits
        self._now = now
        self._deadline = now() + limits.walk_s
        self._count = 0

    def heads(self) -> list[Oid]:
        """The names whose successors to request; none if all columns are complete."""
        if self._now() > self._deadline:
            raise SnmpError(f"the walk was not over after {self._limits.walk_s:g} s")
        self._columns = list(self._last)
        return [self._last[column] for column in self._columns]

    def take(self, variables: Sequence[tuple[Oid, Value | None]]) -> list[int]:
        """Process the device's response to `heads()`, row by row; None is the end of its tables. An empty
        response ends the walk: there is nothing after the requested names. Returns the positions of variables
        outside the columns."""
        self._count += len(variables)
        if self._count > self._limits.walk_variables:
            raise SnmpError(f"the walk did not end within {self._limits.walk_variables} variables")
        if not variables:
            self._last.clear()
        width = len(self._columns)
        return [
            place
            for place, (oid, value) in enumerate(variables)
            if not self._take(self._columns[place % width], oid, value)
        ]

    def _take(self, column: Oid, oid: Oid, value: Value | None) -> bool:
        last = self._last.get(column)
        if last is None:
            return False
        if value is None or oid[: len(column)] != column:
            # Anything may follow a column, even the tree's beginning: the column is complete.
            del self._last[column]
            return False
        if oid <= last:
            raise SnmpError("the device's OIDs do not increase: the walk would never end")
        self._last[column] = oid
        self.found[column][oid[len(column) :]] = value
        return True
