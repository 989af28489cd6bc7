"""The interface of an SNMP session, independent of its engine."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from backstay_agent.host.snmp.values import Oid, Rows, Value

if TYPE_CHECKING:  # numpy takes several MB, and an interface does not need it
    from backstay_agent.host.snmp.readings import Readings


class SnmpSession(Protocol):
    """Requests to one device. Each call raises SnmpTimeoutError and SnmpError."""

    async def get(self, oids: Sequence[Oid]) -> dict[Oid, Value]:
        """Values of single objects; those that the device does not have are left out."""

    async def walk(self, columns: Sequence[Oid]) -> Rows:
        """Every instance of each column: column -> index -> value. Columns may be empty. If nothing has
        changed it may be the previous walk's object: the caller must not modify it."""

    async def poll(self, *questions: Sequence[Oid]) -> "list[Readings]":
        """The numbers of each request, repeatedly: with the same tuples each time, this is by far the
        cheapest."""

    def close(self) -> None:
        """Close the sockets."""
