"""Site casa as values: two LANs, one network, a line of four stripes; and its settings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstay_lab import site_file
from backstay_lab.blueprint import Blueprint
from backstay_lab.credentials import new_credentials
from backstay_lab.errors import LabError
from backstay_lab.hippi.ifield import parse
from backstay_lab.hippi.process import open_tun
from backstay_lab.naming import Names
from backstay_lab.network import netns, plumbing
from backstay_lab.node_files import Home
from backstay_lab.sites import parameters, site
from backstay_lab.sites.casa import fabric_config

NAMES = Names("test")


def plan(**chosen: Any) -> Blueprint:
    return site("casa", parameters("casa", **chosen))


def test_line_has_four_stripes_between_two_gateways() -> None:
    stripes = [link for link in plan().links if link.fabric == "sonet"]
    assert [link.name for link in stripes] == [f"hsg-sdsc:oc3-{n} - hsg-cit:oc3-{n}" for n in range(4)]


def test_every_host_reaches_all_others_by_known_i_fields() -> None:
    fabric = fabric_config(parameters("casa", nodes=4), NAMES)
    logical = {parse(value).address for host in fabric.hosts for value in host.ifields.values()}
    assert len(fabric.hosts) == 11
    for host in fabric.hosts:
        assert len(host.ifields) == 10
    for switch in fabric.switches:
        assert set(switch.pathways) == logical
    ports = [(host.switch, host.port) for host in fabric.hosts]
    assert len(set(ports)) == len(ports)
    assert all(port not in {1, 2, 16} for _, port in ports)


def test_burst_buffers_hold_4_mb_and_hold_time_ticks_are_20_us() -> None:
    fabric = fabric_config(parameters("casa", settings={"hold_ms": 10}), NAMES)
    assert {(box.buffer, box.hold_ticks, box.stripes) for box in fabric.gateways} == {(4 << 20, 500, 4)}
    for_ever = fabric_config(parameters("casa"), NAMES)
    assert {box.hold_ticks for box in for_ever.gateways} == {None}


def test_rates_are_real_unless_scaled() -> None:
    assert plan().parameters.rate_scale == 1
    real, tenth = (fabric_config(parameters("casa", rate_scale=scale), NAMES) for scale in (None, 0.1))
    assert real.hosts[0].rate == 800_000_000 == 10 * tenth.hosts[0].rate
    assert real.gateways[0].stripe_rate == 149_760_000 == 10 * tenth.gateways[0].stripe_rate
    assert real.gateways[0].delay_ns == tenth.gateways[0].delay_ns


@pytest.mark.parametrize(
    "chosen",
    [
        {"nodes": 5},
        {"settings": {"hold_ms": 700}},
        {"settings": {"blocking_ms": -1}},
        {"settings": {"blocking_duty": 0}},
        {"settings": {"colour": 1}},
    ],
)
def test_unknown_or_unsuitable_settings_are_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(LabError):
        plan(**chosen)


def test_in_the_site_file_mgmt1_polls_the_devices_and_every_link_has_a_name() -> None:
    site_plan = plan()
    text = site_file.render(site_plan, new_credentials(), lambda name: Home(Path("/") / name, Path("/run")))
    document = yaml.safe_load(text)
    nodes = {node["name"]: node for node in document["nodes"]}
    for name in ("ps32-sdsc", "ps32-cit", "hsg-sdsc", "hsg-cit"):
        assert nodes[name]["agent"] == "mgmt1"
        assert [source["kind"] for source in nodes[name]["sources"]] == ["snmp"]
    assert nodes["c90"]["agent"] == "self"
    assert {fabric["kind"] for fabric in document["fabrics"]} == {"hippi"}
    ends = {end for link in document["links"] for end in (link["a"], link["b"])}
    assert "ps32-cit:port16" in ends
    assert "hsg-cit:hippi0" in ends


def test_background_traffic_hardly_uses_the_blocked_port() -> None:
    flows = plan().flows
    assert sum(flow.rate for flow in flows if flow.target == "c90") <= 1_000_000
    assert {"ymp", "sun1"} <= {flow.target for flow in flows}


def test_user_without_access_to_tun_devices_gets_the_hint_to_use_root(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_name: str, _work: object) -> None:
        raise PermissionError(13, "Permission denied", "/dev/net/tun")

    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(LabError, match="Run as root"):
        plumbing.build(plan(), NAMES)
    monkeypatch.setattr(netns, "inside", refuse)
    with pytest.raises(LabError, match="root"):
        open_tun("somewhere", "hip0")
