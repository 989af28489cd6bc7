"""gated.conf as values: written values parse back, and invalid syntax is refused."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backstay_gatedconf import (
    ConfError,
    discovery,
    interfaces,
    kernel,
    martians,
    parse,
    redirect,
    render,
    rip,
    static,
    trace,
)
from backstay_gatedconf.control import DestinationRule, Export, ExportSource, Import, Peers
from backstay_gatedconf.destinations import Destination
from backstay_gatedconf.document import Other, Value

preferences = st.none() | st.integers(0, 255)
addresses = st.integers(0x01000000, 0xDFFFFFFF).map(IPv4Address)
some = st.lists(addresses, min_size=1, max_size=3).map(tuple)
names = st.lists(st.sampled_from(["css0", "en", "en0", "all", "192.0.2.1"]), min_size=1, max_size=3).map(
    tuple
)
networks = st.builds(
    lambda address, length: IPv4Network((int(address) >> (32 - length) << (32 - length), length)),
    addresses,
    st.integers(0, 32),
)


def chosen(options: tuple[str, ...]) -> st.SearchStrategy[tuple[str, ...]]:
    """A subset of the options, in order."""
    return st.sets(st.sampled_from(options)).map(
        lambda found: tuple(option for option in options if option in found)
    )


def destination(network: IPv4Network, match: Any) -> Destination:
    return Destination(network, "" if network.prefixlen in (0, 32) else match)


destinations = st.just(Destination(None)) | st.builds(
    destination, networks, st.sampled_from(["", "exact", "refines"])
)
traces = st.builds(
    trace.Trace, st.sampled_from([("route",), ('"/tmp/x log"', "size", "200k", "files", "3", "all")])
)
few_traces = st.lists(traces, max_size=1).map(tuple)
statics = st.builds(
    static.StaticStatement,
    st.lists(
        st.builds(
            static.StaticRoute,
            networks,
            some,
            st.just(()) | names,
            preferences,
            chosen(("retain", "reject", "blackhole", "noinstall")),
        )
        | st.builds(
            static.StaticRoute,
            networks.filter(lambda network: 0 < network.prefixlen < 32),
            st.just(()),
            st.just(("css0",)),
            preferences,
            chosen(("retain",)),
        ),
        max_size=4,
    ).map(tuple),
)
ports = st.builds(
    interfaces.InterfacePorts,
    names,
    preferences,
    preferences,
    chosen(("passive", "simplex", "reject", "blackhole")),
    st.none() | st.integers(1, 65535),
)
defines = st.builds(
    interfaces.Define, addresses, st.just(""), st.none(), st.none() | addresses, st.booleans()
) | st.builds(
    interfaces.Define,
    addresses,
    st.sampled_from(["broadcast", "pointtopoint"]),
    addresses,
    st.none() | addresses,
    st.booleans(),
)
scans = st.builds(interfaces.Scan, st.booleans(), st.none() | st.integers(1, 3600))
interface_statements = st.builds(
    interfaces.Interfaces, st.lists(scans | ports | defines, max_size=4).map(tuple)
)
authentications = st.just(rip.Authentication("none", "", secondary=True)) | st.builds(
    rip.Authentication,
    st.sampled_from(["", "simple", "md5"]),
    st.sampled_from(["", "secret; }", "# x"]),
    st.booleans(),
)
rips = st.builds(
    rip.Rip,
    st.booleans(),
    chosen(("broadcast", "nobroadcast", "nocheckzero")),
    preferences,
    st.none() | st.integers(0, 16),
    st.lists(
        st.builds(
            rip.RipPorts,
            names,
            st.none() | st.booleans(),
            st.none() | st.booleans(),
            st.none() | st.integers(0, 16),
            st.none() | st.integers(0, 16),
            st.sampled_from(["", "1", "2", "2 multicast", "2 broadcast"]),
            st.lists(authentications, max_size=2).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    st.just(()) | some,
    st.just(()) | some,
    few_traces,
)
discoveries = st.builds(
    discovery.Discovery,
    st.sampled_from(["server", "client"]),
    st.booleans(),
    preferences,
    st.lists(
        st.builds(
            discovery.DiscoveryItem,
            st.sampled_from(["interface", "address"]),
            names,
            st.just(()) | st.just((("minadvinterval", 3), ("maxadvinterval", 4), ("lifetime", 12))),
            st.just(()) | st.just(("advertise", "broadcast")),
            preferences,
        ),
        max_size=2,
    ).map(tuple),
    few_traces,
)
redirects = st.builds(
    redirect.Redirect,
    st.booleans(),
    preferences,
    st.lists(st.builds(redirect.RedirectPorts, names, st.booleans()), max_size=2).map(tuple),
    st.just(()) | some,
    few_traces,
)
kernels = st.builds(
    kernel.Kernel,
    st.booleans(),
    st.booleans(),
    st.none() | st.integers(0, 9999),
    st.none() | st.integers(0, 9999),
    st.lists(
        st.builds(
            kernel.Batch,
            st.just("flash"),
            preferences,
            st.sampled_from(["", "interface", "interior", "all"]),
        )
        | st.builds(kernel.Batch, st.just("background"), preferences, st.sampled_from(["", "higher"])),
        max_size=2,
    ).map(tuple),
    few_traces,
)
peers = st.builds(Peers, names) | st.builds(Peers, st.just(()), some) | st.just(Peers())
rules = st.lists(
    st.builds(DestinationRule, destinations, preferences)
    | st.builds(DestinationRule, destinations, st.none(), st.just(True)),
    max_size=3,
).map(tuple)
imports = st.builds(Import, st.sampled_from(["rip", "redirect"]), peers, preferences, rules) | st.builds(
    Import,
    st.just("ospfase"),
    st.builds(Peers, st.just(()), st.just(()), preferences),
    st.none(),
    st.just(()),
    st.just(True),
)
sources = st.builds(
    ExportSource, st.sampled_from(["static", "direct", "rip", "kernel"]), peers, preferences, rules
) | st.builds(
    ExportSource,
    st.just("bgp"),
    st.builds(Peers, system=st.integers(1, 65535)),
    st.none(),
    st.just(()),
    st.just(True),
)
exports = st.builds(
    Export,
    st.just("rip"),
    peers,
    preferences,
    st.lists(sources, max_size=3).map(tuple),
) | st.builds(
    Export, st.just("ospfase"), st.builds(Peers, tag=preferences, kind=st.sampled_from(["", "1", "2"]))
)


def several(values: st.SearchStrategy[Any], most: int = 1) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, max_size=most)


files: st.SearchStrategy[list[Value]] = st.tuples(
    several(traces),
    st.just([Other(("options", "syslog", "upto", "info"))]) | st.just([]),
    several(interface_statements),
    several(st.just(Other(("routerid", "10.1.0.17"))), 1),
    several(
        st.builds(
            martians.Martians,
            st.lists(st.builds(martians.Martian, destinations, st.booleans()), max_size=3).map(tuple),
        ),
        1,
    ),
    several(rips),
    several(redirects),
    several(kernels),
    several(discoveries, 2),
    several(statics, 2),
    several(imports | exports, 3),
).map(lambda parts: [value for part in parts for value in part])


@settings(max_examples=40, deadline=None)
@given(files)
def test_written_values_parse_back(values: list[Value]) -> None:
    text = render(values)

    assert list(parse(text).values) == values
    assert render(parse(text).values) == text


@settings(max_examples=40, deadline=None)
@given(files, st.sampled_from([" ", "\n", " # x; } {\n", "/* y; \n */"]))
def test_white_space_and_comments_are_ignored(values: list[Value], gap: str) -> None:
    tokens = [text for line in render(values).splitlines() for text in _pieces(line)]

    assert list(parse(gap.join(tokens)).values) == values


def _pieces(line: str) -> list[str]:
    """A line's tokens; a line with a string is one token."""
    return [line] if '"' in line else line.replace(";", " ;").split()


