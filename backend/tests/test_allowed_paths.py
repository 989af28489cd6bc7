"""A site file names no program and no file outside the allowed places."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from django.conf import settings
from pydantic import BaseModel

from backstay.inventory.site_file.engines import RoutingItem
from backstay.inventory.site_file.errors import InvalidSiteFile
from backstay.inventory.site_file.node_keys import ArpItem
from backstay.inventory.site_file.parser import parse
from backstay.inventory.site_file.sources import SourceItem
from backstay_wire.allowed_paths import ARP, ENGINES, SOURCES
from backstay_wire.engines import EngineKind

SITE = """
site: lab
fabrics:
  - {{name: eth, kind: ethernet, media_rate: 10 Gb/s}}
nodes:
  - name: host1
    kind: host
    agent: self
    ports: [{{name: en0, fabric: eth, addresses: [10.0.0.1/24]}}]
    {keys}
"""
FORBIDDEN = (
    "sources: [{kind: lnet, lnetctl: /tmp/lnetctl}]",
    "sources: [{kind: gated, gdc: /var/lib/other/gdc}]",
    "sources: [{kind: gated, gdc: /usr/sbin/../../tmp/gdc}]",
    "sources: [{kind: gated, dump: /etc/shadow}]",
    "sources: [{kind: bird, socket: /root/other.sock}]",
    "sources: [{kind: keepalived, pid_file: /etc/passwd}]",
    "sources: [{kind: keepalived, data: /etc/shadow}]",
    "sources: [{kind: frr, vty_dir: /home/someone}]",
    "routing: {engine: kernel, config: /etc/cron.d/backstay}",
    "routing: {engine: kernel, config: /root/.ssh/authorized_keys}",
    "routing: {engine: bird, config: /etc/bird/../passwd}",
    "routing: {engine: frr, control: /srv/someone/frr}",
    "routing: {engine: gated, control: /tmp/gdc}",
    "arp: {config: /etc/passwd}",
    "arp: {settings: /etc/sudoers.d/backstay}",
)


@pytest.mark.parametrize("keys", FORBIDDEN)
def test_a_site_file_cannot_name_other_places(keys: str) -> None:
    with pytest.raises(InvalidSiteFile) as refused:
        parse(SITE.format(keys=keys), "site.yaml")
    assert "BACKSTAY_SITE_PATHS" in str([error.expected for error in refused.value.errors])


@pytest.mark.parametrize(
    "keys",
    [
        "routing: {engine: kernel}",
        "routing: {engine: frr}",
        "routing: {engine: bird}",
        "routing: {engine: gated}",
        "arp: {}",
        "sources: [{kind: lnet}, {kind: gated}, {kind: keepalived}, {kind: frr}]",
    ],
)
def test_the_usual_places_are_allowed(keys: str) -> None:
    assert parse(SITE.format(keys=keys), "site.yaml").nodes


def test_an_administrator_adds_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SITE_PATHS", ["/opt/routing"])
    assert parse(
        SITE.format(keys="routing: {engine: kernel, config: /opt/routing/routes}"), "site.yaml"
    ).nodes
    with pytest.raises(InvalidSiteFile):
        parse(SITE.format(keys="routing: {engine: kernel, config: /opt/routing2/routes}"), "site.yaml")


def members(union: Any, key: str) -> dict[str, type[BaseModel]]:
    """The models of a discriminated union by their discriminator's value."""
    models = get_args(get_args(union)[0])
    return {get_args(model.model_fields[key].annotation)[0]: model for model in models}


def test_every_field_of_the_allow_list_is_a_key_of_the_site_file() -> None:
    """A key that is renamed on one side only would no longer be checked."""
    sources, engines = members(SourceItem, "kind"), members(RoutingItem, "engine")
    for kind, rules in SOURCES.items():
        assert set(rules) <= set(sources[kind].model_fields), kind
    for kind, item in engines.items():
        assert set(item.model_fields) - {"engine"} <= set(ENGINES[EngineKind(kind)]), kind
    assert set(ARP) <= set(ArpItem.model_fields)


def test_no_key_of_a_source_that_holds_a_path_is_missing_in_the_allow_list() -> None:
    for kind, item in members(SourceItem, "kind").items():
        schema = item.model_json_schema()["properties"]
        held = {name for name, shape in schema.items() if re.search(r"'pattern': '\^\(?/", str(shape))}
        assert held <= set(SOURCES.get(kind, {})), kind
