"""Every external sample is fully parsed by a kind, or listed with the reason why not."""

from collections.abc import Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest

from backstay_agent.offline_parse.reader import ParsedOutput, read

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not GEAR.is_dir(), reason="../shared/gear is absent"),
]

OUTPUTS: Mapping[str, str] = {
    "aix/aix_arp_an.txt": "aix-arp",
    "aix/entstat*.txt": "entstat",
    "aix/ifconfig.txt": "aix-ports",
    "aix/netstat_*.txt": "aix-routes",
    "frr/ip_route.*.json": "ip-route-json",
    "frr/show_interface.json": "frr-ports",
    "frr/show_ip_route.*.json": "frr",
    "frr/show_ip_route.*.txt": "frr-routes",
    "frr/version.txt": "frr-version",
    "gated/gated.conf.anl-*": "gated-conf",
    "gated/gated_dump.*.txt": "gated",
    "grf/gratm.conf.sample": "gratm",
    "grf/grcard.sample.txt": "grcard",
    "grf/grifconfig.conf.sample": "grifconfig",
    "grf/grstat*.sample.txt": "grstat",
    "ib/ibsim-captures/*.ibnetdiscover.txt": "ibnetdiscover",
    "ib/ibsim-captures/*.ibnetdiscover-p.txt": "ibnetdiscover-p",
    "ib/ibsim-captures/*.iblinkinfo*.txt": "iblinkinfo",
    "ib/ibsim-captures/*.ibqueryerrors*.txt": "ibqueryerrors",
    "ib/ibsim-captures/*.perfquery*.txt": "perfquery",
    "ib/ibsim-captures/*.ibhosts.txt": "ib-nodes",
    "ib/ibsim-captures/*.ibswitches.txt": "ib-nodes",
    "ib/ibsim-captures/fzk.net": "ibnetdiscover",
    "ib/procfs/sysfs-infiniband.txt": "ib-sysfs",
    "ib/treydock/ibnetdiscover/*.out": "ibnetdiscover-p",
    "ib/treydock/ibswinfo/*.out": "ibswinfo",
    "ib/treydock/perfquery*/*.out": "perfquery",
    "iperf3/*.json": "iperf3",
    "linux/linux_arp_a.raw": "arp-an",
    "linux/linux_ip_address_*.raw": "ip-link",
    "linux/linux_ip_link_*.raw": "ip-link",
    "linux/linux_ip_route_*.raw": "ip-route",
    "linux/vyatta_vyos_show_arp.raw": "arp-table",
    "linux/vyatta_vyos_show_interfaces.raw": "vyos-ports",
    "linux/vyatta_vyos_show_ip_bgp_summary.raw": "bgp-summary",
    "solaris/*_arp_rn.txt": "solaris-arp",
    "solaris/*_ifconfig.txt": "solaris-ports",
    "solaris/*_netstat_rn.txt": "solaris-routes",
    "solaris/*_route_get.txt": "solaris-route-get",
}
"""Pattern -> the kind that reads it. The first that fits counts."""

OTHERS: Mapping[str, str] = {
    "README.md": "a page about all of them",
    "SOURCES.md": "a page about all of them",
    "gated/gdc.md": "a page about a command",
    "ib/ibdiagnet/formats.md": "a page about formats",
    "gated/gated_dump_tool.py": "a program",
    "ib/parsers_check.py": "a program",
    "snmprec-synth/make_synth.py": "a program",
    "OID-TABLE.tsv": "a table of objects; test_snmp_recordings compares the profiles with it",
    "seed-results.yaml": "the papers' results",
    "frr/running-config.txt": "a configuration that we wrote to make the captures; no collector reads one",
    "gated/gated.conf.ebnf": "a grammar",
    "gated/gated_dump.layout": "a page about a format",
    "gated/preferences.yaml": "a table of defaults",
    "grf/formats.yaml": "a page about formats",
    "pssp/formats.yaml": "a page about formats",
    "pssp/vdidl3.layout": "a page about a format; test_text_samples reads its table",
    "ib/infiniband-diags/error_thresholds": "settings of a tool",
    "ib/infiniband-diags/ibdiag.conf": "settings of a tool",
    "ib/ibsim-captures/fzk-deg.net": "input of a simulator, in its own format",
    "linux/*.yml": "expected values of the sample of the same name; test_text_samples compares",
    "models/casa_*": "a model of the papers, and its results",
    "models/models*": "models of the papers, and their results",
    "snmprec/*.snmprec": "recordings of devices; test_snmpsim serves and polls them",
    "snmprec-synth/*.snmprec": "synthetic devices; test_snmpsim serves and polls them",
}
"""Pattern -> why no kind reads it."""

SILENT = frozenset({"ib/treydock/perfquery/0x506b4b0300cc02a6.out"})
"""Empty outputs, whose kind cannot be determined."""


def files() -> list[str]:
    return sorted(str(path.relative_to(GEAR)) for path in GEAR.rglob("*") if path.is_file())


def kind_of(name: str) -> str | None:
    return next((kind for pattern, kind in OUTPUTS.items() if fnmatch(name, pattern)), None)


def is_other(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in OTHERS)


def outputs() -> list[str]:
    return [name for name in files() if kind_of(name) is not None]


def reading(name: str) -> ParsedOutput:
    return read((GEAR / name).read_bytes(), kind_of(name) if name in SILENT else None)


def test_every_file_has_exactly_one_kind() -> None:
    assert [name for name in files() if (kind_of(name) is None) != is_other(name)] == []


def test_every_pattern_matches_a_file() -> None:
    present = files()
    patterns = (*OUTPUTS, *OTHERS)
    assert [one for one in patterns if not any(fnmatch(name, one) for name in present)] == []


@pytest.mark.parametrize("name", outputs())
def test_sample_is_recognised_and_fully_parsed(name: str) -> None:
    found = reading(name)
    assert (found.kind, found.unparsed) == (kind_of(name), [])
    assert any(found.values.values()) or name in SILENT or "ibqueryerrors" in name


def test_simulated_fabric_equals_the_captured_one() -> None:
    reported = reading("ib/ibsim-captures/fzk.net").values["cables"]
    seen = reading("ib/ibsim-captures/fzk.ibnetdiscover.txt").values["cables"]
    ends = [{(one["guid"], one["port"], *one["peer"]) for one in cables} for cables in (reported, seen)]
    assert ends[0] == ends[1]
    assert len(ends[0]) == 28


def test_frr_routes_are_equal_in_text_and_json() -> None:
    for state in ("primary", "failedover"):
        both = [reading(f"frr/show_ip_route.{state}.{form}").values["candidates"] for form in ("txt", "json")]
        text, document = (
            sorted(
                (one["prefix"], one["via"], one["source"], one["preference"], one["selected"])
                for one in found
            )
            for found in both
        )
        assert text == document
