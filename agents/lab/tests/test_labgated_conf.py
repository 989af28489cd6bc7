"""labgated reads gated.conf: its language, its order of statements, and what it says of mistakes."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backstay_lab.labgated.conf.config import Config, Static
from backstay_lab.labgated.conf.document import STATEMENTS, load, read
from backstay_lab.labgated.conf.tokens import SyntaxFault

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
    return read(text, "gated.conf", HERE)


def refused_at(text: str) -> int:
    """The line at which a text is refused; the first when it is not."""
    try:
        config(text)
    except SyntaxFault as fault:
        return fault.line
    return 1


def test_every_kind_of_statement_is_read() -> None:
    found = config(WHOLE)
    rule = found.port_rules[0]
    assert (rule.ports, rule.preference, rule.down, rule.passive) == (("css0", "en"), 5, 121, True)
    assert (found.strict, found.scan_s, found.router_id) == (True, 15, IPv4Address("10.1.0.17"))
    assert found.rip.trusted == (IPv4Address("10.1.0.201"), IPv4Address("10.1.0.15"))
    ports = found.rip.ports[0]
    assert (ports.version, ports.metric_in, ports.password, found.rip.preference) == (2, 3, "secret", 95)
    assert (found.flush_at_exit, found.remnant_s) == (False, 30)
    assert (found.discovery.on, found.discovery.preference) == (True, 56)
    assert found.discovery.ports == [(("css0",), True, False)]
    assert [str(static.prefix) for static in found.statics] == [
        "0.0.0.0/0",
        "192.0.2.0/24",
        "10.9.0.0/32",
        "172.16.0.0/16",
    ]
    first = found.statics[0]
    assert (len(first.gateways), first.preference, first.retain, first.noinstall) == (2, 61, True, True)
    assert (found.statics[1].reject, found.statics[2].blackhole, found.statics[3].ports) == (
        True,
        True,
        ("en0",),
    )
    assert [item.preference for item in found.imports[0].filters] == [None, 80]
    assert found.imports[1].filters == ()


def test_an_empty_file_means_gateds_defaults() -> None:
    found = config("")
    assert (found.rip.on, found.rip.preference, found.discovery.on, found.flush_at_exit) == (
        True,
        100,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("static {\n  default gatway 10.0.0.1;\n};", 2, "'gatway': gateway should stand here"),
        ("static {\n  default gateway 10.0.0.1\n};\n", 3, "should stand here"),
        ("rip no;\n\nstatic { default gateway 10.0.0.1; }", 3, "end of the file: ';'"),
        ("static { };\nrip no;", 2, "protocol statements come before static statements"),
        ("import proto rip restrict;\nstatic { };", 2, "static statements come before control statements"),
        ("rip no;\noptions nosend;", 2, "options statements come before protocol statements"),
        ("static { default gateway 10.0.0.1 preference 256; };", 1, "a number from 0 to 255"),
        ("static { 10.1.2.3 masklen 16 gateway 10.0.0.1; };", 1, "bits outside of its mask"),
        ("static { 10.0.0.0 mask 255.0.255.0 gateway 10.0.0.1; };", 1, "a mask should stand here"),
        ("static { 10.0.0.300 gateway 10.0.0.1; };", 1, "an address should stand here"),
        ("\n/* begun", 2, "this comment has no end"),
        ('traceoptions "x', 1, "this string has no end"),
        ("ospf yes;", 1, "gated knows this statement, its stand-in does not"),
        ("%frobnicate", 1, "a quoted path must follow"),
        ('%include "not-there"', 1, "cannot include"),
        ("nonsense;", 1, "a statement should begin here"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(SyntaxFault, match=f"^parse: gated.conf:{line} ") as caught:
        config(text)
    assert said in str(caught.value)


def test_included_files_are_part_of_the_file_and_named_in_its_mistakes(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "routes").write_text("static {\n default gateway 10.0.0.1;\n};\n")
    (tmp_path / "gated.conf").write_text('rip no;\n%directory "parts"\n%include "routes"\n')
    (tmp_path / "gated.conf").write_text(f'rip no;\n%directory "{tmp_path}/parts"\n%include "routes"\n')
    assert len(load(tmp_path / "gated.conf").statics) == 1
    (tmp_path / "parts" / "routes").write_text("static {\n default;\n};\n")
    with pytest.raises(SyntaxFault, match="parse: routes:2"):
        load(tmp_path / "gated.conf")


def test_a_file_that_includes_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "gated.conf").write_text('%include "gated.conf"\n')
    with pytest.raises(SyntaxFault, match="include one another"):
        load(tmp_path / "gated.conf")


def test_strict_interfaces_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "gated.conf").write_text(
        "interfaces { options strictinterfaces; interface css0 en passive; };"
    )
    assert load(tmp_path / "gated.conf", ["lo", "css0", "en1"]).strict
    with pytest.raises(SyntaxFault, match="there is no interface css0"):
        load(tmp_path / "gated.conf", ["lo", "en1"])


addresses = st.integers(1 << 24, (224 << 24) - 1).map(IPv4Address)
networks = st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 32)).map(
    lambda pair: IPv4Network((pair[0] >> (32 - pair[1]) << (32 - pair[1]), pair[1]))
)
statics = st.builds(
    Static,
    prefix=networks | st.just(IPv4Network("0.0.0.0/0")),
    gateways=st.lists(addresses, min_size=1, max_size=3).map(tuple),
    ports=st.just(()) | st.just(("css0",)) | st.just(("css0", "en")),
    preference=st.integers(0, 255),
    retain=st.booleans(),
    reject=st.booleans(),
    blackhole=st.booleans(),
    noinstall=st.booleans(),
)


def written(route: Static) -> list[str]:
    """The route's statement as words, long or short as gated allows."""
    words = ["default"]
    if route.prefix.prefixlen:
        words = [str(route.prefix.network_address), "mask", str(route.prefix.netmask)]
    words += ["gateway", *map(str, route.gateways)]
    words += ["interface", *route.ports] if route.ports else []
    words += ["preference", str(route.preference)]
    flags = ("retain", "reject", "blackhole", "noinstall")
    return [*words, *(flag for flag in flags if getattr(route, flag)), ";"]


