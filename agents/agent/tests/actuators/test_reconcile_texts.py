"""Blocks in boot files, FRR's configuration lines, BIRD's static routes."""

from ipaddress import ip_address, ip_network

import pytest

from backstay_agent.parsers.routing import bird_static, blocks, frr_config
from backstay_agent.parsers.routing.bird import BirdError
from backstay_wire.routing import marks

BEGIN, END = marks("sp default", "0.0.0.0/0")
DEFAULT = ip_network("0.0.0.0/0")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_replacing_a_block_keeps_all_other_bytes(ending: str) -> None:
    around = ("# by hand\t ", "no final newline")
    text = ending.join([around[0], f"  {BEGIN}", "old", f"  {END}", around[1]])
    (found,) = blocks.find(text)
    assert (found.policy, found.prefix, found.lines) == ("sp default", DEFAULT, ["old"])
    new = blocks.replace(text, "sp default", DEFAULT, f"new{ending}")
    assert new == ending.join([around[0], f"  {BEGIN}", "new", f"  {END}", around[1]])


def test_unclosed_block_is_refused() -> None:
    with pytest.raises(ValueError, match="no complete block"):
        blocks.find(f"{BEGIN}\nroute\n")
    with pytest.raises(ValueError, match="no complete block"):
        blocks.replace("nothing of ours\n", "sp default", DEFAULT, "")


@pytest.mark.parametrize(
    ("line", "gateway", "port", "distance"),
    [
        ("ip route 0.0.0.0/0 10.77.1.1", "10.77.1.1", "", 1),
        ("ip route 0.0.0.0/0 10.77.1.1 css0 60", "10.77.1.1", "css0", 60),
        ("ip route 0.0.0.0/0 10.77.1.1 tag 7 60", "10.77.1.1", "", 60),
        ("ip route 0.0.0.0/0 10.77.1.1 css0 60 bfd profile backstay-sp", "10.77.1.1", "css0", 60),
        ("ipv6 route ::/0 fe80::1 css0 70", "fe80::1", "css0", 70),
        ("ip route 0.0.0.0/0 10.77.1 60", None, "10.77.1", 60),
        ("ip route 10.0.0.0/8 blackhole", None, "", 1),
    ],
)
def test_frr_static_route_is_parsed(line: str, gateway: str | None, port: str, distance: int) -> None:
    route = frr_config.static(line)
    assert route is not None
    assert route.gateway == (ip_address(gateway) if gateway else None)
    assert (route.port, route.distance) == (port, distance)


@pytest.mark.parametrize(
    "line", ["ip routes", "router rip", "ip route x 10.1.1.1", "ip route 0.0.0.0/0 10.1.1.1 vrf red"]
)
def test_other_lines_are_no_managed_static_route(line: str) -> None:
    assert frr_config.static(line) is None


RUNNING = """Building configuration...

Current configuration:
!
frr version 8.4.4
hostname sp01
!
ip route 0.0.0.0/0 10.77.1.1 60
router rip
 network css0
 distance 60 10.77.1.1/32
exit
!
end
"""


def test_lines_are_identified_by_context_and_only_differences_are_commands() -> None:
    current = frr_config.lines(RUNNING)
    assert current == [
        ((), "ip route 0.0.0.0/0 10.77.1.1 60"),
        ((), "router rip"),
        (("router rip",), "network css0"),
        (("router rip",), "distance 60 10.77.1.1/32"),
    ]
    desired = [
        *current[1:3],
        ((), "ip route 0.0.0.0/0 10.77.2.1 70"),
        ((), "ip route 0.0.0.0/0 10.77.1.9 60"),
    ]
    assert frr_config.additions(current, desired) == [
        ["ip route 0.0.0.0/0 10.77.1.9 60"],
        ["ip route 0.0.0.0/0 10.77.2.1 70"],
    ]
    assert frr_config.deletions(current, desired) == [
        ["no ip route 0.0.0.0/0 10.77.1.1 60"],
        ["router rip", "no distance 60 10.77.1.1/32"],
    ]
    assert frr_config.deletions(current, [])[-1] == ["no router rip"], "after what stood in it"
    assert frr_config.additions(current, current) == frr_config.deletions(current, current) == []


PROTOCOLS = [
    "2002-Name       Proto      Table      State  Since         Info",
    "1002-kernel1    Kernel     master4    up     15:52:37.466  ",
    "1006-  Channel ipv4",
    "     Preference:     10",
    "1002-prim       Static     master4    up     15:52:37.466  ",
    "1006-  Channel ipv4",
    "     State:          UP",
    "     Preference:     200",
    " ",
    "0000 ",
]
STATICS = [
    "1009-0.0.0.0/0",
    " \tvia 10.77.1.1 (bfd) (dormant)",
    " 10.9.0.0/16",
    " \tdev p0",
    " 10.8.0.0/16\tblackhole",
    " 10.7.0.0/16",
    " \tvia 10.77.1.1",
    " \tvia fe80::1%p0",
    "0000 ",
]


def test_bird_lists_static_routes_that_are_currently_unusable() -> None:
    assert bird_static.static_protocols(PROTOCOLS) == {"prim": 200}
    assert [(str(hop.prefix), str(hop.gateway), hop.port) for hop in bird_static.hops(STATICS, "prim")] == [
        ("0.0.0.0/0", "10.77.1.1", ""),
        ("10.7.0.0/16", "10.77.1.1", ""),
        ("10.7.0.0/16", "fe80::1", "p0"),
    ]
    assert (bird_static.preference(200), bird_static.preference(300)) == (60, 0)
    with pytest.raises(BirdError):
        bird_static.hops(["9001 syntax error"], "prim")
