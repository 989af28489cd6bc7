"""The kernel's boot file, an `ip -batch` text: read, written and run."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backstay.core.model.routing import Detection, EngineKind
from backstay.core.rendering import render, saved_routes, validation_errors
from backstay.core.rendering.kernel.renderer import PROTOCOL
from backstay.core.tests.rendering.render_netns import Space, namespace
from backstay.core.tests.rendering.render_routes import block, paths, route, routing

KERNEL = EngineKind.KERNEL
HOST = """\
# sp08 at boot
link set css0 up
address add 10.1.0.18/24 dev css0
route add default via 10.1.0.201 dev css0   # the GRF
route append default via 10.1.0.15 metric 5
route add 198.51.100.0/24 via 10.1.0.9 metric 0x10
route add unreachable 203.0.113.0/24
route add default via 10.1.0.1 table 7
"""


def test_block_replaces_hand_written_routes_at_the_end() -> None:
    after = render(routing(KERNEL, route()), HOST)

    hand = (
        "route add default via 10.1.0.201 dev css0   # the GRF\nroute append default via 10.1.0.15 metric 5\n"
    )

    assert after == HOST.replace(hand, "") + (
        "# BEGIN backstay sp-default 0.0.0.0/0\n"
        "route replace 0.0.0.0/0 via 10.1.0.201 dev css0 proto 201 metric 60\n"
        "route replace 0.0.0.0/0 via 10.1.0.15 dev css0 proto 201 metric 70\n"
        "# END backstay sp-default 0.0.0.0/0\n"
    )


def test_saved_routes_are_the_main_tables_gateways() -> None:
    assert paths(saved_routes(KERNEL, HOST)) == {
        "0.0.0.0/0": [("10.1.0.201", 0), ("10.1.0.15", 5)],
        "198.51.100.0/24": [("10.1.0.9", 16)],
    }


@pytest.mark.parametrize(
    ("line", "hops"),
    [
        ("route add ::/0 via 2001:db8::1", [("2001:db8::1", 1024)]),
        ("route add default via inet6 fe80::1 dev css0 metric 7", [("fe80::1", 7)]),
        ("route add 10.2.0.0/16 via 10.1.0.1 onlink dev css0 mtu lock 9000 preference 4", [("10.1.0.1", 4)]),
        (
            "route add 10.2.0.0/16 nexthop via 10.1.0.1 weight 2 nexthop via 10.1.0.2 dev css0",
            [("10.1.0.1", 0), ("10.1.0.2", 0)],
        ),
        ("route add unicast 10.2.0.0/16 via 10.1.0.1 table main", [("10.1.0.1", 0)]),
        ("ro replace 10.2.0.1 via 10.1.0.1", [("10.1.0.1", 0)]),
        ("route add 10.2.0.0/16 dev css0", []),
        ("route add 10.2.0.0/16 nhid 5", []),
        ("route del default", []),
        ("rule add from 10.1.0.0/16 table 7", []),
    ],
)
def test_every_line_syntax_is_read(line: str, hops: list[tuple[str, int]]) -> None:
    found = paths(saved_routes(KERNEL, f"{line}\n"))

    assert list(found.values()) == ([hops] if hops else [])


@pytest.mark.parametrize(
    "line",
    ["route add 10.2.0.0/16 via", "route add elsewhere via 10.1.0.1", "route add 10.2.0.0/16 via router"],
)
def test_unreadable_route_is_refused_with_its_line(line: str) -> None:
    assert validation_errors(KERNEL, f"\n{line}\n") == [f"line 2: cannot read {line!r}"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("route add default nhid 5", "the route to 0.0.0.0/0 uses nexthop object 5"),
        (
            "route add default nexthop via 10.1.0.1 nexthop via 10.1.0.2 dev css0",
            r"the route to 0.0.0.0/0 has several next hops \(ECMP\)",
        ),
    ],
)
def test_balanced_route_of_a_planned_prefix_is_refused_with_its_line(line: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"line 2: {why}; remove it first"):
        render(routing(KERNEL, route()), f"# at boot\n{line}\n")
    other = line.replace("default", "198.51.100.0/24")
    assert other in render(routing(KERNEL, route()), f"# at boot\n{other}\n")
    drifted = render(routing(KERNEL, route()), "") + f"{line}\n"
    assert line not in render(routing(KERNEL, route()), drifted)


def test_route_removal_after_our_block_is_refused() -> None:
    after = render(routing(KERNEL, route()), "route flush proto 201\n")

    assert validation_errors(KERNEL, after) == []
    (text,) = validation_errors(KERNEL, f"{after}route flush proto 201\n")
    assert "removes routes after Backstay's blocks" in text


@pytest.mark.parametrize("detection", [Detection.BFD, Detection.PROTOCOL])
def test_kernel_supports_only_the_checker(detection: Detection) -> None:
    with pytest.raises(ValueError, match=r"sp05 (cannot use BFD with|has) plain kernel routes"):
        block(routing(KERNEL), route(detection=detection))


@pytest.fixture
def space() -> Iterator[Space]:
    """A namespace with a port `css0`."""
    with namespace() as made:
        made.ip(
            "link add css0 type veth peer name far",
            "link set css0 up",
            "link set far up",
            "address add 10.1.0.18/24 dev css0",
            "address add 2001:db8::18/64 dev css0 nodad",
        )
        yield made


def shown(space: Space, family: str) -> list[tuple[Any, ...]]:
    text = space.ask("-j", "-d", family, "route", "show", "proto", str(PROTOCOL))
    return sorted((load["dst"], load["gateway"], load["metric"]) for load in json.loads(text or "[]"))


@pytest.mark.netns
def test_batch_can_run_twice_for_both_families(space: Space, tmp_path: Path) -> None:
    value = routing(
        KERNEL,
        route(),
        route("::/0", ("grf1", "2001:db8::1"), ("atm-gw", "fe80::15")),
        route("2001:db8:9::/48", ("grf1", "2001:db8::1"), policy="far"),
    )
    file = tmp_path / "routes"
    file.write_text(render(value, "# nothing else\r\n"))
    for _ in range(2):
        subprocess.run([*space.enter, "ip", "-batch", str(file)], check=True)

    assert shown(space, "-4") == [("default", "10.1.0.15", 70), ("default", "10.1.0.201", 60)]
    assert shown(space, "-6") == [
        ("2001:db8:9::/48", "2001:db8::1", 60),
        ("default", "2001:db8::1", 60),
        ("default", "fe80::15", 70),
    ]
