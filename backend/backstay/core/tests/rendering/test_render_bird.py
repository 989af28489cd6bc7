"""bird.conf: one static protocol per gateway, validated by BIRD itself."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from backstay.core.model.routing import Detection, EngineKind, Timers
from backstay.core.rendering import advice, render, saved_routes, validation_errors
from backstay.core.tests.rendering.render_netns import Space, namespace
from backstay.core.tests.rendering.render_routes import ATM, GRF, block, paths, route, routing

BIRD = EngineKind.BIRD
HOST = """\
# sp01
log stderr all;
router id 10.1.0.17;
ipv4 table third;
define GRF = 10.1.0.201;
define NETS = [ 10.0.0.0/8{8,24}, 192.0.2.0/24 ];
filter ours {
    if net ~ NETS then accept; else { reject; }
}
protocol device { scan time 10; }
protocol bfd { interface "css*" { interval 50 ms; multiplier 3; }; }
protocol kernel { ipv4 { import none; export all; }; }
protocol kernel six { ipv6 { export filter ours; }; }
template static slow { ipv4 { preference 150; }; }
protocol static hand {
    ipv4;
    route 0.0.0.0/0 via GRF bfd;  # the GRF
    route 10.9.0.0/16 via 10.1.0.9 { krt_metric = 5; preference = 140; };
    route 203.0.113.0/24 unreachable;
}
protocol static backup from slow {
    route 0.0.0.0/0 via 10.1.0.15%css0;
}
protocol static aside { ipv4 { table third; }; route 0.0.0.0/0 via 10.1.0.66; }
protocol static unused { disabled; ipv4; route 0.0.0.0/0 via 10.1.0.67; }
"""
needs_bird = pytest.mark.skipif(shutil.which("bird") is None, reason="bird2 is not installed")


def accepts(text: str, folder: Path) -> str:
    """Output of `bird -p`; empty: accepted."""
    file = folder / "bird.conf"
    file.write_bytes(text.encode())
    ended = subprocess.run(["bird", "-p", "-c", str(file)], capture_output=True, text=True, check=False)
    return "" if ended.returncode == 0 else ended.stdout + ended.stderr


def test_one_protocol_per_gateway() -> None:
    assert block(routing(BIRD), route(detection=Detection.BFD)) == (
        "protocol static backstay_sp_default_4_grf1 {\n"
        "    ipv4 { preference 200; };\n"
        "    check link;\n"
        "    route 0.0.0.0/0 via 10.1.0.201 bfd;\n"
        "}\n"
        "protocol static backstay_sp_default_4_atm_gw {\n"
        "    ipv4 { preference 190; };\n"
        "    check link;\n"
        "    route 0.0.0.0/0 via 10.1.0.15 bfd;\n"
        "}\n"
    )


def test_hand_written_routes_of_the_prefix_are_removed() -> None:
    after = render(routing(BIRD, route()), HOST)
    kept = HOST.replace("route 0.0.0.0/0 via GRF bfd;", "").replace(
        "    route 0.0.0.0/0 via 10.1.0.15%css0;\n", ""
    )

    assert after.startswith(kept)
    assert after[len(kept) :].startswith("# BEGIN backstay sp-default 0.0.0.0/0\nprotocol static")


def test_saved_routes_are_the_main_tables_gateways_by_preference() -> None:
    assert paths(saved_routes(BIRD, HOST)) == {
        "0.0.0.0/0": [("10.1.0.201", 60), ("10.1.0.15", 110)],
        "10.9.0.0/16": [("10.1.0.9", 120)],
    }


def test_gateway_order_does_not_change_symbols() -> None:
    first, second = (
        render(routing(BIRD, route("0.0.0.0/0", *gateways)), "") for gateways in ((GRF, ATM), (ATM, GRF))
    )

    assert first != second
    assert {line for line in first.split("\n") if "static" in line} == {
        line for line in second.split("\n") if "static" in line
    }


def test_colliding_symbols_are_made_unique() -> None:
    value = routing(
        BIRD,
        route("0.0.0.0/0", ("gw.1", "10.1.0.1"), ("gw-1", "10.1.0.2")),
        route("0.0.0.0/1", ("gw.1", "10.1.0.1"), policy="x" * 50),
        route("0.0.0.0/1", ("gw.1", "10.1.0.1"), policy="x" * 49 + "-"),
        route("0.0.0.0/1", ("gw.1", "10.1.0.1"), policy="sp_default"),
        route("0.0.0.0/1", ("gw.1", "10.1.0.1"), policy="sp-default"),
    )
    names = [line.split()[2] for line in render(value, "").split("\n") if line.startswith("protocol")]

    assert len(set(names)) == len(names) == 6
    assert max(map(len, names)) <= 64


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("protocol static { ipv4;\n", "line 1: a brace is never closed"),
        ("router id 1.2.3.4;\n}\n", "line 2: a brace closes what was not opened"),
        ("router id 1.2.3.4", "line 1: the statement 'router' never ends"),
        ('log "x', "line 1: a string or comment that never ends"),
        ("\n/* x", "line 2: a string or comment that never ends"),
        (
            "protocol static {\n route 10.2.0.0/16 via GATEWAY; }",
            "line 2: cannot read `route 10.2.0.0/16 via GATEWAY`",
        ),
        (
            "protocol static {\n# BEGIN backstay a ::/0\n# END backstay a ::/0\n}\n",
            "line 2: block a ::/0 is inside another statement",
        ),
    ],
)
def test_ambiguous_text_is_refused(text: str, why: str) -> None:
    assert validation_errors(BIRD, text) == [why]


@pytest.mark.parametrize(
    "line",
    ["route 0.0.0.0/0 via 10.1.0.1 via 10.1.0.2;", "route 0.0.0.0/0 via 10.1.0.1 { krt_metric = 5; };"],
)
def test_route_with_several_gateways_is_not_taken_over(line: str) -> None:
    with pytest.raises(ValueError, match=r"line 2 routes 0\.0\.0\.0/0 by several gateways"):
        render(routing(BIRD, route()), f"protocol static {{ ipv4;\n{line} }}\n")


def test_bfd_is_refused_without_bfd_protocol() -> None:
    with pytest.raises(ValueError, match="sp05 runs BIRD without `protocol bfd`"):
        render(routing(BIRD, route(detection=Detection.BFD)), "protocol device { }\n")


def test_second_rip_protocol_is_refused() -> None:
    with pytest.raises(ValueError, match="two cannot share a port"):
        render(routing(BIRD, route(detection=Detection.PROTOCOL)), "protocol rip { }\n")


def test_foreign_protocol_with_our_prefix_is_refused() -> None:
    with pytest.raises(ValueError, match="backstay_x outside Backstay's blocks"):
        render(routing(BIRD, route()), "protocol static backstay_x { ipv4; }\n")


def test_one_rip_listener_per_router_port() -> None:
    value = routing(BIRD, route(detection=Detection.PROTOCOL, ports=("css0", "ml0")))
    after = render(value, HOST)

    assert "preference 200;\n        import where net = 0.0.0.0/0 && gw = 10.1.0.201;" in after
    assert paths(saved_routes(BIRD, after))["0.0.0.0/0"] == [("10.1.0.201", 60), ("10.1.0.15", 70)]


def test_rip_listener_uses_the_policys_timers() -> None:
    asked = route(detection=Detection.PROTOCOL, ports=("css0", "ml0"))
    asked = replace(asked, timers=Timers(interval_ms=5_000, fail_after=3))
    assert "passive yes; update time 5; timeout time 15;" in render(routing(BIRD, asked), HOST)


def test_rip_routers_on_one_port_cannot_be_ranked() -> None:
    with pytest.raises(ValueError, match="by their metrics alone, so sp-default cannot rank those on css0"):
        block(routing(BIRD), route(detection=Detection.PROTOCOL))


def test_ripng_ranks_link_local_senders_only() -> None:
    with pytest.raises(ValueError, match="known by link-local addresses, not 2001:db8::1"):
        block(routing(BIRD), route("::/0", ("a", "2001:db8::1"), detection=Detection.PROTOCOL))
    assert "protocol rip ng" in block(
        routing(BIRD), route("::/0", ("a", "fe80::1"), detection=Detection.PROTOCOL)
    )


def test_missing_bird_settings_are_advised() -> None:
    both = routing(BIRD, route(), route("::/0", ("a", "2001:db8::1")))

    assert advice(both, HOST) == []
    sentence = advice(both, "protocol kernel { ipv4 { export none; }; }\n")
    assert len(sentence) == 3
    assert "protocol device" in sentence[0]
    assert advice(both, 'include "more";\n') == [
        "/etc/bird.conf of sp05 includes other files, which are not read."
    ]


@needs_bird
@pytest.mark.parametrize("text", [HOST, HOST.removesuffix("\n"), "protocol bfd { }"])
@pytest.mark.parametrize("detection", Detection)
def test_bird_accepts_what_is_rendered(tmp_path: Path, text: str, detection: Detection) -> None:
    value = routing(
        BIRD,
        route(detection=detection, ports=("css0", "ml0")),
        route("10.2.0.0/16", ATM, GRF, policy="lan"),
        route("::/0", ("grf1", "2001:db8::1"), ("atm-gw", "fe80::15"), policy="six", port="p-2.3"),
        route("2001:db8:9::/48", ("grf1", "fe80::1"), policy="six", detection=detection),
    )

    assert accepts(text, tmp_path) == ""
    assert accepts(render(value, text), tmp_path) == ""


@needs_bird
def test_bird_rejects_an_invalid_file(tmp_path: Path) -> None:
    assert "syntax error" in accepts(f"{HOST}protocol static x {{ route }}", tmp_path)


@pytest.fixture
def spaces() -> Iterator[tuple[Space, Space]]:
    """A node with ports `p1` and `p2`, connected to 10.77.1.1 and 10.77.2.1."""
    with namespace() as near, namespace() as far:
        for number in (1, 2):
            near.ip(
                f"link add p{number} type veth peer name q{number}",
                f"link set q{number} netns {far.pid}",
                f"link set p{number} up",
                f"address add 10.77.{number}.2/24 dev p{number}",
            )
            far.ip(f"link set q{number} up", f"address add 10.77.{number}.1/24 dev q{number}")
        yield near, far


@contextlib.contextmanager
def running(space: Space, folder: Path, name: str, text: str) -> Iterator[Callable[[str], None]]:
    """A BIRD in the namespace; the function loads another configuration."""
    file, control = folder / f"{name}.conf", folder / f"{name}.ctl"
    file.write_text(text)
    daemon = subprocess.Popen([*space.enter, "bird", "-f", "-c", str(file), "-s", str(control)])

    def configure(other: str) -> None:
        file.write_text(other)
        subprocess.run(["birdc", "-s", str(control), "configure"], check=True, capture_output=True)

    try:
        yield configure
    finally:
        daemon.terminate()
        daemon.wait()


def until(space: Space, expected: str) -> None:
    deadline = time.monotonic() + 15
    while expected != (now := space.ask("route", "show", "default").split(" proto ")[0]):
        assert time.monotonic() < deadline, now
        time.sleep(0.02)


NEAR = "router id 10.77.0.2;\nprotocol device { }\nprotocol kernel { ipv4 { export all; }; }\n"
FAR = """\
router id 10.77.0.1;
protocol device { }
protocol static { ipv4; route 0.0.0.0/0 unreachable; }
protocol rip { ipv4 { export all; }; interface "q*" { version 2; update time 2; }; }
"""
FIRST, SECOND = ("grf1", "10.77.1.1"), ("atm-gw", "10.77.2.1")


@needs_bird
@pytest.mark.netns
def test_bird_takes_the_preferred_gateway_and_the_next_when_its_port_loses_carrier(
    spaces: tuple[Space, Space], tmp_path: Path
) -> None:
    near, far = spaces
    texts = [
        render(routing(BIRD, route("0.0.0.0/0", *order)), NEAR)
        for order in ((FIRST, SECOND), (SECOND, FIRST))
    ]
    with running(near, tmp_path, "near", texts[0]) as configure:
        until(near, "default via 10.77.1.1 dev p1")
        configure(texts[1])
        until(near, "default via 10.77.2.1 dev p2")
        far.ip("link set q2 down")
        until(near, "default via 10.77.1.1 dev p1")


@needs_bird
@pytest.mark.netns
def test_bird_takes_the_preferred_one_of_two_rip_routers(spaces: tuple[Space, Space], tmp_path: Path) -> None:
    near, far = spaces
    texts = [
        render(
            routing(BIRD, route("0.0.0.0/0", *order, ports=ports, detection=Detection.PROTOCOL)),
            NEAR,
        )
        for order, ports in (((FIRST, SECOND), ("p1", "p2")), ((SECOND, FIRST), ("p2", "p1")))
    ]
    with running(far, tmp_path, "far", FAR), running(near, tmp_path, "near", texts[0]) as configure:
        until(near, "default via 10.77.1.1 dev p1")
        configure(texts[1])
        until(near, "default via 10.77.2.1 dev p2")
