"""Values, errors and limits of an SNMP exchange.

    SnmpError               the device returned an error, or violated the protocol
      WalkTimeLimitError    its tables take longer than one walk may
    SnmpTimeoutError        it did not answer

Neither text contains a secret.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Oid = tuple[int, ...]
Value = int | bytes | Oid
"""Counters, gauges, ticks and enums are int; strings and IpAddress are bytes."""
Rows = Mapping[Oid, Mapping[Oid, Value]]
"""column -> index -> value."""
Observer = Callable[[Oid, int, Value], None]
"""Receives each object of a GET or a walk: its name, the tag of its type (X.690), its value. An exception
ends the request."""


class SnmpTimeoutError(Exception):
    """The device did not answer."""


class SnmpError(Exception):
    """The device returned an error, or violated the protocol."""


class WalkTimeLimitError(SnmpError):
    """A walk took too long; the next one of the same columns continues it."""


class UntrustedError(Exception):
    """A notification from an unknown sender, or with a wrong digest."""


@dataclass(frozen=True, slots=True)
class PollLimits:
    """Limits for a broken or hostile device; beyond them it is left alone until the next poll."""

    walk_s: float = 30.0
    resume_s: float = 300.0
    """How long after its start an interrupted walk may be continued: its first rows are that old then."""
    walk_variables: int = 100_000
    get_variables: int = 40
    """Variables in a GET or GETBULK: about 1,000 octets of response, below an Ethernet MTU."""
    poll_variables: int = 60
    """The same for a poll: numbers only, about 20 octets each."""
    window: int = 8
    """Requests of one poll in flight at a time; one, after a loss."""
    strangers: int = 1_000
    """Datagrams that answer none of our requests, in one exchange."""
