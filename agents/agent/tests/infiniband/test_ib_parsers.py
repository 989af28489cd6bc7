"""Output of InfiniBand tools as values: captures of a lab fabric with one host cut off."""

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from backstay_agent.parsers.infiniband import ib_counters, ib_links, ib_saved, ib_sm, ib_sysfs, ib_topology

GOLDEN = Path(__file__).parents[1] / "golden" / "ib"
SHARED = Path(__file__).resolve().parents[5] / "shared" / "gear" / "ib"
REGENERATE = "BACKSTAY_REGENERATE_GOLDEN"
SWITCH = "0x0002c90200000010"


def captured(name: str) -> list[str]:
    return (GOLDEN / f"{name}.txt").read_text().split("\n")


def compare(name: str, found: object) -> None:
    path = GOLDEN / f"{name}.json"
    text = json.dumps(found, indent=1, sort_keys=True) + "\n"
    if os.environ.get(REGENERATE):
        path.write_text(text)
    assert text == path.read_text()


def test_topology_matches_the_golden_file() -> None:
    found = ib_topology.topology(captured("ibnetdiscover"))
    assert found.unparsed == ()
    cables = {f"{guid}[{port}]": asdict(cable) for (guid, port), cable in found.cables.items()}
    compare("topology", {"nodes": {g: asdict(n) for g, n in found.nodes.items()}, "cables": cables})


def test_links_match_the_golden_file() -> None:
    found = ib_links.links(captured("iblinkinfo"))
    assert found.unparsed == ()
    compare("links", {f"{guid}[{port}]": asdict(link) for (guid, port), link in found.ports.items()})


@pytest.mark.parametrize("name", ["ibqueryerrors-data", "ibqueryerrors-errors"])
def test_counters_match_the_golden_file(name: str) -> None:
    found = ib_counters.sweep(captured(name))
    assert found.complete
    assert found.unparsed == []
    ports = {f"{guid}[{port}]": counters for (guid, port), counters in found.ports.items()}
    compare(name, {"ports": ports, "nodes": found.nodes_checked, "asked": found.ports_checked})


def test_every_cable_is_listed_from_both_ends() -> None:
    cables = ib_topology.topology(captured("ibnetdiscover")).cables
    assert all(cables[cable.peer].peer == end for end, cable in cables.items())


def test_unplugged_port_is_down_and_polling() -> None:
    found = ib_links.links(captured("iblinkinfo")).ports[SWITCH, 3]
    assert (found.state, found.physical, found.width) == ("down", "polling", 0)


def test_extended_counters_are_wide_and_others_are_not() -> None:
    data = ib_counters.sweep(captured("ibqueryerrors-data"))
    errors = ib_counters.sweep(captured("ibqueryerrors-errors"))
    assert "PortXmitData" in data.wide[SWITCH, 1]
    assert errors.wide[SWITCH, 3] == set()


def test_aborted_run_keeps_its_output_and_is_incomplete() -> None:
    lines = captured("ibqueryerrors-data")
    found = ib_counters.sweep(lines[:5])
    assert not found.complete
    assert len(found.ports) == 2 or len(found.ports) == 3
    assert found.unparsed == []


HOSTILE = [
    '<script>alert(1)</script>" lid 9 1xSDR',
    '"# "x" lid 7 4xEDR',
    "$(reboot) `id` ; rm -rf / #",
    '[1] "H-0002c90200000020"[1](2c90200000021)',
]


@pytest.mark.parametrize("text", HOSTILE)
def test_node_description_is_never_parsed_as_syntax(text: str) -> None:
    lines = [
        "switchguid=0x2c90200000010(2c90200000010)",
        f'Switch\t16 "S-0002c90200000010"\t\t# "{text}" base port 0 lid 2 lmc 0',
        f'[1]\t"H-0002c90200000020"[1](2c90200000021) \t\t# "{text}" lid 1 4xQDR',
    ]
    found = ib_topology.topology(lines)
    assert found.unparsed == ()
    assert found.nodes[SWITCH].name == text
    cable = found.cables[SWITCH, 1]
    assert (cable.peer, cable.width, cable.speed) == (("0x0002c90200000020", 1), 4, "QDR")


def test_line_with_a_name_that_looks_like_a_link_is_unparsed() -> None:
    line = (
        '0x0002c902000000f1 "a" 5 1[  ] ==( 1X 2.5 Gbps Active/ LinkUp)==> "     15    1[  ] ==( 4X'
        '           2.5 Gbps Active/  LinkUp)==>  0x0002c90200000010      2   14[  ] "sw" ( )'
    )
    found = ib_links.links([line])
    assert found.ports == {}
    assert len(found.unparsed) == 1


def test_link_with_an_unresponsive_other_end_is_parsed() -> None:
    line = (
        '0x0002c90200000010 "            0x0002c90200000010"      3    8[  ] ==( 4X           2.5 Gbps'
        ' Active/  LinkUp)==>      "Port not available"'
    )
    found = ib_links.links([line])
    assert found.unparsed == ()
    assert found.ports[SWITCH, 8].state == "active"


