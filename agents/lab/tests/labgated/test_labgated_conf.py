"""labgated's configuration: statements, defaults, includes, order, and errors with line numbers."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay_gatedconf.static import StaticRoute
from backstay_lab.labgated.config import Config, ConfigError, load, parse, rip_password, static_preference

HERE = Path("/nowhere")

WHOLE = """
# A node that may fall back.
traceoptions "/var/tmp/gated.log" replace size 200k files 3 nostamp general route except timer;
options syslog upto info mark 60;
interfaces {
    options strictinterfaces scaninterval 15;
    interface css0 en preference 5 down preference 121 passive;
    define 10.3.0.1 pointtopoint 10.3.0.2;
};
autonomoussystem 65001 loops 1; /* of no
consequence */
routerid 10.1.0.17;
martians { 10.0.0.0 masklen 8 allow; host 10.1.0.9; };
rip yes { nobroadcast; interface all version 2 noripout metricin 3 authentication simple "secret";
          preference 95; trustedgateways 10.1.0.201 10.1.0.15; };
redirect no { preference 30; interface css0 noredirects; };
icmp { traceoptions all; };
snmp no;
kernel { options noflushatexit; remnantholdtime 30; flash limit 10 type all; background priority lower; };
routerdiscovery client yes { preference 56; interface css0 enable multicast quiet; };
static {
    default gateway 10.1.0.201 10.1.0.15 interface css0 preference 61 retain noinstall;
    192.0.2.0 mask 0xffffff00 gateway 127.0.0.1 reject;
    host 10.9 gateway 127.0.0.1 blackhole;
    172.16 interface en0;
};
import proto rip gateway 10.1.0.201 preference 75 { default; 192.0.2.0 masklen 24 refines preference 80; };
import proto rip restrict;
export proto rip interface css0 metric 2 { proto static { all metric 3; default restrict; };
  proto direct restrict; };
