"""frr.conf: static routes by distance in the main table."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from backstay.core.model.routing import Detection, EngineKind, Timers
from backstay.core.rendering import advice, render, saved_routes, validation_errors
from backstay.core.tests.rendering.render_routes import ATM, GRF, paths, route, routing

FRR = EngineKind.FRR
HOST = """\
frr version 8.4.4
frr defaults traditional
hostname sp05
log syslog informational
service integrated-vtysh-config
!
ip route 0.0.0.0/0 10.1.0.201 20
ip route 0.0.0.0/0 10.1.0.15 css0 60 tag 7
ip route 10.9.0.0 255.255.0.0 10.1.0.9
ip route 203.0.113.0/24 blackhole 250
!
vrf mgmt
 ip route 0.0.0.0/0 192.0.2.1
exit-vrf
!
interface css0
 ip ospf cost 5
exit
!
line vty
!
end
"""
BLOCK = """\
# BEGIN backstay sp-default 0.0.0.0/0
ip route 0.0.0.0/0 10.1.0.201 css0 60
ip route 0.0.0.0/0 10.1.0.15 css0 70
# END backstay sp-default 0.0.0.0/0
"""
needs_frr = pytest.mark.skipif(shutil.which("vtysh") is None, reason="frr is not installed")


def test_block_replaces_hand_written_routes_in_place() -> None:
    after = render(routing(FRR, route()), HOST)
    hand = "ip route 0.0.0.0/0 10.1.0.201 20\nip route 0.0.0.0/0 10.1.0.15 css0 60 tag 7\n"

    assert after == HOST.replace(hand, BLOCK)


def test_new_block_precedes_the_first_context() -> None:
    text = "hostname sp05\n!\n! the switch\n!\ninterface css0\n ip ospf cost 5\n!\n"

    assert render(routing(FRR, route()), text) == text.replace("!\ninterface", f"{BLOCK}!\ninterface")


def test_new_block_precedes_end() -> None:
    assert render(routing(FRR, route()), "hostname x\nend\n") == f"hostname x\n{BLOCK}end\n"


def test_saved_routes_are_the_main_tables_gateways() -> None:
    assert paths(saved_routes(FRR, HOST)) == {
        "0.0.0.0/0": [("10.1.0.201", 20), ("10.1.0.15", 60)],
        "10.9.0.0/16": [("10.1.0.9", 1)],
    }


@pytest.mark.parametrize(
    ("line", "hops"),
    [
        ("ip route 10.2.0.0/16 10.1.0.1", [("10.1.0.1", 1)]),
        ("ip route 10.2.0.0/16 10.1.0.1 eth0 onlink 30 label 16", [("10.1.0.1", 30)]),
        (
            "ipv6 route 2001:db8::/32 fe80::1 eth0 40 bfd multi-hop source 10.1.0.2 profile x",
            [("fe80::1", 40)],
        ),
        ("ip route 10.2.0.0/16 eth0", []),
        ("ip route 10.2.0.0/16 Null0 254", []),
        ("ip route 10.2.0.0/16 10.1.0.1 vrf mgmt", []),
        ("ip route 10.2.0.0/16 10.1.0.1 table 7", []),
        ("ipv6 route 2001:db8::/32 from 2001:db8:1::/48 fe80::1 eth0", []),
    ],
)
def test_every_static_route_syntax_is_read(line: str, hops: list[tuple[str, int]]) -> None:
    found = paths(saved_routes(FRR, f"{line}\n"))

    assert list(found.values()) == ([hops] if hops else [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ip route 10.2.0.0/16 10.1.0.1 eth0 weird\n", "line 1: cannot read"),
        ("!\nip route elsewhere 10.1.0.1\n", "line 2: cannot read"),
        ("no ip route 10.2.0.0/16 10.1.0.1\n", "line 1 removes a route"),
        ("hostname x\x00\n", "line 1 holds a control character"),
        (f"vrf mgmt\n{BLOCK}exit-vrf\n", "is inside a VRF"),
        (f"end\n{BLOCK}", "is after `end`"),
    ],
)
def test_ambiguous_text_is_refused(text: str, why: str) -> None:
    assert why in validation_errors(FRR, text)[0]
    with pytest.raises(ValueError, match=r"line \d|block sp-default"):
        render(routing(FRR, route()), text)


def test_bfd_profile_has_the_policys_timers() -> None:
    after = render(routing(FRR, route(detection=Detection.BFD)), "")

    assert " profile backstay-sp-default\n  detect-multiplier 3\n  receive-interval 50\n" in after
    assert "ip route 0.0.0.0/0 10.1.0.201 css0 60 bfd profile backstay-sp-default\n" in after


def test_bfd_is_refused_without_static_route_support() -> None:
    with pytest.raises(ValueError, match=r"sp05 runs FRR 8\.4\.4, whose static routes cannot use BFD"):
        render(routing(FRR, route(detection=Detection.BFD), version="8.4.4"), HOST)


def test_rip_ranks_its_gateways_by_distance() -> None:
    value = routing(FRR, route(detection=Detection.PROTOCOL))
    listening = render(value, "")
    neighbours = render(value, "router rip\n network css0\nexit\n")

    assert " passive-interface css0\n distance 60 10.1.0.201/32\n distance 70 10.1.0.15/32\n" in listening
    assert "passive-interface" not in neighbours
    for text in (listening, neighbours):
        assert paths(saved_routes(FRR, text)) == {"0.0.0.0/0": [("10.1.0.201", 60), ("10.1.0.15", 70)]}
    assert "every prefix that they announce" in advice(value, "")[0]


def test_rip_timeout_follows_the_policy() -> None:
    asked = replace(route(detection=Detection.PROTOCOL), timers=Timers(interval_ms=7_500, fail_after=3))
    assert " timers basic 8 23 120\n" in render(routing(FRR, asked), "")
    assert "timers basic" not in render(routing(FRR, asked), "router rip\n network css0\nexit\n")
    assert "timers basic" not in render(routing(FRR, route(detection=Detection.PROTOCOL)), "")


def test_ospf_only_gets_its_distance() -> None:
    value = routing(FRR, route(detection=Detection.PROTOCOL))
    text = "router ospf\n network 10.1.0.0/24 area 0\nexit\n"

    assert " distance ospf intra-area 60 inter-area 60 external 60\n" in render(value, text)
    assert "OSPF's own costs" in advice(value, text)[0]
    assert advice(routing(FRR, route()), text) == []


def test_ripng_cannot_rank() -> None:
    with pytest.raises(ValueError, match="RIPng cannot rank"):
        render(routing(FRR, route("::/0", ("a", "2001:db8::1"), detection=Detection.PROTOCOL)), "")


@needs_frr
@pytest.mark.parametrize(
    ("text", "detection"),
    [
        (HOST, Detection.CHECKER),
        ("", Detection.CHECKER),
        (HOST.replace("\n", "\r\n"), Detection.CHECKER),
        ("router rip\n network css0\nexit\n!\nline vty", Detection.PROTOCOL),
        ("router ospf\n network 10.1.0.0/24 area 0\nexit", Detection.PROTOCOL),
        ("", Detection.PROTOCOL),
    ],
)
def test_vtysh_accepts_what_is_rendered(tmp_path: Path, text: str, detection: Detection) -> None:
    value = routing(
        FRR,
        replace(route(detection=detection), timers=Timers(interval_ms=5_000)),
        route("10.2.0.0/16", ATM, GRF, policy="lan", detection=detection),
        route("::/0", ("grf1", "2001:db8::1"), ("atm-gw", "fe80::15"), policy="six"),
    )
    file = tmp_path / "frr.conf"
    file.write_bytes(render(value, text).encode())
    ended = subprocess.run(["vtysh", "-C", "-f", str(file)], capture_output=True, text=True, check=False)

    assert (ended.returncode, ended.stdout + ended.stderr) == (0, "")


@needs_frr
def test_vtysh_rejects_an_invalid_file(tmp_path: Path) -> None:
    file = tmp_path / "frr.conf"
    file.write_text(render(routing(FRR, route()), HOST).replace("10.1.0.201", "10.1.0.2001"))
    ended = subprocess.run(["vtysh", "-C", "-f", str(file)], capture_output=True, text=True, check=False)

    assert ended.returncode != 0