def test_unresponsive_node_is_reported_and_missing_details_are_no_failure() -> None:
    who = "0x0002c902000000f0"
    mute = f"ibwarn: [7] print_data_cnts: IB_GSI_PORT_COUNTERS query failed on {who}, Lid 15 port 1"
    details = f"ibwarn: [7] query_and_dump: PortXmitDiscardDetails query failed on {who}, Lid 15 port 1"
    assert ib_counters.failed_node(mute) == who
    assert ib_counters.failed_node(details) is None
    assert ib_counters.failed_node("ibwarn: [7] mad_rpc: _do_madrpc failed; dport (Lid 15)") is None


def test_subnet_manager_is_parsed_and_none_if_absent() -> None:
    found = ib_sm.subnet_manager(captured("sminfo"))
    assert found is not None
    assert (found.state, found.lid, found.guid) == (3, 1, "0x0002c90200000021")
    assert ib_sm.subnet_manager(["ibwarn: [1] _do_madrpc: recv failed"]) is None


shared = pytest.mark.skipif(not SHARED.is_dir(), reason=f"{SHARED} is not there")


@pytest.mark.shared
@shared
@pytest.mark.parametrize("name", ["f648", "fzk", "fzk-degraded"])
def test_sample_topologies_leave_nothing_unparsed(name: str) -> None:
    found = ib_topology.topology(_sample(f"ibsim-captures/{name}.ibnetdiscover.txt"))
    assert found.unparsed == ()
    assert len(found.nodes) == {"f648": 702, "fzk": 15, "fzk-degraded": 15}[name]


@pytest.mark.shared
@shared
@pytest.mark.parametrize("name", ["fzk.iblinkinfo-l", "fzk.iblinkinfo", "fzk-degraded.iblinkinfo-l"])
def test_sample_links_leave_nothing_unparsed(name: str) -> None:
    found = ib_links.links(_sample(f"ibsim-captures/{name}.txt"))
    assert found.unparsed == ()
    assert len(found.ports) == 30


@pytest.mark.shared
@shared
@pytest.mark.parametrize(
    ("name", "ports"),
    [("f648.ibqueryerrors-data", 2592), ("fzk.ibqueryerrors-data", 30), ("fzk.ibqueryerrors", 0)],
)
def test_sample_counters_leave_nothing_unparsed(name: str, ports: int) -> None:
    found = ib_counters.sweep(_sample(f"ibsim-captures/{name}.txt"))
    assert found.unparsed == []
    assert (len(found.ports), found.complete) == (ports, True)


@pytest.mark.shared
@shared
def test_sample_sysfs_leaves_nothing_unparsed() -> None:
    files: dict[tuple[str, int], dict[str, dict[str, str]]] = {}
    heading: list[str] = []
    for line in _sample("procfs/sysfs-infiniband.txt"):
        if line.startswith("=== "):
            heading = line.removeprefix("=== ").split("/")
        elif "ports" in heading:
            at = heading.index("ports")
            rest = heading[at + 2 :]
            folder = rest[0] if len(rest) == 2 else ""
            port = files.setdefault((heading[at - 1], int(heading[at + 1])), {})
            port.setdefault(folder, {}).setdefault(rest[-1], line)
    assert len(files) == 4
    for (adapter, number), folders in files.items():
        found = ib_sysfs.host_port(
            adapter, number, folders[""], folders["counters"], folders.get("hw_counters", {})
        )
        assert found.unparsed == ()
        assert found.traffic.keys() >= {"PortRcvData", "PortXmitData", "PortRcvPkts", "PortXmitPkts"}
        assert set(folders["counters"]) <= {*ib_sysfs.TRAFFIC, *ib_sysfs.ERRORS}


@pytest.mark.shared
@shared
def test_other_tools_samples_leave_nothing_unparsed() -> None:
    readers = {
        "treydock/ibnetdiscover/*.out": ib_saved.ports,
        "ibsim-captures/*.ibnetdiscover-p.txt": ib_saved.ports,
        "treydock/perfquery*/*.out": ib_saved.counters,
        "ibsim-captures/*.perfquery*.txt": ib_saved.counters,
        "ibsim-captures/*.ibswitches.txt": ib_saved.nodes,
        "ibsim-captures/*.ibhosts.txt": ib_saved.nodes,
        "treydock/ibswinfo/*.out": ib_saved.switch_facts,
    }
    for pattern, read in readers.items():
        paths = sorted(SHARED.glob(pattern))
        assert paths, pattern
        for path in paths:
            found, unparsed = read(path.read_text(errors="replace").split("\n"))
            assert unparsed == [], path.name
            assert found or path.stat().st_size == 0, path.name


def test_port_report_distinguishes_free_and_cabled_ports() -> None:
    found, unparsed = ib_saved.ports(
        [
            "SW     2  2 0x0002c90200000010 4x SDR - CA     3  1 0x0002c90200000031 ( 'sw' - 'n2 HCA-1' )",
            "SW     2  9 0x0002c90200000010 4x ???                                    'sw - CA 3 1'",
            "SW     2 10 0x0002c90200000010 4x QDR                                   Infiniscale-IV switch",
        ]
    )
    assert unparsed == []
    assert found[SWITCH, 2].peer == ("0x0002c90200000031", 1)
    assert found[SWITCH, 9].peer is found[SWITCH, 10].peer is None


def _sample(path: str) -> list[str]:
    return (SHARED / path).read_text(errors="replace").split("\n")
