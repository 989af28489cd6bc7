"""Sources of a site file: every kind with its keys, and errors with line and key."""

from __future__ import annotations

import pytest

from backstay.inventory.site_file.errors import InvalidSiteFile, SiteFileError
from backstay.inventory.site_file.parser import parse
from backstay.inventory.sources import public_sources, source_secrets

GOOD = """\
site: lab
fabrics:
  - {name: ib, kind: infiniband, media_rate: 10 Gb/s}
  - {name: lan, kind: ethernet, media_rate: 1 Gb/s}
nodes:
  - name: m1
    kind: host
    agent: self
    guid: "0x0002C90300A1B2C3"
    sources:
      - {kind: infiniband, fabric: ib, ca: mlx5_0, ca_port: 1}
      - kind: infiniband_host
      - {kind: frr, vty_dir: /run/frr}
      - {kind: gated, dump: /var/tmp/gated_dump, gdc: /usr/sbin/gdc}
      - {kind: keepalived, data: /tmp/keepalived.data}
      - {kind: lnet, lnetctl: lnetctl}
      - kind: notices
        address: 10.9.0.1
        trap_port: 0
        access:
          - {version: "2c", community: planted-canary}
          - {version: "3", user: traps, auth_key: planted-canary, priv_key: planted-canary}
    ports: [{name: ib0, fabric: ib}]
  - name: onyx1
    kind: host
    agent: m1
    sources:
      - kind: ssh
        address: 10.9.0.7
        system: irix
        user: backstay
        host_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ onyx1
        key_file: /etc/backstay/keys/onyx1
"""

CASES = {
    "a guid without quotes": ('"0x0002C90300A1B2C3"', "0x0002C90300A1B2C3", 9, "guid", "in quotes"),
    "a guid that is too short": ('"0x0002C90300A1B2C3"', '"0x0002C9"', 9, "guid", "16 digits"),
    "a sweep of another technology": (
        "fabric: ib, ca",
        "fabric: lan, ca",
        11,
        "fabric",
        "kind infiniband: ib",
    ),
    "a sweep without its fabric": ("fabric: ib, ca: mlx5_0", "ca: mlx5_0", 11, "fabric", "required"),
    "another program for gdc": ("/usr/sbin/gdc", "/bin/reboot", 14, "gdc", "matches"),
    "a word after the program": ("/usr/sbin/gdc", '"/usr/sbin/gdc stop"', 14, "gdc", "matches"),
    "another program for lnetctl": ("lnetctl: lnetctl", "lnetctl: sh", 16, "lnetctl", "matches"),
    "a relative path": ("dump: /var/tmp", "dump: tmp", 14, "dump", "matches"),
    "a system that we cannot read": ("system: irix", "system: vms", 30, "system", "'aix'"),
    "a host key that is none": (
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ onyx1",
        "onyx1",
        32,
        "host_key",
        "matches",
    ),
    "a user with an option": ("user: backstay", "user: -oProxyCommand=x", 31, "user", "matches"),
    "a look rarer than the site's": (
        "system: irix",
        "system: irix\n        interval_s: 31",
        31,
        "interval_s",
        "at most the site's 30",
    ),
    "a port beyond all": ("trap_port: 0", "trap_port: 70000", 19, "trap_port", "65535"),
}


def errors_in(text: str) -> list[SiteFileError]:
    with pytest.raises(InvalidSiteFile) as caught:
        parse(text, "lab.yaml")
    return caught.value.errors


def test_every_source_kind_is_parsed_and_guids_are_lower_case() -> None:
    site = parse(GOOD, "lab.yaml")
    kinds = [source.kind for node in site.nodes.values() for source in node.sources]
    assert kinds == ["infiniband", "infiniband_host", "frr", "gated", "keepalived", "lnet", "notices", "ssh"]
    assert site.nodes[0].guid == "0x0002c90300a1b2c3"


@pytest.mark.parametrize("system", ["aix", "grf", "irix", "linux", "solaris", "vyos"])
def test_every_ssh_system_is_accepted(system: str) -> None:
    source = parse(GOOD.replace("system: irix", f"system: {system}"), "lab.yaml").nodes[1].sources[0]
    assert source.model_dump()["system"] == system


def test_secrets_of_notices_are_stored_separately() -> None:
    sources = parse(GOOD, "lab.yaml").nodes[0].sources
    assert "planted-canary" not in str(public_sources(sources))
    assert source_secrets(sources)["notices"] == {
        "access": [
            {"community": "planted-canary"},
            {"auth_key": "planted-canary", "priv_key": "planted-canary"},
        ]
    }


@pytest.mark.parametrize("case", CASES)
def test_error_names_line_key_and_expected_value(case: str) -> None:
    old, new, line, key, expected = CASES[case]
    assert old in GOOD, "the case must change something"
    found = errors_in(GOOD.replace(old, new, 1))
    assert [(item.line, item.key.rpartition(".")[2]) for item in found] == [(line, key)]
    assert expected in found[0].expected


def test_source_of_the_own_host_needs_an_agent_there() -> None:
    found = errors_in(GOOD.replace("    agent: self\n", "    agent: other\n", 1))
    assert sum("read on the host" in item.expected for item in found) == 7


def test_duplicate_guid_is_an_error() -> None:
    text = GOOD.replace("  - name: onyx1\n", '  - name: onyx1\n    guid: "0x0002c90300a1b2c3"\n')
    (found,) = errors_in(text)
    assert (found.key, found.expected) == (
        "nodes[onyx1].guid",
        "a unique GUID; m1 has 0x0002c90300a1b2c3",
    )
