"""Errors of a site file name file, line, key and expected value; all are reported together."""

from __future__ import annotations

import pytest

from backstay.inventory.site_file.errors import InvalidSiteFile, SiteFileError
from backstay.inventory.site_file.parser import PolicyIntent, parse
from backstay.inventory.site_file.types import rate

GOOD = """\
site: lab
title: A lab
interval_s: 2
rate_scale: 0.1
fabrics:
  - {name: lan, kind: ethernet, media_rate: 1 Gb/s, arp: off}
  - name: atm
    kind: atm
    media_rate: 155.52 Mb/s
    usable_rate: 134.5 Mb/s
    mtu: 9180
nodes:
  - name: a1
    kind: host
    agent: self
    sources: [{kind: linux}]
    ports:
      - {name: eth0, fabric: lan, addresses: [10.0.0.1/24]}
      - {name: en0, management: true, addresses: [10.9.0.1/24]}
  - name: a2
    kind: host
    ports: [{name: eth0, fabric: lan, addresses: [10.0.0.2/24]}]
  - name: gw
    kind: gateway
    role: gateway
    agent: a1
    sources:
      - kind: snmp
        address: 10.9.0.9
        access: {version: "2c", community: planted-canary}
    ports:
      - {name: eth0, fabric: lan, addresses: [10.0.0.9/24]}
      - {name: at0, fabric: atm, addresses: [10.1.0.1/30]}
  - name: far
    kind: router
    ports: [{name: at0, fabric: atm, addresses: [10.1.0.2/30]}]
links:
  - {a: "gw:at0", b: "far:at0", circuit: 0/100}
failover_policies:
  - name: out
    nodes: ["a*"]
    prefix: 0.0.0.0/0
    gateways: [gw]
    detection: bfd
    target: 10.8.0.1
"""


def errors_in(text: str) -> list[SiteFileError]:
    with pytest.raises(InvalidSiteFile) as caught:
        parse(text, "lab.yaml")
    return caught.value.errors


def test_valid_file_is_fully_parsed() -> None:
    site = parse(GOOD, "lab.yaml")
    assert [node.name for node in site.nodes.values()] == ["a1", "a2", "gw", "far"]
    assert site.fabrics[1].media_rate == 155_520_000
    assert site.fabrics[1].usable_rate == 134_500_000
    assert site.fabrics[0].arp == "off"
    assert site.intents == [PolicyIntent("out", "0.0.0.0/0", ["a1", "a2"], ["gw"], "bfd", "10.8.0.1", 50, "")]


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("155.52 Mb/s", 155_520_000),
        ("10 Gb/s", 10**10),
        ("64 kb/s", 64_000),
        ("9600 bit/s", 9600),
        ("1Gbps", 10**9),
    ],
)
def test_rates_are_parsed_with_units(text: str, bits: int) -> None:
    assert rate(text) == bits


