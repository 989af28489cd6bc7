"""Damaged captures and datagrams for tests and benchmarks of parsers: random, and the same for one seed."""

import random
import re

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.response_template import template_of
from backstay_agent.host.snmp.values import Oid
from backstay_testing.snmp_responder import Content, Table, text, understand

_PIECES = [
    *("", "-1", "99999999999999999999", "1e999", "nan", "null", "[]", "{}", "true", '"', "/33", "=>", "0x"),
    *("1.2.3", "1.2.3.999", "fe80::1%9", "::", "\x1b[2J", "\u00e9", "a" * 300),
]
_TOKEN = re.compile(r'"[^"]*"|[\w.:/-]+')
_OCTETS = [0, 1, 0x30, 0x7F, 0x80, 0x81, 0x82, 0x84, 0xFF]
"""Octets that mean something in a length or tag (X.690)."""
_NAMES: Oid = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 1)
COMMUNITY = b"public"


def damaged_text(rest: random.Random, output: str) -> str:
    """One to three tokens or lines replaced, repeated or cut off."""
    for _ in range(rest.randint(1, 3)):
        tokens = list(_TOKEN.finditer(output))
        if not tokens:
            return output
        token = rest.choice(tokens)
        start, end = token.span()
        kind = rest.randrange(4)
        if kind == 0:
            output = output[:start] + rest.choice(_PIECES) + output[end:]
        elif kind == 1:
            output = output[:end] + output[start:end] + output[end:]
        elif kind == 2:
            output = output[:start]
        else:
            lines = output.splitlines(keepends=True)
            lines.insert(rest.randrange(len(lines)), rest.choice(lines))
            output = "".join(lines)
    return output


def damaged_octets(rest: random.Random, data: bytes) -> bytes:
    """One to four octets replaced, inserted, or everything from one on cut off."""
    changed = bytearray(data)
    for _ in range(rest.randint(1, 4)):
        if not changed:
            break
        place, kind = rest.randrange(len(changed)), rest.randrange(6)
        octet = rest.choice(_OCTETS) if rest.random() < 0.5 else rest.randrange(256)
        if kind < 4:
            changed[place] = octet
        elif kind == 4:
            changed.insert(place, octet)
        else:
            del changed[place:]
    return bytes(changed)


def responses() -> list[bytes]:
    """Valid SNMPv2c responses: every type of value, an error, a response beyond the end of the tables."""
    values: list[Content] = [
        text("ge-0/0/1"),
        (ber.COUNTER, b"\x00\xff\xff\xff\xff"),
        (ber.COUNTER64, b"\x00" + b"\xff" * 8),
        (ber.ADDRESS, bytes((10, 1, 2, 3))),
        (ber.OBJECT, ber.encode_oid((1, 3, 6, 1, 4, 1, 2021))),
        (ber.INTEGER, b"\x80"),
        (ber.NULL, b""),
    ]
    table = Table({(*_NAMES, index): values[index % len(values)] for index in range(1, 40)})
    names = [ber.encode_oid((*_NAMES, index)) for index in range(1, 20)]
    requests = [
        message.request(message.GET, COMMUNITY, names),
        message.request(message.BULK, COMMUNITY, [ber.encode_oid(_NAMES)], 0, 30),
        message.request(message.BULK, COMMUNITY, [ber.encode_oid((*_NAMES, 38))], 0, 10),
    ]
    return [table.answer(understand(request.numbered(message.FIRST_NUMBER))) for request in requests]


def notifications() -> list[bytes]:
    """A valid trap of SNMPv2c, an inform, and a trap of SNMPv1 (RFC 3416, section 4.2.6; RFC 1157, 4.1.6)."""
    ticks = ber.encode(ber.SEQUENCE, _named((1, 3, 6, 1, 2, 1, 1, 3, 0), ber.encode(ber.TICKS, b"\x10")))
    what = ber.encode(ber.OBJECT, ber.encode_oid((1, 3, 6, 1, 6, 3, 1, 1, 5, 3)))
    trap = ber.encode(ber.SEQUENCE, _named((1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0), what))
    port = ber.encode(ber.SEQUENCE, _named((*_NAMES, 1), ber.encode(*text("ge-0/0/1"))))
    listed = ber.encode(ber.SEQUENCE, ticks + trap + port)
    numbers = ber.encode_integer(7) + ber.encode_integer(0) + ber.encode_integer(0)
    old = (
        ber.encode(ber.OBJECT, ber.encode_oid((1, 3, 6, 1, 4, 1, 9)))
        + ber.encode(ber.ADDRESS, bytes((10, 1, 2, 3)))
        + ber.encode_integer(2)
        + ber.encode_integer(0)
        + ber.encode(ber.TICKS, b"\x10")
        + ber.encode(ber.SEQUENCE, port)
    )
    return [
        _message(1, ber.encode(message.TRAP, numbers + listed)),
        _message(1, ber.encode(message.INFORM, numbers + listed)),
        _message(0, ber.encode(0xA4, old)),
    ]


def decode_response(data: bytes) -> None:
    """Everything that is read from a response. Raises BerError."""
    message.number_of(data, COMMUNITY)
    answer = message.answer(data)
    for variable in answer.variables:
        message.name(variable)
        message.value(data, variable)
    if not answer.status:
        template_of(data, answer)


def _named(name: Oid, value: bytes) -> bytes:
    return ber.encode(ber.OBJECT, ber.encode_oid(name)) + value


def _message(version: int, pdu: bytes) -> bytes:
    return ber.encode(ber.SEQUENCE, ber.encode_integer(version) + ber.encode(ber.OCTETS, COMMUNITY) + pdu)
