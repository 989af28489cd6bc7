"""Damaged captures: a parser raises its declared error or none, and one odd line costs that line alone."""

import random
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from backstay_agent.host.snmp.ber import BerError
from backstay_agent.host.snmp.notification import Notifications
from backstay_agent.host.snmp.values import UntrustedError
from backstay_agent.offline_parse.reader import KINDS, ReadError, read
from backstay_agent.parsers.routing import bird, gated
from backstay_agent.parsers.systems import aix
from backstay_bench.parsers import Result, Target, judge
from backstay_testing.clock import ManualClock
from backstay_testing.mutations import (
    COMMUNITY,
    damaged_octets,
    damaged_text,
    decode_response,
    notifications,
    responses,
)
from backstay_wire import SnmpV2c

GOLDEN = Path(__file__).parents[1] / "golden"
MUTATIONS = 1_500


def golden(name: str) -> str:
    return (GOLDEN / name).read_text()


@cache
def captures() -> list[tuple[str, str]]:
    """(kind, text) of every capture that a kind reads."""
    found: list[tuple[str, str]] = []
    for path in sorted(GOLDEN.rglob("*")):
        if not path.is_file():
            continue
        try:
            found.append((read(path.read_bytes()).kind, path.read_text()))
        except ReadError:
            continue  # a page about a capture, or one that several kinds share
    return found


def test_damaged_captures_raise_only_the_declared_error() -> None:
    """ValueError is what a kind declares (saved_output.Kind.read)."""
    rest = random.Random(20_261_123)
    for _ in range(MUTATIONS):
        kind, output = rest.choice(captures())
        text = damaged_text(rest, output)
        try:
            KINDS[kind].read(text)
        except ValueError:
            continue


def test_damaged_datagrams_raise_only_the_declared_error() -> None:
    rest = random.Random(20_261_124)
    receiver = Notifications([SnmpV2c(community=COMMUNITY.decode())], "device", ManualClock())
    refused, answers, traps = 0, responses(), notifications()
    for _ in range(4 * MUTATIONS):
        try:
            decode_response(damaged_octets(rest, rest.choice(answers)))
        except BerError:
            refused += 1
        try:
            receiver.open(damaged_octets(rest, rest.choice(traps)))
        except (BerError, UntrustedError):
            refused += 1
    assert MUTATIONS < refused < 8 * MUTATIONS


def test_bench_counts_what_a_parser_does_not_declare() -> None:
    target = Target("lines", [b"x"], damaged_octets, lambda data: data.decode()[3], (UnicodeDecodeError,))
    result = Result()
    for case, data in enumerate((b"long", b"\xff", b"")):
        judge(target, data, case, result)
    assert (result.cases, result.refused) == (3, 1)
    assert dict(result.undeclared) == {"IndexError: string index out of range": 1}


def hardware_addresses(output: str) -> tuple[list[object], list[str]]:
    found, unparsed = aix.neighbours(output)
    return list(found), unparsed


def dump(output: str) -> tuple[list[object], list[str]]:
    found = gated.table(output)
    return list(found.candidates), found.unparsed


def sessions(output: str) -> tuple[list[object], list[str]]:
    unparsed = list[str]()
    return list(bird.bfd_sessions(output.splitlines(), unparsed)), unparsed


def routes(output: str) -> tuple[list[object], list[str]]:
    found, unparsed = aix.routes(output)
    return list(found), unparsed


def interfaces(output: str) -> tuple[list[object], list[str]]:
    found, unparsed = aix.ports(output)
    return [address for port in found for address in port.addresses], unparsed


@pytest.mark.parametrize(
    ("parse", "name", "line"),
    [
        (routes, "aix/netstat-rn.txt", "172.16.1 172.16.x.1 UG 1 2 en0"),
        (hardware_addresses, "aix/arp-an.txt", "  ? (10.1.999.1) at 2:0:0:0:0:1 [ethernet]"),
        (interfaces, "aix/ifconfig-a.txt", "\tinet 10.1.2 netmask 0xffffff00 broadcast 10.1.2.255"),
        (
            sessions,
            "bird/node-show-bfd-sessions.txt",
            "1020-10.1.999.1  eth0  Up  10:00:00.000  0.100  0.300",
        ),
    ],
)
def test_odd_line_costs_that_line_alone(
    parse: Callable[[str], tuple[list[object], list[str]]], name: str, line: str
) -> None:
    lines = golden(name).splitlines()
    found, unparsed = parse("\n".join(lines))
    odd, set_aside = parse("\n".join([*lines[:-1], line, lines[-1]]))
    assert odd == found
    assert len(set_aside) == len(unparsed) + 1


def test_impossible_destination_costs_its_own_routes_alone() -> None:
    lines = golden("gated/release-3.txt").splitlines()
    found, _ = dump("\n".join(lines))
    place = next(at for at, line in enumerate(lines) if re.search(r"mask 255\.255", line))
    lines[place] = re.sub(r"mask 255\.255", "mask 255.0.255", lines[place])
    odd, set_aside = dump("\n".join(lines))
    assert set_aside
    assert 0 < len(odd) < len(found)
    assert all(candidate in found for candidate in odd)


@pytest.mark.parametrize(
    ("kind", "output", "kept"),
    [
        ("ip-route-json", '[{"dst": "10.0.0.0/8", "dev": "p0"}, {"dst": 5}, 7]', "10.0.0.0/8"),
        (
            "frr-ports",
            '{"p0": {"administrativeStatus": "up", "index": 2}, "p1": {"index": "x"}, "p2": 1}',
            "p0",
        ),
    ],
)
def test_odd_element_costs_that_element_alone(kind: str, output: str, kept: str) -> None:
    reading = read(output.encode(), kind)
    assert kept in str(reading.values)
    assert reading.unparsed_count == 2


def test_octal_looking_counter_is_decimal() -> None:
    text = "# Port counters: Lid 5 port 1\nPortXmitData:....................0583719365\n"
    reading = read(text.encode(), "perfquery")
    assert "583719365" in str(reading.values)