# Replaced text, replacement, line of the error, its key, part of the expected value.
CASES = {
    "a bare number for a rate": ("1 Gb/s", "1000000000", 6, "fabrics[lan].media_rate", "with its unit"),
    "bytes for bits": ("155.52 Mb/s", "155.52 MB/s", 9, "fabrics[atm].media_rate", "with its unit"),
    "more usable than media": ("134.5 Mb/s", "1 Gb/s", 10, "fabrics[atm].usable_rate", "at most"),
    "an unknown kind": ("kind: atm", "kind: token_ring", 8, "fabrics[atm].kind", "'sp_switch'"),
    "a misspelt key": ("title: A lab", "titel: A lab", 2, "titel", "did you mean title?"),
    "a missing key": ("    kind: router\n", "", 34, "nodes[far].kind", "required"),
    "a node's name twice": ("name: a2", "name: a1", 20, "nodes[a1].name", "a unique name"),
    "a port's name twice": ("name: en0", "name: eth0", 19, "nodes[a1].ports[eth0].name", "a unique name"),
    "an unknown fabric": (
        "fabric: lan, addresses: [10.0.0.2",
        "fabric: wan, addresses: [10.0.0.2",
        22,
        "nodes[a2].ports[eth0].fabric",
        "one of the fabrics atm, lan",
    ),
    "an address without prefix length": (
        "10.0.0.2/24",
        "10.0.0.2",
        22,
        "nodes[a2].ports[eth0].addresses[0]",
        "with prefix length",
    ),
    "an impossible address": (
        "10.0.0.2/24",
        "10.0.0.256/24",
        22,
        "nodes[a2].ports[eth0].addresses[0]",
        "an IP address",
    ),
    "an address twice on a fabric": (
        "10.0.0.2/24",
        "10.0.0.1/24",
        22,
        "nodes[a2].ports[eth0].addresses[0]",
        "a1:eth0 has 10.0.0.1",
    ),
    "fabric and management at once": (
        "management: true",
        "management: true, fabric: lan",
        19,
        "nodes[a1].ports[en0]",
        "either fabric or management",
    ),
    "neither fabric nor management": (
        "management: true, ",
        "",
        19,
        "nodes[a1].ports[en0]",
        "either fabric or management",
    ),
    "a link to an unknown port": ("far:at0", "far:at9", 38, "links[0].b", "there is no far:at9"),
    "a link end without a port": ("far:at0", "far", 38, "links[0].b", "text that matches"),
    "a link between two fabrics": ('b: "far:at0"', 'b: "a2:eth0"', 38, "links[0]", "two ports on one fabric"),
    "a link to itself": ('b: "far:at0"', 'b: "gw:at0"', 38, "links[0].b", "in this link"),
    "a link to a management port": ('b: "far:at0"', 'b: "a1:en0"', 38, "links[0].b", "not on the management"),
    "an unknown agent": ("agent: a1", "agent: a9", 26, "nodes[gw].agent", "the name of a node"),
    "an agent on a node without one": ("agent: a1", "agent: a2", 26, "nodes[gw].agent", "a2 has none"),
    "sources that nobody collects": (
        "    agent: a1\n",
        "",
        23,
        "nodes[gw].agent",
        "the collector of the sources",
    ),
    "linux on a device that another agent polls": (
        '- kind: snmp\n        address: 10.9.0.9\n        access: {version: "2c", community: planted-canary}',
        "- kind: linux",
        28,
        "nodes[gw].sources[0].kind",
        "read on the host",
    ),
    "an unknown source": ("kind: snmp", "kind: telnet", 28, "nodes[gw].sources[0]", "'linux'"),
    "an unknown SNMP version": ('"2c"', '"1"', 30, "nodes[gw].sources[0].access", "'2c'"),
    "a version that YAML takes for a number": ('"2c"', "3", 30, "nodes[gw].sources[0].access", "one of"),
    "an empty community": (
        "planted-canary",
        '""',
        30,
        "nodes[gw].sources[0].access.community",
        "at least 1",
    ),
    "an unknown gateway": (
        "gateways: [gw]",
        "gateways: [gv]",
        43,
        "failover_policies[out].gateways[0]",
        "the name of a node",
    ),
    "a gateway twice": (
        "gateways: [gw]",
        "gateways: [gw, gw]",
        43,
        "failover_policies[out].gateways[1]",
        "each gateway once",
    ),
    "a gateway that no node reaches": (
        "gateways: [gw]",
        "gateways: [far]",
        43,
        "failover_policies[out].gateways[0]",
        "far has none with a1, a2",
    ),
    "a gateway on the fabric but in another network": (
        "10.0.0.9/24",
        "10.77.0.9/24",
        43,
        "failover_policies[out].gateways[0]",
        "gw has none with a1, a2",
    ),
    "a gateway that is a node of the policy": (
        'nodes: ["a*"]',
        'nodes: ["a*", "gw"]',
        43,
        "failover_policies[out].gateways[0]",
        "not a node of the policy",
    ),
    "a pattern that matches nothing": (
        '"a*"',
        '"z*"',
        41,
        "failover_policies[out].nodes[0]",
        "matches a node",
    ),
    "a prefix with host bits": (
        "0.0.0.0/0",
        "10.0.0.1/24",
        42,
        "failover_policies[out].prefix",
        "host bits are zero",
    ),
    "a target of the other family": (
        "target: 10.8.0.1",
        'target: "fd00::1"',
        45,
        "failover_policies[out].target",
        "an IPv4 address",
    ),
    "an unknown detection": (
        "detection: bfd",
        "detection: hope",
        44,
        "failover_policies[out].detection",
        "'checker'",
    ),
    "a key twice": ("title: A lab", "site: other", 2, "site", "each key once"),
    "a tag": ("title: A lab", "title: !!python/object:os.system x", 2, "the file", "no YAML tags"),
    "an anchor": ("title: A lab", "title: &a A lab", 2, "the file", "no YAML anchors"),
    "broken YAML": ("title: A lab", "title: [A lab", 3, "the file", "YAML"),
    "a scale above one": ("rate_scale: 0.1", "rate_scale: 10", 4, "rate_scale", "less than or equal to 1"),
    "a control character in a name": (
        "name: en0",
        r'name: "e\x1bn0"',
        19,
        "nodes[a1].ports[0].name",
        "text that matches",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_error_names_line_key_and_expected_value(case: str) -> None:
    old, new, line, key, expected = CASES[case]
    assert GOOD.count(old) >= 1, "the case must change something"
    found = errors_in(GOOD.replace(old, new, 1))
    here = [error for error in found if error.line == line and expected in error.expected]
    assert here, "\n".join(map(str, found))
    assert here[0].file == "lab.yaml"
    assert here[0].key.replace("[e\x1bn0]", "[0]") == key
    assert len(found) <= 2, "one error must not be told again by everything that refers to it"


RISKS = [
    ("node:nobody", "node: and a node of this file; there is no nobody"),
    ("link:gw:at9", "link:node:port of a port in this file; there is no gw:at9"),
    ("link:a1:en0", "a port on a fabric, not on the management network"),
    ("fabric:fddi", "fabric: and a fabric of this file; there is no fddi"),
    ("fabric:atm", "a fabric with a shared medium; atm has none: name its switches or links"),
    ("node:gw", "every component once; node:gw is listed twice"),
]


@pytest.mark.parametrize(("member", "expected"), RISKS)
def test_unknown_member_of_a_shared_risk_names_line_and_key(member: str, expected: str) -> None:
    text = f"""{GOOD}shared_risks:
  - name: ups
    kind: power
    members:
      - node:gw
      - link:gw:at0
      - fabric:lan
      - {member}
"""
    (error,) = errors_in(text)
    assert (error.file, error.line, error.expected) == ("lab.yaml", 53, expected)
    assert error.key == "shared_risks[ups].members[3]"


def test_shared_risk_and_undeployed_policy_are_parsed() -> None:
    risks = "shared_risks:\n  - {name: ups, kind: power, members: [node:gw, link:gw:at0, fabric:lan]}\n"
    site = parse(GOOD + "    deployed: false\n" + risks, "lab.yaml")
    assert site.shared_risks[0].members == ["node:gw", "link:gw:at0", "fabric:lan"]
    assert [intent.is_deployed for intent in site.intents] == [False]
    assert [intent.is_deployed for intent in parse(GOOD, "lab.yaml").intents] == [True]


def test_all_errors_are_reported_in_file_order() -> None:
    text = (
        GOOD.replace("kind: atm", "kind: token_ring")
        .replace("10.0.0.2/24", "nonsense")
        .replace("far:at0", "far:at9")
        .replace("title: A lab", "titel: A lab")
    )
    assert [error.line for error in errors_in(text)] == [2, 8, 22, 38]


def test_invalid_item_is_not_reported_again_where_referenced() -> None:
    found = errors_in(GOOD.replace("kind: gateway", "kind: gatewya"))
    assert [error.key for error in found] == ["nodes[gw].kind"]


@pytest.mark.parametrize("text", ["", "- a list", "just words", "42", "a: &x [*x]", "[" * 10_000, "\x00"])
def test_text_that_is_no_site_file_is_refused(text: str) -> None:
    assert len(errors_in(text)) == 1


def test_yaml_bomb_is_refused_before_expansion() -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12))
    assert "anchors" in errors_in(f"l0: &l0 [lol]\n{levels}")[0].expected


def test_site_file_is_limited_to_16_mb() -> None:
    assert "16,000,000" in errors_in("#" + "x" * 16_000_000)[0].expected


def test_no_error_repeats_a_secret() -> None:
    text = GOOD.replace("community: planted-canary", "communty: planted-canary")
    assert "planted-canary" not in "\n".join(map(str, errors_in(text)))
