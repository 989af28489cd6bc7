"""Recorded devices, served by snmpsim, are polled by every profile without errors.

test_snmp_recordings checks the same recordings further and in a second, but with our own responder; here
the responses are independent of our code.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from grp import getgrgid
from pathlib import Path
from pwd import getpwuid

import pytest

from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import SnmpTimeoutError
from backstay_testing.ports import free_udp_port
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import outcome, snmp_collectors
from backstay_wire import CollectorOutcome, DeviceReport, MetricReport, SnmpSource, SnmpV2c

GEAR = Path(__file__).resolve().parents[5] / "shared" / "gear"
PROGRAM = Path(sys.executable).parent / "snmpsim-command-responder"
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
SYS_DESCR = (1, 3, 6, 1, 2, 1, 1, 1, 0)


def source(name: str, port: int, timeout_s: float = 10) -> SnmpSource:
    return SnmpSource(
        device=name,
        interval_s=2,
        address="127.0.0.1",
        port=port,
        access=SnmpV2c(community=name),
        timeout_s=timeout_s,
    )


@contextmanager
def simulating(folder: Path, names: list[str]) -> Iterator[int]:
    """snmpsim over copies of recordings (a link is served under its target's name)."""
    data, port = folder / "data", free_udp_port()
    data.mkdir(parents=True)
    for name in names:
        shutil.copy(RECORDINGS[name], data)
    command = [
        str(PROGRAM),
        f"--data-dir={data}",
        f"--cache-dir={folder / 'cache'}",
        f"--agent-udpv4-endpoint=127.0.0.1:{port}",
        f"--process-user={getpwuid(os.getuid()).pw_name}",
        f"--process-group={getgrgid(os.getgid()).gr_name}",
        "--logging-method=null",
    ]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.terminate()
        server.wait(10)


async def awake(name: str, port: int) -> None:
    """Wait until it answers: it indexes every recording first."""
    session = open_session(source(name, port, timeout_s=1))
    try:
        async with asyncio.timeout(240):
            while True:
                try:
                    if await session.get([SYS_DESCR]):
                        return
                except SnmpTimeoutError:
                    await asyncio.sleep(0.1)
    finally:
        session.close()


async def polled(name: str, port: int) -> tuple[ReportList, list[CollectorOutcome]]:
    reports = ReportList()
    async with snmp_collectors(source(name, port), reports) as item:
        return reports, [await outcome(one) for one in (*item, item[0])]


async def all_polled(folder: Path, names: list[str]) -> dict[str, tuple[ReportList, list[CollectorOutcome]]]:
    """All devices of one snmpsim, in parallel."""
    with simulating(folder, names) as port:
        await awake(names[0], port)
        found = await asyncio.gather(*(polled(name, port) for name in names))
    return dict(zip(names, found, strict=True))


async def test_every_recorded_device_is_polled_without_errors(tmp_path: Path) -> None:
    by_size = sorted(RECORDINGS, key=lambda name: RECORDINGS[name].stat().st_size)
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
