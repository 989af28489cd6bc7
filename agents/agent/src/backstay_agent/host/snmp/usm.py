"""What notifications of SNMPv3 need of the user-based security model (RFC 3414, section 3.2).

A trap's sender is the authoritative engine, so its key is localised to whichever engine speaks, and it is
believed only if its time does not go back by more than 150 s. An inform's receiver is the authority: that is
us. Who does not know our engine or its time yet is told it by a report, and tries again.
"""

import hmac
from dataclasses import dataclass

from backstay_agent.host.snmp import ber, keys, message, v3_message
from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.engine import Engine
from backstay_agent.host.snmp.v3_message import AUTH, PRIV, REPORTABLE, Authority, Envelope, Scoped
from backstay_wire import SnmpV3

_WINDOW_S = 150
_LAST_BOOTS = (1 << 31) - 1
_MOST_ENGINES = 4096
_STATISTICS = (1, 3, 6, 1, 6, 3, 15, 1, 1)
UNSUPPORTED_LEVEL, NOT_IN_TIME, UNKNOWN_USER, UNKNOWN_ENGINE, WRONG_DIGEST = 1, 2, 3, 4, 5
"""usmStats of SNMP-USER-BASED-SM-MIB: which of them a report names."""
_EXPECTED = frozenset({NOT_IN_TIME, UNKNOWN_ENGINE})


class UntrustedError(Exception):
    """This message is of nobody we know, or not as its sender made it."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the sender of an inform is told instead of an acknowledgement."""

    answer: bytes
    refused: bool
    """It is no step of getting acquainted: the user, the password or the level is wrong."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A message that is believed."""

    pdu: Scoped
    envelope: Envelope
    user: SnmpV3


class Users:
    """The users whose notifications are believed, and what their engines said last."""

    def __init__(self, users: list[SnmpV3], engine: Engine) -> None:
        self._users = {user.user: user for user in users}
        self._engine = engine
        self._last: dict[bytes, tuple[int, int]] = {}
        self._reports = [0] * (WRONG_DIGEST + 1)

    def open(self, data: bytes) -> Opened | Report:
        """A message's PDU, or what its sender is to be told. Raises UntrustedError and BerError."""
        found = v3_message.envelope(data)
        reportable = bool(found.flags & REPORTABLE)
        if found.engine == self._engine.identity:
            opened = self._to_us(data, found)
            return opened if isinstance(opened, Opened) else self._report(data, found, opened)
        if reportable and not found.engine:
            return self._report(data, found, UNKNOWN_ENGINE)
        try:
            opened = self._of_other(data, found)
        except UntrustedError:
            if not reportable:
                raise
            return self._report(data, found, UNKNOWN_ENGINE)
        if opened.pdu.kind != message.TRAP:
            return self._report(data, found, UNKNOWN_ENGINE)
        return opened

    def acknowledgement(self, opened: Opened) -> bytes:
        """An inform's response is the inform itself but for its type (RFC 3416, section 4.2.7)."""
        pdu = opened.pdu
        answer = ber.encode(message.ANSWER, pdu.data[pdu.start : pdu.end])
        return self._sealed(opened.envelope, pdu.context + answer, opened.user, private=True)

    def _to_us(self, data: bytes, found: Envelope) -> Opened | int:
        """Of our own time; else the number of what is wrong."""
        user = self._users.get(found.user)
        if user is None:
            return UNKNOWN_USER
        if found.flags & (AUTH | PRIV) != AUTH | PRIV:
            return UNSUPPORTED_LEVEL
        if not _is_authentic(data, found, user):
            return WRONG_DIGEST
        boots, now = self._engine.boots, self._engine.time
        if found.boots != boots or boots == _LAST_BOOTS or abs(found.time - now) > _WINDOW_S:
            return NOT_IN_TIME
        opened = _opened(data, found, user)
        if opened.pdu.kind != message.INFORM:
            raise UntrustedError("something else than an inform to our engine")
        return opened

    def _of_other(self, data: bytes, found: Envelope) -> Opened:
        """Of the sender's time: a trap."""
        user = self._users.get(found.user)
        if user is None or found.flags & (AUTH | PRIV) != AUTH | PRIV:
            raise UntrustedError("an unknown user, or no authentication and privacy")
        if not _is_authentic(data, found, user):
            raise UntrustedError("a wrong digest")
        self._check_time(found)
        return _opened(data, found, user)

    def _check_time(self, found: Envelope) -> None:
        last = self._last.get(found.engine)
        if last is not None:
            boots, when = last
            if found.boots < boots or (found.boots == boots and found.time < when - _WINDOW_S):
                raise UntrustedError("an old message")
        if last is None and len(self._last) >= _MOST_ENGINES:
            self._last.pop(next(iter(self._last)))
        self._last[found.engine] = max(last or (0, 0), (found.boots, found.time))

    def _report(self, data: bytes, found: Envelope, what: int) -> Report:
        """Raises UntrustedError when the sender wants none (RFC 3412, section 7.1, step 3).

        That our time is another is said with a digest, so that the sender may believe it.
        """
        if not found.flags & REPORTABLE:
            raise UntrustedError("a notification that is not as it should be")
        self._reports[what] += 1
        counter = self._reports[what] & 0xFFFFFFFF
        count = ber.encode(ber.COUNTER, counter.to_bytes(counter.bit_length() // 8 + 1, "big"))
        name = ber.encode(ber.OBJECT, ber.encode_oid((*_STATISTICS, what, 0)))
        variables = ber.encode(ber.SEQUENCE, ber.encode(ber.SEQUENCE, name + count))
        numbers = (_request_number(data, found), 0, 0)
        body = b"".join(map(ber.encode_integer, numbers)) + variables
        context = ber.encode(ber.OCTETS, self._engine.identity) + ber.encode(ber.OCTETS, b"")
        pdu = context + ber.encode(message.REPORT, body)
        signed = self._users[found.user] if what == NOT_IN_TIME else None
        return Report(self._sealed(found, pdu, signed, private=False), what not in _EXPECTED)

    def _sealed(self, found: Envelope, pdu: bytes, user: SnmpV3 | None, *, private: bool) -> bytes:
        who = Authority(self._engine.identity, self._engine.boots, self._engine.time)
        content = ber.encode(ber.SEQUENCE, pdu)
        return v3_message.sealed(found.number, who, content, user=user, private=private)


def _is_authentic(data: bytes, found: Envelope, user: SnmpV3) -> bool:
    length = keys.digest_length(user)
    if found.digest_end - found.digest_at != length:
        return False
    blank = data[: found.digest_at] + bytes(length) + data[found.digest_end :]
    return hmac.compare_digest(
        keys.digest(user, found.engine, blank), data[found.digest_at : found.digest_end]
    )


def _opened(data: bytes, found: Envelope, user: SnmpV3) -> Opened:
    if len(found.salt) != 8:
        raise BerError("a salt of another length than eight octets")
    start, end = ber.expect(data, found.body, found.end, ber.OCTETS)
    initial = keys.vector(found.boots, found.time, found.salt)
    plain = keys.decrypted(user, found.engine, initial, data[start:end])
    return Opened(v3_message.scoped(plain, 0, len(plain)), found, user)


def _request_number(data: bytes, found: Envelope) -> int:
    """The request's own number where it is in the clear, else 0 (RFC 3412, section 7.1)."""
    if found.flags & PRIV:
        return 0
    try:
        pdu = v3_message.scoped(data, found.body, found.end)
        number, _ = ber.integer(data, pdu.start, pdu.end)
    except BerError:
        return 0
    return number if -(1 << 31) <= number < 1 << 31 else 0
