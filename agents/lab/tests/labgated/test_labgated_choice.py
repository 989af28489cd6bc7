"""labgated selects routes like gated: by preference, even if that is undesirable."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address, IPv4Interface, IPv4Network
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from backstay_lab.labgated.candidates import World, candidates, imported
from backstay_lab.labgated.config import Config, parse
from backstay_lab.labgated.rib import Chosen, Rib
from backstay_lab.labgated.rip import Learned
from backstay_lab.labgated.values import GatedPort, KernelRoute

DEFAULT = IPv4Network("0.0.0.0/0")
GRF, ATM = IPv4Address("10.1.0.201"), IPv4Address("10.1.0.15")
CSS = GatedPort("css0", 2, True, (IPv4Interface("10.1.0.17/24"),))
ETHERNET = GatedPort("en0", 3, True, (IPv4Interface("10.255.0.17/24"),))
STATICS = (
    "static { default gateway 10.1.0.201 preference 60; default gateway 10.255.0.1 preference 61 retain; };"
)


def config(text: str) -> Config:
    return parse(text, "gated.conf", Path("/nowhere"))


def chosen(text: str, world: World, prefix: IPv4Network = DEFAULT) -> Chosen:
    table = Rib().choose(candidates(config(text), world, 0.0))
    return next(item for item in table if item.prefix == prefix)


def kernel(text: str, world: World) -> dict[str, str]:
    """Prefix -> gateway or kind of the installed route."""
    rib = Rib()
    rib.choose(candidates(config(text), world, 0.0))
    wanted = rib.wanted(world.ports)
    return {str(prefix): str(route.gateway or route.kind) for prefix, route in wanted.items()}


def learned(prefix: str, gateway: IPv4Address, metric: int = 2, deleted: float | None = None) -> Learned:
    return Learned(IPv4Network(prefix), gateway, gateway, "css0", metric, 0.0, deleted)


def test_lower_preference_is_active_while_both_ports_are_up() -> None:
    assert kernel(STATICS, World([CSS, ETHERNET])) == {"0.0.0.0/0": "10.1.0.201"}


def test_down_port_withdraws_its_static_routes() -> None:
    assert kernel(STATICS, World([replace(CSS, up=False), ETHERNET])) == {"0.0.0.0/0": "10.255.0.1"}
    down = [replace(CSS, up=False), replace(ETHERNET, up=False)]
    assert kernel(STATICS, World(down)) == {}


def test_first_usable_gateway_of_a_statement_is_used() -> None:
    text = "static { default gateway 10.255.0.1 10.1.0.201; };"
    assert kernel(text, World([CSS, ETHERNET])) == {"0.0.0.0/0": "10.255.0.1"}
    assert kernel(text, World([CSS])) == {"0.0.0.0/0": "10.1.0.201"}
    only = "static { default gateway 10.255.0.1 10.1.0.201 interface css; };"
    assert kernel(only, World([CSS, ETHERNET])) == {"0.0.0.0/0": "10.1.0.201"}


def test_own_or_off_link_address_is_no_gateway() -> None:
    text = "static { default gateway 10.1.0.17; 192.0.2.0 masklen 24 gateway 198.51.100.1; };"
    assert kernel(text, World([CSS])) == {}


def test_reject_and_blackhole_need_no_port_and_noinstall_is_not_installed() -> None:
    text = """static {
        192.0.2.0 masklen 24 gateway 127.0.0.1 reject;
        198.51.100.0 masklen 24 gateway 127.0.0.1 blackhole;
        default gateway 10.1.0.201 preference 10 noinstall;
        default gateway 10.1.0.15 preference 20;
    };"""
    assert kernel(text, World([CSS])) == {"192.0.2.0/24": "unreachable", "198.51.100.0/24": "blackhole"}
    active = chosen(text, World([CSS])).active
    assert active is not None
    assert active.hop.address == GRF


def test_foreign_kernel_route_precedes_a_static_route() -> None:
    theirs = KernelRoute(DEFAULT, ATM, CSS.index)
    assert kernel(STATICS, World([CSS], foreign=[theirs])) == {}
    stronger = "static { default gateway 10.1.0.201 preference 39; };"
    assert kernel(stronger, World([CSS], foreign=[theirs])) == {"0.0.0.0/0": "10.1.0.201"}


def test_remnant_stays_until_a_better_route_exists() -> None:
    left = KernelRoute(DEFAULT, ATM, CSS.index)
    assert kernel("rip no;", World([CSS], remnants=[left])) == {"0.0.0.0/0": "10.1.0.15"}
    assert kernel(STATICS, World([CSS], remnants=[left])) == {"0.0.0.0/0": "10.1.0.201"}


def test_interface_preference_changes_when_down_unless_passive() -> None:
    down = World([replace(CSS, up=False)])
    network = IPv4Network("10.1.0.0/24")
    for options, expected in (
        ("", 120),
        ("down preference 30", 30),
        ("passive", 0),
        ("preference 7 passive", 7),
    ):
        text = f"interfaces {{ interface css0 {options}; }};"
        assert chosen(text, down, network).routes[0].preference == expected


def test_imports_rank_neighbours_and_refuse_unlisted_ones() -> None:
    text = """
    import proto rip gateway 10.1.0.201 preference 75 { default; };
    import proto rip gateway 10.1.0.15 preference 90 { default; 10.8.0.0 masklen 16 preference 33; };
    import proto rip restrict;
    """
    routes = [
        learned("0.0.0.0/0", ATM, 1),
        learned("0.0.0.0/0", GRF, 9),
        learned("10.8.4.0/24", ATM),
        learned("10.9.0.0/24", ATM),
    ]
    world = World([CSS], learned=routes)
    assert kernel(text, world) == {"0.0.0.0/0": "10.1.0.201", "10.8.4.0/24": "10.1.0.15"}
    assert [route.preference for route in chosen(text, world).routes] == [75, 90]


def test_longest_filter_decides_and_default_precedes_all() -> None:
    text = """import proto rip preference 70 {
        all preference 71; default preference 72; 10.0.0.0 masklen 8 restrict; 10.9.0.0 masklen 16 exact;
    };"""
    read_ = config(text)

    def preference(prefix: str) -> int | None:
        return imported(read_, "rip", IPv4Network(prefix), GRF, CSS)

    assert preference("0.0.0.0/0") == 72
    assert preference("192.0.2.0/24") == 71
    assert preference("10.8.0.0/16") is None
    assert preference("10.9.0.0/16") == 70
    assert preference("10.9.4.0/24") is None


def test_martians_are_rejected_unless_allowed() -> None:
    assert imported(config(""), "rip", IPv4Network("127.0.0.0/16"), GRF, CSS) is None
    allowed = config("martians { 127.0.0.0 masklen 8 allow; };")
    assert imported(allowed, "rip", IPv4Network("127.0.0.0/16"), GRF, CSS) == -1


def test_static_route_precedes_rip_only_by_preference() -> None:
    routes = World([CSS], learned=[learned("0.0.0.0/0", ATM)])
    assert kernel("static { default gateway 10.1.0.201; };", routes) == {"0.0.0.0/0": "10.1.0.201"}
    assert kernel("static { default gateway 10.1.0.201 preference 200; };", routes) == {
        "0.0.0.0/0": "10.1.0.15"
    }


def test_deleted_active_route_is_marked_until_removed() -> None:
    rib, now = Rib(), 0.0
    alive = World([CSS], learned=[learned("0.0.0.0/0", GRF, 1), learned("0.0.0.0/0", ATM, 2)])
    lost = World([CSS], learned=[learned("0.0.0.0/0", GRF, 16, deleted=5.0), learned("0.0.0.0/0", ATM, 2)])
    gone = World([CSS], learned=[learned("0.0.0.0/0", ATM, 2)])
    states = []
    for world in (alive, lost, lost, gone):
        table = rib.choose(candidates(config(""), world, now))
        item = next(item for item in table if item.prefix == DEFAULT)
        states.append(
            (item.active and str(item.active.hop.address), item.before and str(item.before.hop.address))
        )
    assert states == [
        ("10.1.0.201", None),
        ("10.1.0.15", "10.1.0.201"),
        ("10.1.0.15", "10.1.0.201"),
        ("10.1.0.15", None),
    ]


def test_route_age_counts_from_its_first_announcement() -> None:
    rib, found = Rib(), config(STATICS)
    for now in (10.0, 50.0):
        table = rib.choose(candidates(found, World([CSS]), now))
    assert {route.since for route in table[0].routes} == {10.0}
    rib.choose(candidates(found, World([]), 60.0))
    table = rib.choose(candidates(found, World([CSS]), 70.0))
    assert {route.since for route in table[0].routes} == {70.0}


@given(st.lists(st.tuples(st.integers(1, 200), st.integers(0, 255), st.booleans()), min_size=1, max_size=8))
def test_active_route_is_the_best_installable_one(rows: list[tuple[int, int, bool]]) -> None:
    lines = [
        f"default gateway {'10.1.0' if up else '10.77.0'}.{host} preference {preference};"
        for host, preference, up in rows
        if host != 17
    ]
    usable = [preference for host, preference, up in rows if up and host != 17]
    table = Rib().choose(candidates(config("static { " + " ".join(lines) + " };"), World([CSS]), 0.0))
    active = [item.active for item in table if item.prefix == DEFAULT]
    assert [route.preference for route in active if route] == ([min(usable)] if usable else [])