@given(
    st.lists(statics, max_size=8),
    st.lists(st.sampled_from([" ", "\n", "\t", " # x ;\n", "/* {\n */"])),
    st.data(),
)
def test_what_was_written_is_read_whatever_stands_between_the_words(
    routes: list[Static], gaps: list[str], data: st.DataObject
) -> None:
    words = ["static", "{", *(word for route in routes for word in written(route)), "}", ";"]
    gap = st.sampled_from([*gaps, " "])
    text = "".join(word + data.draw(gap) for word in words)
    assert config(text).statics == routes


@given(st.text(alphabet=st.sampled_from('{};"#/*\n 0123456789.%'), max_size=60) | st.text(max_size=30))
def test_no_text_makes_it_stumble(text: str) -> None:
    assert 1 <= refused_at(text) <= text.count("\n") + 1


@given(st.data())
def test_a_whole_file_with_one_word_lost_is_read_or_refused_with_a_line(data: st.DataObject) -> None:
    words = WHOLE.split(" ")
    del words[data.draw(st.integers(0, len(words) - 1))]
    text = " ".join(words)
    assert 1 <= refused_at(text) <= text.count("\n") + 1


@given(st.permutations([word for word, (place, _) in STATEMENTS.items() if place in {2, 3, 4, 5}]))
def test_statements_are_accepted_exactly_in_the_order_of_their_classes(words: list[str]) -> None:
    bodies = {
        "interfaces": "interfaces { };",
        "autonomoussystem": "autonomoussystem 1;",
        "routerid": "routerid 10.0.0.1;",
        "martians": "martians { };",
        "rip": "rip no;",
        "redirect": "redirect no;",
        "icmp": "icmp { };",
        "kernel": "kernel { };",
        "snmp": "snmp no;",
        "routerdiscovery": "routerdiscovery client no;",
        "static": "static { };",
    }
    places = [STATEMENTS[word][0] for word in words]
    text = "\n".join(bodies[word] for word in words)
    if places == sorted(places):
        config(text)
    else:
        first = next(at for at in range(1, len(places)) if places[at] < max(places[:at]))
        with pytest.raises(SyntaxFault, match=f"^parse: gated.conf:{first + 1} "):
            config(text)
