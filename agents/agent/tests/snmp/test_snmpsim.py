"""Recorded devices, served by snmpsim, are polled by every profile without errors.

test_snmp_recordings checks the same recordings further and in a second, but with our own responder; here
the responses are independent of our code.
"""

import asyncio
from pathlib import Path
from random import Random

import pytest

from backstay_agent.recording.anonymiser import anonymise
from backstay_agent.recording.snmprec import parse, write
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import outcome, snmp_collectors
from backstay_testing.snmpsim.server import PROGRAM, simulated, simulating, wait_until_served
from backstay_wire import (
    AdjacencyReport,
    CollectorOutcome,
    DeviceReport,
    ForwardingReport,
    MetricReport,
    NeighbourReport,
)

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.timeout(400),
    pytest.mark.skipif(not GEAR.is_dir(), reason="the recordings beside the checkout are not there"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="snmpsim is not installed"),
]
RECORDINGS = {
    path.stem: path
    for folder in ("snmprec", "snmprec-synth")
    for path in sorted((GEAR / folder).glob("*.snmprec"))
}
FIGURES: dict[str, dict[tuple[str, str], object]] = {
    "grf400": {("grf.gated", ""): "running", ("grf.card_state", "card 2 (SP switch)"): "running"},
}
"""Some of what the profiles say of them."""
ANONYMISED = ("junos_rpm", "grf400")
"""Small recordings that have neighbours, circuits and learnt addresses."""


async def polled(name: str, port: int) -> tuple[ReportList, list[CollectorOutcome]]:
    reports = ReportList()
    async with snmp_collectors(simulated(name, port), reports) as item:
        return reports, [await outcome(one) for one in (*item, item[0])]


async def all_polled(
    folder: Path, recordings: list[Path]
) -> dict[str, tuple[ReportList, list[CollectorOutcome]]]:
    """All devices of one snmpsim, in parallel."""
    names = [path.stem for path in recordings]
    with simulating(folder, recordings) as port:
        await wait_until_served(names[0], port)
        found = await asyncio.gather(*(polled(name, port) for name in names))
    return dict(zip(names, found, strict=True))


async def test_every_recorded_device_is_polled_without_errors(tmp_path: Path) -> None:
    by_size = sorted(RECORDINGS.values(), key=lambda path: path.stat().st_size)
    halves = await asyncio.gather(
        all_polled(tmp_path / "one", by_size[::2]), all_polled(tmp_path / "other", by_size[1::2])
    )
    found = halves[0] | halves[1]
    assert set(found) == set(RECORDINGS)
    for name, (reports, outcomes) in found.items():
        assert set(outcomes) <= {CollectorOutcome.OK, CollectorOutcome.NO_DATA}, name
        (device, *_) = (report for report in reports if isinstance(report, DeviceReport))
        assert device.sys_descr, name
    for name, expected in FIGURES.items():
        metrics = {
            (item.metric, item.subject): item.value
            for report in found[name][0]
            if isinstance(report, MetricReport)
            for item in report.metrics
        }
        assert metrics.items() >= expected.items()


async def test_anonymised_recordings_are_polled_like_the_originals(tmp_path: Path) -> None:
    files = []
    for name in ANONYMISED:
        _, records, _ = parse(RECORDINGS[name].read_text(encoding="latin-1"))
        data = write({"kept": ["nothing"]}, anonymise(records, Random()).records)
        files += [RECORDINGS[name], tmp_path / f"{name}-anonymised.snmprec"]
        files[-1].write_bytes(data)
    found = await all_polled(tmp_path / "both", files)
    for name in ANONYMISED:
        original, anonymised = (counted(found[key][0]) for key in (name, f"{name}-anonymised"))
        assert original == anonymised
        assert min(original["ports"], original["neighbours"], original["metrics"]) > 0


def counted(reports: ReportList) -> dict[str, int]:
    """Number of ports, addresses, neighbours, learnt addresses and metrics."""
    found = dict.fromkeys(("ports", "addresses", "neighbours", "adjacencies", "learnt", "metrics"), 0)
    for report in reports:
        if isinstance(report, DeviceReport):
            found["ports"] = len(report.ports)
            found["addresses"] = sum(len(port.addresses) for port in report.ports)
        elif isinstance(report, NeighbourReport):
            found["neighbours"] = len(report.neighbours)
        elif isinstance(report, AdjacencyReport):
            found["adjacencies"] = len(report.adjacencies)
        elif isinstance(report, ForwardingReport):
            found["learnt"] = len(report.entries)
        elif isinstance(report, MetricReport):
            found["metrics"] += len(report.metrics)
    return found
