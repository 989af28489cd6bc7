"""Values, errors and limits of an SNMP exchange.

    SnmpError               the device answered with an error, or with what the protocol forbids
    SnmpTimeoutError        it did not answer

Neither text ever holds a secret.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Oid = tuple[int, ...]
Value = int | bytes | Oid
"""Counters, gauges, ticks and enums are int; strings and IpAddress are bytes."""
Rows = Mapping[Oid, Mapping[Oid, Value]]
"""column -> index -> value."""


class SnmpTimeoutError(Exception):
    """The device did not answer."""


class SnmpError(Exception):
    """The device answered with an error, or with what the protocol forbids."""


class UntrustedError(Exception):
    """A notification from an unknown sender, or not as its sender made it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a broken or hostile device may go before it is left alone until the next poll."""

    walk_s: float = 30.0
    walk_variables: int = 100_000
    get_variables: int = 40
    """Variables in a GET or GETBULK: about 1,000 octets of answer, below an Ethernet MTU."""
    poll_variables: int = 60
    """The same of a poll: numbers only, some 20 octets each."""
    window: int = 8
    """Requests of one poll in flight at a time; one, after any was lost."""
    strangers: int = 1_000
    """Datagrams that answer nothing we asked, in one exchange."""
