"""SNMPv3 messages as octets (RFC 3412, section 6; RFC 3414, section 2.4): taken apart, and put together."""

import secrets
from dataclasses import dataclass

from backstay_agent.host.snmp import ber, keys
from backstay_agent.host.snmp.ber import BerError
from backstay_wire import SnmpV3

AUTH, PRIV, REPORTABLE = 1, 2, 4
_VERSION, _USM = 3, 3
_LARGEST = 65_507


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message but for its scoped PDU."""

    number: int
    """msgID: an answer carries the same."""
    flags: int
    engine: bytes
    """The authoritative one: a trap's sender, an inform's receiver; empty when it is asked for."""
    boots: int
    time: int
    user: str
    digest_at: int
    """Where in the message its digest's octets are."""
    digest_end: int
    salt: bytes
    body: int
    """Where in the message its scoped PDU begins, locked or not."""
    end: int


@dataclass(frozen=True, slots=True)
class Scoped:
    """A scoped PDU in the clear; the places are in `data`."""

    data: bytes
    context: bytes
    """contextEngineID and contextName, as they are encoded."""
    kind: int
    start: int
    end: int


def envelope(data: bytes) -> Envelope:
    """Take a message apart. Raises BerError."""
    start, end = ber.expect(data, 0, len(data), ber.SEQUENCE)
    _, position = ber.integer(data, start, end)
    start, body = ber.expect(data, position, end, ber.SEQUENCE)
    number, position = ber.integer(data, start, body)
    _, position = ber.integer(data, position, body)
    flags, flags_end = ber.expect(data, position, body, ber.OCTETS)
    if flags_end - flags != 1 or not 0 <= number < 1 << 31:
        raise BerError("a header out of its range")
    outer, body = ber.expect(data, body, end, ber.OCTETS)
    start, stop = ber.expect(data, outer, body, ber.SEQUENCE)
    engine, engine_end = ber.expect(data, start, stop, ber.OCTETS)
    boots, position = ber.integer(data, engine_end, stop)
    when, position = ber.integer(data, position, stop)
    user, user_end = ber.expect(data, position, stop, ber.OCTETS)
    digest, digest_end = ber.expect(data, user_end, stop, ber.OCTETS)
    salt, salt_end = ber.expect(data, digest_end, stop, ber.OCTETS)
    if not (0 <= boots < 1 << 31 and 0 <= when < 1 << 31):
        raise BerError("security parameters out of their range")
    return Envelope(
        number=number,
        flags=data[flags],
        engine=data[engine:engine_end],
        boots=boots,
        time=when,
        user=data[user:user_end].decode("utf-8", "replace"),
        digest_at=digest,
        digest_end=digest_end,
        salt=data[salt:salt_end],
        body=body,
        end=end,
    )


def scoped(data: bytes, position: int, end: int) -> Scoped:
    """Take a scoped PDU apart. Raises BerError."""
    context, end = ber.expect(data, position, end, ber.SEQUENCE)
    _, position = ber.expect(data, context, end, ber.OCTETS)
    _, name_end = ber.expect(data, position, end, ber.OCTETS)
    kind, start, stop = ber.element(data, name_end, end)
    return Scoped(data, data[context:name_end], kind, start, stop)


@dataclass(frozen=True, slots=True)
class Authority:
    """An authoritative engine at one moment."""

    engine: bytes
    boots: int
    time: int


def sealed(
    number: int, who: Authority, pdu: bytes, *, user: SnmpV3 | None, private: bool, reportable: bool = False
) -> bytes:
    """A message around a scoped PDU: by `user` with a digest, else by nobody; with `private` locked."""
    flags = (AUTH if user else 0) | (PRIV if private else 0) | (REPORTABLE if reportable else 0)
    salt, body = b"", pdu
    if user is not None and private:
        salt = secrets.token_bytes(8)
        body = ber.encode(
            ber.OCTETS, keys.encrypted(user, who.engine, keys.vector(who.boots, who.time, salt), pdu)
        )
    blank = bytes(keys.digest_length(user)) if user else b""
    behind = ber.encode(ber.OCTETS, salt)
    security = b"".join(
        (
            ber.encode(ber.OCTETS, who.engine),
            ber.encode_integer(who.boots),
            ber.encode_integer(who.time),
            ber.encode(ber.OCTETS, user.user.encode() if user else b""),
            ber.encode(ber.OCTETS, blank),
            behind,
        )
    )
    head = ber.encode_integer(number) + ber.encode_integer(_LARGEST)
    head += ber.encode(ber.OCTETS, bytes((flags,))) + ber.encode_integer(_USM)
    parts = [
        ber.encode_integer(_VERSION),
        ber.encode(ber.SEQUENCE, head),
        ber.encode(ber.OCTETS, ber.encode(ber.SEQUENCE, security)),
        body,
    ]
    message = ber.encode(ber.SEQUENCE, b"".join(parts))
    if user is None:
        return message
    end = len(message) - len(body) - len(behind)
    return message[: end - len(blank)] + keys.digest(user, who.engine, message) + message[end:]
