"""gated.conf as a source: what it configures, and how it differs from gated's table."""

import asyncio
import shlex
from collections.abc import Sequence
from ipaddress import IPv4Network
from pathlib import Path

import pytest

from backstay_agent.collectors.base import Ran
from backstay_agent.collectors.gated import GatedCollector
from backstay_agent.host.clock import HostClock
from backstay_agent.offline_parse.reader import read
from backstay_agent.parsers.routing import gated, gated_conf
from backstay_agent.parsers.routing.gated import GatedError
from backstay_testing.report_list import ReportList
from backstay_wire import DaemonReport

CONF = """\
# of this cluster
traceoptions "/var/log/gated" replace size 100k files 2 general;
interfaces { interface css0 passive; };
rip yes { broadcast; };
%include "/etc/gated.local"
static {
    default gateway 10.1.0.16 preference 50 retain;
    10.9.0.0 masklen 16 gateway 10.1.0.15 ;
    140.221.0.0 mask 255.255.0.0 gateway 127.0.0.1 preference 60 reject;
};
"""
DUMP = (Path(__file__).parents[1] / "golden" / "gated" / "release-3.txt").read_text()


def test_statics_and_statements_of_a_file_are_found() -> None:
    found = gated_conf.configuration(CONF)
    assert [(str(route.network), route.preference) for route in found.statics] == [
        ("0.0.0.0/0", 50),
        ("10.9.0.0/16", None),
        ("140.221.0.0/16", 60),
    ]
    assert found.statements == {"traceoptions": 1, "interfaces": 1, "rip": 1, "%include": 1, "static": 1}
    assert found.included == ("/etc/gated.local",)
    candidates = gated_conf.static_candidates(found)
    assert [(c.via, c.preference, c.selected) for c in candidates] == [
        ("10.1.0.16", 50, False),
        ("10.1.0.15", 60, False),
        ("127.0.0.1", 60, False),
    ]


def test_file_is_recognised_and_read_offline() -> None:
    found = read(CONF.encode())
    assert (found.kind, found.unparsed) == ("gated-conf", [])
    assert found.values["included"] == ["/etc/gated.local"]
    assert len(found.values["candidates"]) == 3


def test_file_that_gated_would_refuse_is_named_with_its_line() -> None:
    with pytest.raises(GatedError, match="line 7"):
        gated_conf.configuration(CONF.replace("gateway 10.1.0.16", "gateway nobody"))


def test_static_routes_that_the_table_lacks_are_named() -> None:
    table = gated.table(DUMP).candidates
    # The table's default route is not a static one; 140.221/16 is.
    missing = gated_conf.not_in_table(gated_conf.configuration(CONF), table)
    assert missing == [IPv4Network("0.0.0.0/0"), IPv4Network("10.9.0.0/16")]
    sentence = gated_conf.describe(CONF, table, "gated.conf")
    assert sentence.startswith("gated.conf: 2 of 3 static routes are not in gated's table")
    assert sentence.endswith("0.0.0.0/0, 10.9.0.0/16")
    loaded = "static {\n    140.221.0.0 mask 255.255.0.0 gateway 127.0.0.1 reject;\n};\n"
    assert gated_conf.describe(loaded, table, "gated.conf") == ""
    assert "gated would not start with it" in gated_conf.describe("static {", table, "gated.conf")


def collected(tmp_path: Path, conf: str | None) -> tuple[Ran, Sequence[DaemonReport]]:
    """A run of the collector with a `gdc` that writes the dump."""
    dump, gdc, file = tmp_path / "dump", tmp_path / "gdc", tmp_path / "gated.conf"
    (tmp_path / "text").write_text(DUMP)
    gdc.write_text(f"#!/bin/sh\ncat {shlex.quote(str(tmp_path / 'text'))} >> {shlex.quote(str(dump))}\n")
    gdc.chmod(0o755)
    if conf is not None:
        file.write_text(conf)
    sent = ReportList()
    collector = GatedCollector(
        device="sp07",
        interval_s=1,
        gdc=str(gdc),
        dump=dump,
        config=file,
        clock=HostClock(),
        emit=sent,
    )
    ran = asyncio.run(collector.collect())
    return ran, [report for report in sent if isinstance(report, DaemonReport)]


def test_collector_reports_the_table_and_what_the_file_says_otherwise(tmp_path: Path) -> None:
    ran, reports = collected(tmp_path, CONF)
    assert ran.outcome.value == "ok"
    assert ran.detail.startswith(f"{tmp_path / 'gated.conf'}: 2 of 3 static routes")
    assert [report.running for report in reports] == [True]


def test_host_without_the_file_reports_the_table_alone(tmp_path: Path) -> None:
    ran, reports = collected(tmp_path, None)
    assert (ran.detail, [report.running for report in reports]) == ("", [True])
