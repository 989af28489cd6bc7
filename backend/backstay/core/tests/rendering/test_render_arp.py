"""ARP boot files: written, parsed back, operator lines unchanged."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay.core.model.arp import FabricArp, NodeArp, PortArp, StaticNeighbour
from backstay.core.rendering.arp import files
from backstay.core.rendering.arp.saved import saved
from backstay.core.tests.planning.arp_sites import FILES

macs = st.binary(min_size=6, max_size=20).map(lambda octets: octets.hex(":"))
addresses = st.ip_addresses().filter(lambda item: getattr(item, "scope_id", None) is None)
names = st.from_regex(r"[a-z]{2,4}[0-9]{1,2}(\.[0-9]{1,3})?", fullmatch=True)
values = st.dictionaries(
    st.sampled_from(["ipv4.conf.arp_ignore", "ipv4.neigh.gc_stale_time", "ipv6.conf.proxy_ndp"]),
    st.integers(0, 2),
).map(lambda found: tuple(sorted(found.items())))
tables = st.dictionaries(
    st.sampled_from(["ipv4.gc_thresh1", "ipv6.gc_thresh3"]), st.integers(0, 2**31 - 1)
).map(lambda found: tuple(sorted(found.items())))
texts = st.lists(
    st.sampled_from(["", "# mine", "route add 10.0.0.0/8 via 10.1.0.9", "vm.swappiness = 3"]), max_size=4
).map(lambda lines: "".join(f"{line}\n" for line in lines))


@st.composite
def node_arps(draw: st.DrawFn) -> NodeArp:
    ports = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    fabrics = []
    for number, name in enumerate(ports):
        flag = draw(st.sampled_from([True, False, None]))
        known = draw(st.dictionaries(addresses, macs, max_size=3)) if flag is False else {}
        entries = tuple(StaticNeighbour(*item) for item in known.items())
        port = PortArp(name, flag, draw(values), entries)
        fabrics.append(FabricArp(f"f{number}", (port,), draw(tables) if number == 0 else ()))
    return NodeArp("sp01", 1, FILES, tuple(fabrics))


@settings(max_examples=60, deadline=None)
@given(node_arps(), texts, texts)
def test_written_files_parse_to_the_intended_state(wanted: NodeArp, config: str, sysctl: str) -> None:
    first, second = files.render_config(wanted, config), files.render_settings(wanted, sysctl)
    kept = saved(first, second)
    for name, port in wanted.ports.items():
        boot = kept.port(name)
        assert boot.arp is port.arp
        assert boot.settings == dict(port.settings)
        assert set(boot.entries()) == set(port.neighbours)
    assert kept.table == wanted.table
    assert files.render_config(wanted, first) == first
    assert files.render_settings(wanted, second) == second
    nothing = NodeArp("sp01", 1, FILES)
    assert files.render_config(nothing, first) == config
    assert files.render_settings(nothing, second) == sysctl


def test_port_name_with_dot_is_written_with_slashes() -> None:
    wanted = NodeArp(
        "sp01", 1, FILES, (FabricArp("eth", (PortArp("eth0.100", None, (("ipv4.conf.arp_filter", 1),)),)),)
    )
    text = files.render_settings(wanted, "")
    assert "net/ipv4/conf/eth0.100/arp_filter = 1\n" in text
    assert saved("", text).port("eth0.100").settings == {"ipv4.conf.arp_filter": 1}


def test_operator_lines_are_part_of_the_saved_state() -> None:
    config = (
        "neigh add 10.1.0.9 lladdr 02:00:00:00:00:09 dev css0\n"
        "link set css0 arp off\n"
        "neigh replace 10.1.0.8 lladdr 02:00:00:00:00:08 nud permanent dev css0  # mine\n"
        "neigh replace 10.1.0.7 lladdr 02:00:00:00:00:07 dev css0 nud reachable\n"
    )
    sysctl = "; old\n-net.ipv4.conf.css0.arp_ignore=1\nnet.ipv4.conf.all.arp_ignore = 2\n"
    boot = saved(config, sysctl).port("css0")
    assert boot.arp is False
    assert [str(entry.address) for entry in boot.entries()] == ["10.1.0.8"], "the flag empties the table"
    assert boot.settings == {"ipv4.conf.arp_ignore": 1}


@pytest.mark.parametrize(
    "line", ["neigh replace 10.1.0.x lladdr 02:00:00:00:00:01 dev css0", "link set dev css0 arp maybe"]
)
def test_unreadable_line_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="line 2 of the ARP file"):
        saved(f"# mine\n{line}\n", "")


@pytest.mark.parametrize(
    ("port", "text_part"),
    [
        (PortArp("css0/../x"), "port name"),
        (PortArp("all"), "port name"),
        (
            PortArp("css0", False, (), (StaticNeighbour(ip_address("10.1.0.1"), "junk\n"),)),
            "hardware address",
        ),
        (PortArp("css0", None, (("ipv4.conf.x y", 1),)), "not a port setting"),
    ],
)
def test_unsafe_values_are_refused(port: PortArp, text_part: str) -> None:
    wanted = NodeArp("sp01", 1, FILES, (FabricArp("sp", (port,)),))
    with pytest.raises(ValueError, match=text_part):
        files.render_config(wanted, "") + files.render_settings(wanted, "")