FILE = """
# a host of the switch
%directory "/usr/local"
traceoptions "/var/tmp/log" size 100k files 2 route ; options noresolv;
interfaces { options strictinterfaces; interface en0 down preference 130 passive; };
autonomoussystem 64512; routerid 10.1.0.17;
ospf yes { backbone { interface en0 cost 5 { priority 1; }; }; };
rip on; redirect no;
static {
    default gateway 10.1.0.201 preference 60 retain; /* the
       first */ 10.2 mask 255.255.0.0 gateway 10.1.0.1 10.1.0.2;
    192.0.2.32 mask 0xfffffff0 gateway 10.1.0.3 preference 8 retain;
    host 198.51.100.7 gateway 10.1.0.4;
    172.20.0.0 interface en0;
};
import proto rip gateway 10.1.0.5 preference 75 ;
export proto rip metric 2 { proto static { all; }; proto direct interface en0 restrict; };
"""


def test_complete_file_is_parsed() -> None:
    values = parse(FILE).values
    found = next(value for value in values if isinstance(value, static.StaticStatement)).routes

    assert [str(route.network) for route in found] == [
        "0.0.0.0/0",
        "10.2.0.0/16",
        "192.0.2.32/28",
        "198.51.100.7/32",
        "172.20.0.0/16",
    ]
    assert len(found[1].gateways) == 2
    assert parse(render(values)).values == values


def test_statements_and_parts_have_their_positions() -> None:
    document = parse(FILE)
    (statement,) = [item for item in document.statements if FILE[item.start :].startswith("static")]

    assert FILE[statement.start : statement.end].startswith("static {")
    assert FILE[slice(*statement.parts[0])] == "default gateway 10.1.0.201 preference 60 retain;"
    assert FILE[slice(*statement.parts[-1])] == "172.20.0.0 interface en0;"
    assert len(statement.parts) == 5


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "static { };\nrip no;\n",
            "line 2: 'rip' is one of the protocols, which come before the static above it",
        ),
        ("import proto rip restrict;\nstatic { };", "line 2"),
        ("redirect no;\nredirect yes;", "line 2: a second 'redirect' statement"),
        ("static {\n default gateway 10.1.0.1\n}", "line 3: '}' where 'retain'"),
        ("static { default gateway 10.1.0.1; }", "line 1: 'the end of the file' where ';'"),
        ("static { default gateway router; };", "line 1: 'router' where an address"),
        ("static { default gateway 10.1.0.1 preference 256; };", "a number from 0 to 255"),
        ("static { 10.1.1.1 masklen 8 gateway 10.1.0.1; };", "a mask that covers 10.1.1.1"),
        ("static { 10.0.0.0 mask 255.0.255.0 gateway 10.1.0.1; };", "the bits of a mask"),
        ("static { 10.0.0.0 masklen 8 interface en0 en1; };", "one interface alone"),
        ("rip maybe;", "line 1: 'maybe' where 'yes' or 'no'"),
        ("colour green;", "line 1: 'colour' where a statement that gated knows"),
        ("ospf yes { ;\n", "line 2: 'the end of the file' where more"),
        ("} ;", "line 1: '}' where a statement"),
        ("\n\n/* never", "line 3: unterminated string or comment"),
        ('%include "never\n', "line 1"),
        ("traceoptions { all; };", "line 1: '{' where an option"),
        ("traceoptions ;", "a trace option"),
    ],
)
def test_invalid_syntax_is_refused_with_its_line(text: str, why: str) -> None:
    with pytest.raises(ConfError) as caught:
        parse(text)
    assert why in str(caught.value)
