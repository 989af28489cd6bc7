"""Received SNMP notifications: traps of v1, traps and informs of v2c and v3 (RFC 1157, 3416, 3584)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.values import Oid, UntrustedError, Value
from backstay_wire import SnmpV2c, SnmpV3

if TYPE_CHECKING:
    from backstay_agent.host.snmp.v3_receiver import V3Receiver

_TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
_UPTIME: Oid = (1, 3, 6, 1, 2, 1, 1, 3, 0)
_GENERIC: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5)
_V1_TRAP = 0xA4
_SPECIFIC = 6
_V3 = 3


@dataclass(frozen=True, slots=True)
class Notification:
    """One datagram's content and the reply to send."""

    trap: Oid = ()
    """Empty: not a notification, there is only a reply to send."""
    variables: Sequence[tuple[Oid, Value | None]] = ()
    answer: bytes = b""
    """An inform's acknowledgement, or a report of SNMPv3; empty for a trap."""
    refused: bool = False
    """The reply reports that the sender's user, password or security level is wrong."""


def is_v3(data: bytes) -> bool:
    """Whether a datagram claims to be of SNMPv3."""
    try:
        start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
        return ber.integer(data, start, end)[0] == _V3
    except BerError:
        return False


class Notifications:
    """Decodes the notifications of senders with known access."""

    def __init__(self, access: Sequence[SnmpV2c | SnmpV3], device: str, clock: Clock) -> None:
        self._communities = {
            one.community.get_secret_value().encode() for one in access if isinstance(one, SnmpV2c)
        }
        users = [one for one in access if isinstance(one, SnmpV3)]
        self._v3 = _v3_receiver(users, device, clock) if users else None

    @property
    def engine_id(self) -> bytes:
        """The SnmpEngineID for informs of SNMPv3; empty if no user is configured."""
        return self._v3.engine_id if self._v3 else b""

    def open(self, data: bytes) -> Notification:
        """Decode a datagram. Raises UntrustedError, BerError."""
        if is_v3(data):
            return self._open_v3(data)
        version, community, kind, start, end = message.pdu(data)
        if community not in self._communities:
            raise UntrustedError("an unknown community")
        if kind == _V1_TRAP and version == 0:
            return _v1(data, start, end)
        if kind not in (message.TRAP, message.INFORM) or version != message.V2C:
            raise BerError("no notification")
        acknowledgement = _acknowledgement(data, start) if kind == message.INFORM else b""
        return _v2(data, start, end, acknowledgement)

    def _open_v3(self, data: bytes) -> Notification:
        if self._v3 is None:
            raise UntrustedError("no SNMPv3 user is configured")
        received = self._v3.receive(data)
        if received.variables is None:
            return Notification(answer=received.answer, refused=received.refused)
        return _named(received.variables, received.answer)


def _v3_receiver(users: Sequence[SnmpV3], device: str, clock: Clock) -> "V3Receiver":
    # pysnmp is imported only where it is needed.
    from backstay_agent.host.snmp.v3_receiver import V3Receiver

    return V3Receiver(users, device, clock)


def _v2(data: bytes, start: int, end: int, acknowledgement: bytes) -> Notification:
    _, position = ber.integer(data, start, end)
    _, position = ber.integer(data, position, end)
    _, position = ber.integer(data, position, end)
    found = [(message.name(one), message.value(data, one)) for one in message.variables(data, position, end)]
    return _named(found, acknowledgement)


def _named(found: list[tuple[Oid, Value | None]], answer: bytes) -> Notification:
    trap = next((value for name, value in found if name == _TRAP_OID), None)
    if not isinstance(trap, tuple):
        raise BerError("a notification without snmpTrapOID")
    return Notification(trap, [one for one in found if one[0] not in (_TRAP_OID, _UPTIME)], answer)


def _acknowledgement(data: bytes, start: int) -> bytes:
    """An inform's response is the inform itself with another type (RFC 3416, section 4.2.7)."""
    place = start - 1
    while data[place] != message.INFORM:
        place -= 1
    return data[:place] + bytes((message.ANSWER,)) + data[place + 1 :]


def _v1(data: bytes, start: int, end: int) -> Notification:
    """A v1 trap with the name defined by RFC 3584, section 3.1."""
    enterprise, position = ber.expect(data, start, end, ber.OBJECT)
    name = ber.decode_oid(data[enterprise:position])
    _, position = ber.expect(data, position, end, ber.ADDRESS)
    generic, position = ber.integer(data, position, end)
    specific, position = ber.integer(data, position, end)
    _, position = ber.expect(data, position, end, ber.TICKS)
    found = [(message.name(one), message.value(data, one)) for one in message.variables(data, position, end)]
    trap = (*name, 0, specific) if generic == _SPECIFIC else (*_GENERIC, generic + 1)
    return Notification(trap, found)