"""


def config(text: str) -> Config:
    return parse(text, "gated.conf", HERE)


def refused_at(text: str) -> int:
    """The line at which a text is refused; 1 if it is accepted."""
    try:
        config(text)
    except ConfigError as fault:
        return fault.line
    return 1


def test_every_kind_of_statement_is_parsed() -> None:
    found = config(WHOLE)
    rule = found.port_rules[0]
    assert (rule.names, rule.preference, rule.down_preference) == (("css0", "en"), 5, 121)
    assert rule.flags == ("passive",)
    assert (found.strict, found.scan_s) == (True, 15)
    assert found.rip.trusted == (IPv4Address("10.1.0.201"), IPv4Address("10.1.0.15"))
    ports = found.rip.ports[0]
    assert (ports.version, ports.metric_in, found.rip_preference) == ("2", 3, 95)
    assert rip_password(ports) == "secret"
    assert (found.flush_at_exit, found.remnant_s) == (False, 30)
    assert (found.discovery.on, found.discovery_preference) == (True, 56)
    assert [(item.names, item.flags) for item in found.discovery_ports] == [
        (("css0",), ("enable", "multicast", "quiet"))
    ]
    assert [str(static.network) for static in found.statics] == [
        "0.0.0.0/0",
        "192.0.2.0/24",
        "10.9.0.0/32",
        "172.16.0.0/16",
    ]
    first = found.statics[0]
    assert (len(first.gateways), first.preference, first.flags) == (2, 61, ("retain", "noinstall"))
    assert [route.flags for route in found.statics[1:3]] == [("reject",), ("blackhole",)]
    assert found.statics[3].interfaces == ("en0",)
    assert [rule.value for rule in found.imports[0].rules] == [None, 80]
    assert found.imports[1].restrict


def test_empty_file_means_gateds_defaults() -> None:
    found = config("")
    assert (found.rip.on, found.rip_preference, found.discovery.on, found.flush_at_exit) == (
        True,
        100,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("static {\n  default gatway 10.0.0.1;\n};", 2, "'gatway' where 'gateway' is expected"),
        ("static {\n  default gateway 10.0.0.1\n};\n", 3, "is expected"),
        ("rip no;\n\nstatic { default gateway 10.0.0.1; }", 3, "the end of the file' where ';'"),
        ("static { };\nrip no;", 2, "'rip' is one of the protocols, which come before the static"),
        ("import proto rip restrict;\nstatic { };", 2, "which come before the control"),
        ("rip no;\noptions nosend;", 2, "which come before the protocols"),
        ("static { default gateway 10.0.0.1 preference 256; };", 1, "a number from 0 to 255"),
        ("static { 10.1.2.3 masklen 16 gateway 10.0.0.1; };", 1, "a mask that covers 10.1.2.3"),
        ("static { 10.0.0.0 mask 255.0.255.0 gateway 10.0.0.1; };", 1, "the bits of a mask"),
        ("static { 10.0.0.300 gateway 10.0.0.1; };", 1, "where a network, `default` or `host` is expected"),
        ("\n/* begun", 2, "unterminated string or comment"),
        ('traceoptions "x', 1, "unterminated string or comment"),
        ("ospf yes;", 1, "labgated does not implement ospf"),
        ("rip no;\nrip yes;", 2, "a second 'rip' statement"),
        ('rip yes { interface all authentication md5 "x"; };', 1, "labgated does not implement RIP with MD5"),
        ("routerdiscovery server yes;", 1, "does not implement the server of router discovery"),
        ("%frobnicate", 1, "needs a quoted path"),
        ('%frobnicate "x"', 1, "unknown directive"),
        ('%include "not-there"', 1, "cannot include"),
        ("nonsense;", 1, "a statement that gated knows"),
    ],
)
def test_error_names_its_line(text: str, line: int, problem: str) -> None:
    with pytest.raises(ConfigError, match=f"^parse: gated.conf:{line} ") as caught:
        config(text)
    assert problem in str(caught.value)


def test_included_files_are_parsed_and_named_in_errors(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "routes").write_text("static {\n default gateway 10.0.0.1;\n};\n")
    (tmp_path / "gated.conf").write_text('rip no;\n%directory "parts"\n%include "routes"\n')
    (tmp_path / "gated.conf").write_text(f'rip no;\n%directory "{tmp_path}/parts"\n%include "routes"\n')
    assert len(load(tmp_path / "gated.conf").statics) == 1
    (tmp_path / "parts" / "routes").write_text("static {\n default;\n};\n")
    with pytest.raises(ConfigError, match="parse: routes:2"):
        load(tmp_path / "gated.conf")


def test_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gated.conf").write_text('%include "gated.conf"\n')
    with pytest.raises(ConfigError, match="include one another"):
        load(tmp_path / "gated.conf")


def test_strict_interfaces_must_exist(tmp_path: Path) -> None:
    (tmp_path / "gated.conf").write_text(
        "interfaces { options strictinterfaces; interface css0 en passive; };"
    )
    assert load(tmp_path / "gated.conf", ["lo", "css0", "en1"]).strict
    with pytest.raises(ConfigError, match="no interface css0"):
        load(tmp_path / "gated.conf", ["lo", "en1"])


FLAGS = ("retain", "reject", "blackhole", "noinstall")
addresses = st.integers(1 << 24, (224 << 24) - 1).map(IPv4Address)
networks = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 32)).map(
    lambda pair: IPv4Network((pair[0] >> (32 - pair[1]) << (32 - pair[1]), pair[1]))
)
options = st.sets(st.sampled_from(FLAGS)).map(lambda found: tuple(flag for flag in FLAGS if flag in found))
statics = st.builds(
    StaticRoute,
    network=networks | st.just(IPv4Network("0.0.0.0/0")),
    gateways=st.lists(addresses, min_size=1, max_size=3).map(tuple),
    interfaces=st.just(()) | st.just(("css0",)) | st.just(("css0", "en")),
    preference=st.integers(0, 255),
    flags=options,
)


def written(route: StaticRoute) -> list[str]:
    """The route's statement as tokens, with a dotted mask."""
    tokens = ["default"]
    if route.network.prefixlen:
        tokens = [str(route.network.network_address), "mask", str(route.network.netmask)]
    tokens += ["gateway", *map(str, route.gateways)]
    tokens += ["interface", *route.interfaces] if route.interfaces else []
    return [*tokens, "preference", str(static_preference(route)), *route.flags, ";"]


@given(
    st.lists(statics, max_size=8),
    st.lists(st.sampled_from([" ", "\n", "\t", " # x ;\n", "/* {\n */"])),
    st.data(),
)
def test_written_statements_parse_back_with_any_separators(
    routes: list[StaticRoute], gaps: list[str], data: st.DataObject
) -> None:
    tokens = ["static", "{", *(token for route in routes for token in written(route)), "}", ";"]
    gap = st.sampled_from([*gaps, " "])
    text = "".join(token + data.draw(gap) for token in tokens)
    assert config(text).statics == routes


@given(st.text(alphabet=st.sampled_from('{};"#/*\n 0123456789.%'), max_size=60) | st.text(max_size=30))
def test_any_text_is_parsed_or_refused_with_a_line(text: str) -> None:
    assert 1 <= refused_at(text) <= text.count("\n") + 1


@given(st.data())
def test_file_missing_one_token_is_parsed_or_refused_with_a_line(data: st.DataObject) -> None:
    tokens = WHOLE.split(" ")
    del tokens[data.draw(st.integers(0, len(tokens) - 1))]
    text = " ".join(tokens)
    assert 1 <= refused_at(text) <= text.count("\n") + 1
