"""Stripes and return paths in the site file, and errors with their location."""

from __future__ import annotations

import pytest

from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.parser import parse

SITE = """\
site: lab
fabrics:
  - {name: lan, kind: ethernet, media_rate: 1 Gb/s}
  - {name: far, kind: ethernet, media_rate: 1 Gb/s}
nodes:
  - name: n1
    kind: host
    labels: {quadrant: "1"}
    ports: [{name: e0, fabric: lan, addresses: [10.1.0.11/16]}]
  - name: n2
    kind: host
    labels: {quadrant: "2"}
    ports: [{name: e0, fabric: lan, addresses: [10.1.0.12/16]}]
  - name: gw1
    kind: gateway
    ports:
      - {name: e0, fabric: lan, addresses: [10.1.0.1/16]}
      - {name: e1, fabric: far, addresses: [10.2.0.1/24]}
  - name: gw2
    kind: gateway
    ports:
      - {name: e0, fabric: lan, addresses: [10.1.0.2/16]}
      - {name: e1, fabric: far, addresses: [10.2.0.2/24]}
  - {name: store, kind: host, ports: [{name: e1, fabric: far, addresses: [10.2.0.9/24]}]}
failover_policies:
  - name: striped
    nodes: ["n*"]
    prefix: 10.2.0.0/24
    gateways: [gw1, gw2]
    detection: checker
    stripe: {backups: 1, balance: weight, weights: {gw1: 2}, by_label: quadrant}
    return_path: {routers: [store], prefix: 10.1.0.0/16, target: 10.1.0.11}
"""


def test_stripe_and_return_path_are_stored_by_name() -> None:
    (policy,) = parse(SITE, "lab.yaml").intents
    assert policy.stripe == {
        "gateways": ["gw1", "gw2"],
        "backups": 1,
        "balance": "weight",
        "weights": {"gw1": 2.0},
        "by_label": "quadrant",
    }
    assert policy.return_path == {"routers": ["store"], "prefix": "10.1.0.0/16", "target": "10.1.0.11"}


def test_policy_without_stripe_has_none() -> None:
    kept = [line for line in SITE.splitlines() if "stripe:" not in line and "return_path" not in line]
    (policy,) = parse("\n".join(kept), "lab.yaml").intents
    assert (policy.stripe, policy.return_path) == (None, None)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("backups: 1", "backups: 2", "at most 1"),
        ("gateways: [gw1, gw2]", "gateways: [gw1]", "at least two gateways"),
        ("weights: {gw1: 2}", "weights: {gw9: 2}", "one of the policy's gateways"),
        ("weights: {gw1: 2}", "weights: {gw1: 0}", "greater than 0"),
        ("by_label: quadrant", "by_label: rack", "a label of a node in this file"),
        ("routers: [store]", "routers: [nobody]", "the name of a node of this file"),
        ("routers: [store]", "routers: [gw1]", "a router behind the gateways"),
        ("prefix: 10.1.0.0/16", "prefix: 10.1.0.0/8", "host bits are zero"),
        ("target: 10.1.0.11", "target: 10.9.0.1", "an address inside 10.1.0.0/16"),
    ],
)
def test_error_names_the_expected_value(old: str, new: str, expected: str) -> None:
    assert old in SITE
    with pytest.raises(InvalidSiteFile) as caught:
        parse(SITE.replace(old, new), "lab.yaml")
    assert any(expected in str(error) for error in caught.value.errors), caught.value.errors
