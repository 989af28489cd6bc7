"""Files rendered from the blueprint: bird.conf, snmpd.conf, the site file, ip and tc batches; golden
files."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from backstay_lab import engines, site_file
from backstay_lab.blueprint import Blueprint, Parameters
from backstay_lab.credentials import Credentials, new_credentials
from backstay_lab.daemons import bird, frr, gated, snmpd
from backstay_lab.labgated.config import parse, static_preference
from backstay_lab.naming import Names, lab_id
from backstay_lab.network import plumbing
from backstay_lab.node_files import Home
from backstay_lab.sites import site

Golden = Callable[[str, str], None]

CREDENTIALS = Credentials("a-community", "backstay", "an-auth-key", "a-priv-key", "a-tuner")


@pytest.mark.parametrize("node", ["sp01", "atmgw", "grf1", "onyx1", "origin1", "router"])
def test_bird_conf_matches_the_golden_file(argonne: Blueprint, golden: Golden, node: str) -> None:
    golden(f"argonne-3/{node}.bird.conf", bird.config(argonne, argonne.node(node)))


@pytest.mark.skipif(shutil.which("bird") is None, reason="bird is not installed")
def test_bird_itself_accepts_every_bird_conf(argonne: Blueprint, tmp_path: Path) -> None:
    for node in filter(bird.routes, argonne.nodes):
        path = tmp_path / f"{node.name}.conf"
        path.write_text(bird.config(argonne, node))
        done = subprocess.run(["bird", "-p", "-c", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_bfd_sessions_are_configured_at_both_ends(argonne: Blueprint) -> None:
    for node in argonne.nodes:
        for route in filter(bird.has_choice, node.routes):
            for hop in route.hops:
                own = node.port(hop.port).interface.ip
                peers = bird.dependants(argonne, argonne.node(hop.gateway))
                assert own in {peer.address for peer in peers}


def test_snmpd_conf_matches_the_golden_file(argonne: Blueprint, golden: Golden) -> None:
    golden("argonne-3/grf1.snmpd.conf", snmpd.config(argonne, argonne.node("grf1"), CREDENTIALS))


def test_credentials_differ_from_lab_to_lab() -> None:
    assert new_credentials() != new_credentials()


def test_site_file_matches_the_golden_file(argonne: Blueprint, golden: Golden) -> None:
    golden("argonne-3/site.yaml", site_file.render(argonne, CREDENTIALS, home))


def home(node: str) -> Home:
    return Home(Path("/state") / node, Path("/run/lab") / node)


@pytest.mark.parametrize(
    ("node", "file"), [("sp05", "frr.conf"), ("sp07", "gated.conf"), ("sp08", "routes.batch")]
)
def test_files_of_other_engines_match_the_golden_files(golden: Golden, node: str, file: str) -> None:
    plan = site("argonne", Parameters(nodes=8))
    engine = engines.ENGINES[plan.node(node).engine]
    assert engine.boot == file
    golden(f"argonne-8/{node}.{file}", engine.text(plan, plan.node(node)))


@pytest.mark.skipif(shutil.which("vtysh") is None, reason="FRR is not installed")
def test_frr_itself_accepts_its_file(tmp_path: Path) -> None:
    plan = site("argonne", Parameters(nodes=8))
    path = tmp_path / "frr.conf"
    path.write_text(frr.config(plan, plan.node("sp05")))
    done = subprocess.run(["vtysh", "-C", "-f", path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_labgated_accepts_its_file() -> None:
    plan = site("argonne", Parameters(nodes=8))
    found = parse(gated.config(plan, plan.node("sp07")), "gated.conf", Path("/nowhere"))
    assert [(str(static.gateways[0]), static_preference(static)) for static in found.statics] == [
        ("10.1.0.16", 60),
        ("10.1.0.15", 70),
    ]


def test_managed_node_has_a_routing_key_in_the_site_file() -> None:
    plan = site("argonne", Parameters(nodes=8))
    nodes = {
        node["name"]: node for node in yaml.safe_load(site_file.render(plan, CREDENTIALS, home))["nodes"]
    }
    assert {name: node["routing"]["engine"] for name, node in nodes.items() if "routing" in node} == {
        **dict.fromkeys(("sp01", "sp02", "sp03", "sp04", "origin1", "router"), "bird"),
        "sp05": "frr",
        "sp06": "frr",
        "sp07": "gated",
        "sp08": "kernel",
    }
    assert nodes["sp05"]["routing"] == {
        "engine": "frr",
        "config": "/state/sp05/frr.conf",
        "control": "/run/lab/sp05",
    }
    assert nodes["sp07"]["sources"][1] == {
        "kind": "gated",
        "gdc": "/state/sp07/gdc",
        "dump": "/state/sp07/gated_dump",
        "config": "/state/sp07/gated.conf",
    }
    assert [source["kind"] for source in nodes["sp08"]["sources"]] == ["linux"]


@pytest.mark.parametrize(
    ("bits", "text"),
    [(960_000_000, "960 Mb/s"), (622_080_000, "622.08 Mb/s"), (134_500_000, "134.5 Mb/s")],
)
def test_rate_is_written_exactly(bits: int, text: str) -> None:
    assert site_file.rate(bits) == text


def test_setup_of_a_node_matches_the_golden_file(argonne: Blueprint, golden: Golden) -> None:
    node = argonne.node("grf1")
    lines = plumbing.node_setup(argonne, node) + plumbing.node_shaping(argonne, node)
    golden("argonne-3/grf1.batch", "\n".join(lines) + "\n")


def test_links_match_the_golden_file(argonne: Blueprint, golden: Golden) -> None:
    golden("argonne-3/wires.batch", "\n".join(plumbing.wires(argonne, Names("0000"))) + "\n")


@pytest.mark.parametrize("rate", [13_450_000, 53_800_000, 96_000_000, 960_000_000])
@pytest.mark.parametrize("mtu", [1500, 9180])
def test_full_queue_delays_less_than_50_ms(rate: int, mtu: int) -> None:
    assert plumbing.queue_bytes(rate, mtu) * 8 / rate < 0.050


def test_state_folders_have_distinct_ids(tmp_path: Path) -> None:
    assert lab_id(tmp_path / "a") != lab_id(tmp_path / "b")
    assert lab_id(tmp_path / "a" / ".." / "b") == lab_id(tmp_path / "b")
