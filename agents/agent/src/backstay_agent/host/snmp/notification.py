"""SNMP notifications as they come: traps of v1, traps and informs of v2c and v3 (RFC 1157, 3416, 3584)."""

from collections.abc import Sequence
from dataclasses import dataclass

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.engine import Engine
from backstay_agent.host.snmp.usm import Report, UntrustedError, Users
from backstay_agent.host.snmp.values import Oid, Value
from backstay_wire import SnmpV2c, SnmpV3

_TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
_UPTIME: Oid = (1, 3, 6, 1, 2, 1, 1, 3, 0)
_GENERIC: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5)
_V1_TRAP = 0xA4
_SPECIFIC = 6
_V3 = 3


@dataclass(frozen=True, slots=True)
class Notification:
    """What was notified."""

    trap: Oid
    variables: Sequence[tuple[Oid, Value | None]]
    acknowledgement: bytes = b""
    """What an inform's sender waits for; empty for a trap."""


class Notifications:
    """Opens notifications of those whose access is known."""

    def __init__(self, access: Sequence[SnmpV2c | SnmpV3], engine: Engine) -> None:
        self._communities = {
            one.community.get_secret_value().encode() for one in access if isinstance(one, SnmpV2c)
        }
        self._users = Users([one for one in access if isinstance(one, SnmpV3)], engine)

    def open(self, data: bytes) -> Notification | Report:
        """A datagram as a notification, or what its sender is to be told. Raises UntrustedError, BerError."""
        start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
        if ber.integer(data, start, end)[0] == _V3:
            return self._v3(data)
        version, community, kind, start, end = message.pdu(data)
        if community not in self._communities:
            raise UntrustedError("an unknown community")
        if kind == _V1_TRAP and version == 0:
            return _v1(data, start, end)
        if kind not in (message.TRAP, message.INFORM) or version != message.V2C:
            raise BerError("no notification")
        acknowledgement = _acknowledgement(data, start) if kind == message.INFORM else b""
        return _v2(data, start, end, acknowledgement)

    def _v3(self, data: bytes) -> Notification | Report:
        opened = self._users.open(data)
        if isinstance(opened, Report):
            return opened
        pdu = opened.pdu
        acknowledgement = self._users.acknowledgement(opened) if pdu.kind == message.INFORM else b""
        return _v2(pdu.data, pdu.start, pdu.end, acknowledgement)


def _v2(data: bytes, start: int, end: int, acknowledgement: bytes) -> Notification:
    _, position = ber.integer(data, start, end)
    _, position = ber.integer(data, position, end)
    _, position = ber.integer(data, position, end)
    found = [(message.name(one), message.value(data, one)) for one in message.variables(data, position, end)]
    trap = next((value for name, value in found if name == _TRAP_OID), None)
    if not isinstance(trap, tuple):
        raise BerError("a notification without snmpTrapOID")
    rest = [one for one in found if one[0] not in (_TRAP_OID, _UPTIME)]
    return Notification(trap, rest, acknowledgement)


def _acknowledgement(data: bytes, start: int) -> bytes:
    """An inform's response is the inform itself but for its type (RFC 3416, section 4.2.7)."""
    place = start - 1
    while data[place] != message.INFORM:
        place -= 1
    return data[:place] + bytes((message.ANSWER,)) + data[place + 1 :]


def _v1(data: bytes, start: int, end: int) -> Notification:
    """A v1 trap by the name that RFC 3584, section 3.1 gives it."""
    enterprise, position = ber.expect(data, start, end, ber.OBJECT)
    name = ber.decode_oid(data[enterprise:position])
    _, position = ber.expect(data, position, end, ber.ADDRESS)
    generic, position = ber.integer(data, position, end)
    specific, position = ber.integer(data, position, end)
    _, position = ber.expect(data, position, end, ber.TICKS)
    found = [(message.name(one), message.value(data, one)) for one in message.variables(data, position, end)]
    trap = (*name, 0, specific) if generic == _SPECIFIC else (*_GENERIC, generic + 1)
    return Notification(trap, found)
