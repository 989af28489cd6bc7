"""Lost carrier, read from the fixed part of a link event before the rest is decoded."""

import struct

import pytest

from backstay_agent.parsers.linux import rtnl

UP, RUNNING, LOWER_UP = 0x1, 0x40, 0x10000


def event(kind: int, flags: int, family: int = 0) -> bytes:
    return struct.pack("=IHHII", 32, kind, 0, 0, 0) + struct.pack("=BxHiII", family, 1, 7, flags, 0)


@pytest.mark.parametrize(
    ("flags", "carries"),
    [(UP | RUNNING | LOWER_UP, True), (UP | LOWER_UP, False), (UP | RUNNING, False), (0, False)],
)
def test_port_that_is_up_with_carrier_is_usable(flags: int, carries: bool) -> None:
    assert rtnl.carrier(16, event(16, flags)) == (7, carries)


def test_missing_port_is_not_usable() -> None:
    assert rtnl.carrier(17, event(17, UP | RUNNING | LOWER_UP)) == (7, False)


def test_bridge_messages_and_other_events_do_not_change_a_port() -> None:
    assert rtnl.carrier(17, event(17, UP, family=7)) is None
    assert rtnl.carrier(24, event(24, UP)) is None
