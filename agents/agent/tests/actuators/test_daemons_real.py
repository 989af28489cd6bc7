"""Real FRR and keepalived in namespaces; gated and lnetctl as programs with their recorded output."""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from backstay_agent.collectors.base import UnusableError
from backstay_agent.collectors.frr import FrrCollector
from backstay_agent.collectors.gated import GatedCollector
from backstay_agent.collectors.keepalived import KeepalivedCollector
from backstay_agent.collectors.lnet import LnetCollector
from backstay_agent.host.clock import HostClock
from backstay_agent.host.daemon_control import keepalived
from backstay_agent.host.daemon_control.frr import FrrDaemons
from backstay_testing.clock import ManualClock
from backstay_testing.namespaces import Namespace, join
from backstay_testing.report_list import ReportList
from backstay_wire import CollectorOutcome, DaemonReport, MetricReport, MetricValue

pytestmark = pytest.mark.anyio

GOLDEN = Path(__file__).parents[1] / "golden"
ZEBRA = Path("/usr/lib/frr/zebra")
needs_frr = pytest.mark.skipif(
    not ZEBRA.exists() or shutil.which("vtysh") is None, reason="frr is not installed"
)
needs_keepalived = pytest.mark.skipif(
    shutil.which("keepalived") is None, reason="keepalived is not installed"
)


class Reports(ReportList):
    def daemon(self) -> DaemonReport:
        return [report for report in self if isinstance(report, DaemonReport)][-1]

    def metrics(self) -> dict[tuple[str, str], MetricValue]:
        newest = [report for report in self if isinstance(report, MetricReport)][-1]
        return {(item.subject, item.metric): item for item in newest.metrics}

    def choice(self, next_hop: str) -> object:
        """The text of a candidate: `0.0.0.0/0 via ...`."""
        return self.metrics()[next_hop, "routing.choice"].value


@pytest.fixture
def space(make_namespace: Callable[[], Namespace]) -> Namespace:
    """A namespace with two ports whose far ends are elsewhere."""
    made, far = make_namespace(), make_namespace()
    for number in (1, 2):
        join(made, f"p{number}", far, f"q{number}")
        made.run("address", "add", f"10.77.{number}.2/24", "dev", f"p{number}")
    return made


def until(done: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + 10
    while not done():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def start(argv: list[str], **environment: str) -> subprocess.Popen[bytes]:
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(argv, stdout=nowhere, stderr=nowhere, env={**os.environ, **environment})


def end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.fixture
def frr_folder(space: Namespace) -> Iterator[Path]:
    """zebra, staticd and bfdd with two default routes, in a folder that their user may access."""
    folder = Path(tempfile.mkdtemp(prefix="bsfrr"))
    shutil.chown(folder, "frr", "frr")
    folder.chmod(0o755)
    configs = {
        "zebra": "",
        "staticd": "ip route 0.0.0.0/0 10.77.1.1 20\nip route 0.0.0.0/0 10.77.2.1 60\n",
        "bfdd": "bfd\n peer 10.77.1.1 interface p1\n !\n!\n",
    }
    processes = []
    for name, config in configs.items():
        file = folder / f"{name}.conf"
        file.write_text(config)
        shutil.chown(file, "frr", "frr")
        argv = [
            *space.enter(),
            str(ZEBRA.with_name(name)),
            "-f",
            str(file),
            "-i",
            str(folder / f"{name}.pid"),
        ]
        argv += ["-z", str(folder / "zserv.api"), "--vty_socket", str(folder), "-P", "0"]
        argv += ["--bfdctl", str(folder / "bfdd.sock")] if name == "bfdd" else []
        processes.append(start(argv))
        until((folder / f"{name}.vty").exists, f"{name} did not start")
    yield folder
    for process in processes:
        end(process)
    shutil.rmtree(folder)


@pytest.mark.netns
@needs_frr
async def test_frr_is_reported_while_running_on_port_loss_and_after_it_stops(
    space: Namespace, frr_folder: Path
) -> None:
    reports = Reports()
    collector = FrrCollector(
        device="gw", interval_s=1, daemons=FrrDaemons(str(frr_folder)), clock=HostClock(), emit=reports
    )
    first, second = "0.0.0.0/0 via 10.77.1.1 static", "0.0.0.0/0 via 10.77.2.1 static"
    deadline = time.monotonic() + 10
    while True:
        assert (await collector.collect()).outcome is CollectorOutcome.OK
        reported = reports.metrics() if any(isinstance(report, MetricReport) for report in reports) else {}
        if (second, "routing.choice") in reported:
            break
        assert time.monotonic() < deadline, "staticd did not bring its routes"
        await asyncio.sleep(0.1)
    assert reported[first, "routing.preference"].value == 20
    assert (reports.choice(first), reports.choice(second)) == ("selected", "standby")
    found = reports.daemon()
    assert found.running
    assert found.version[0].isdigit()
    assert {row.name for row in found.protocols} == {"zebra", "staticd", "bfdd"}
    assert [(str(peer.neighbour), peer.port, peer.state) for peer in found.bfd] == [
        ("10.77.1.1", "p1", "Down")
    ]

    space.run("link", "set", "p1", "down")
    deadline = time.monotonic() + 10
    while reports.choice(second) != "selected":
        assert time.monotonic() < deadline, "the fallback was not taken"
        await collector.collect()
        await asyncio.sleep(0.1)
    assert (first, "routing.choice") not in reports.metrics()


@needs_frr
async def test_missing_frr_is_a_finding_not_a_failure(tmp_path: Path) -> None:
    reports = Reports()
    collector = FrrCollector(
        device="gw", interval_s=1, daemons=FrrDaemons(str(tmp_path)), clock=ManualClock(), emit=reports
    )
    assert (await collector.collect()).outcome is CollectorOutcome.NO_DATA
    assert reports.daemon().running is False


KEEPALIVED = """
vrrp_instance edge {
  interface p1
  state BACKUP
  virtual_router_id 51
  priority 150
  advert_int 0.1
  version 3
  virtual_ipaddress { 10.77.1.1/24 }
}
"""


@pytest.mark.netns
@needs_keepalived
async def test_keepalived_becomes_master_and_reports_it(space: Namespace, tmp_path: Path) -> None:
    config, pid_file = tmp_path / "k.conf", tmp_path / "k.pid"
    config.write_text(KEEPALIVED)
    argv = [*space.enter(), "keepalived", "--dont-fork", "--log-console", "--use-file", str(config)]
    argv += ["--pid", str(pid_file), "--vrrp_pid", str(tmp_path / "v.pid")]
    # It writes its data below TMPDIR, so parallel tests do not collide.
    process = start(argv, TMPDIR=str(tmp_path))
    reports = Reports()
    data = tmp_path / "keepalived.data"
    collector = KeepalivedCollector(
        device="gw",
        interval_s=1,
        read=partial(keepalived.data, pid_file, data),
        clock=HostClock(),
        emit=reports,
    )
    try:
        until(pid_file.exists, "keepalived did not start")
        await asyncio.sleep(1.0)
        deadline = time.monotonic() + 10
        while True:
            ran = await collector.collect()
            assert ran.outcome is CollectorOutcome.OK
            if reports.daemon().protocols and reports.daemon().protocols[0].state == "master":
                break
            assert time.monotonic() < deadline, "nobody became master"
            await asyncio.sleep(0.2)
        assert reports.metrics()["edge", "vrrp.priority"].value == 150
    finally:
        end(process)
    assert (await collector.collect()).outcome is CollectorOutcome.NO_DATA
    assert reports.daemon().running is False


async def test_program_with_keepalived_s_former_pid_is_not_signalled(tmp_path: Path) -> None:
    bystander = start(["sleep", "30"])
    try:
        name = Path(f"/proc/{bystander.pid}/comm")
        until(lambda: name.read_text() == "sleep\n", "the kernel names a process just after it has begun")
        (tmp_path / "pid").write_text(str(bystander.pid))
        with pytest.raises(keepalived.KeepalivedGoneError, match="is sleep"):
            await keepalived.data(tmp_path / "pid", tmp_path / "data")
        assert bystander.poll() is None
    finally:
        bystander.send_signal(signal.SIGKILL)
        bystander.wait()


def program(path: Path, text: str) -> str:
    """Write a small program to that path."""
    path.write_text(f"#!/usr/bin/env python3\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


async def test_only_the_newly_requested_gated_dump_is_read(tmp_path: Path) -> None:
    dump, reports = tmp_path / "gated_dump", Reports()
    dump.write_text("an old dump")
    new = str(GOLDEN / "gated" / "release-3.txt")
    copy = f"import shutil, sys; assert sys.argv[1:] == ['dump']; shutil.copy({new!r}, {str(dump)!r})"
    collector = GatedCollector(
        device="sp01",
        interval_s=10,
        gdc=program(tmp_path / "gdc", copy),
        dump=dump,
        config=tmp_path / "gated.conf",
        clock=ManualClock(),
        emit=reports,
    )
    ran = await collector.collect()
    assert (ran.outcome, ran.detail) == (CollectorOutcome.OK, "")
    assert reports.choice("0.0.0.0/0 via 10.1.0.16 OSPF_ASE") == "selected"
    assert reports.choice("0.0.0.0/0 via 10.1.0.14 RIP") == "unusable"
    assert {row.name: row.info for row in reports.daemon().protocols}["RIP"] == "0 of 2 routes active"


async def test_stopped_gated_and_unreadable_dump_are_distinguished(tmp_path: Path) -> None:
    dump, reports = tmp_path / "gated_dump", Reports()
    gdc = program(tmp_path / "gdc", "raise SystemExit('gated is not running')")
    config = tmp_path / "gated.conf"
    parts = {
        "device": "sp01",
        "interval_s": 10,
        "dump": dump,
        "config": config,
        "clock": ManualClock(),
        "emit": reports,
    }
    ran = await GatedCollector(gdc=gdc, **parts).collect()  # type: ignore[arg-type]
    assert ran.outcome is CollectorOutcome.NO_DATA
    assert "gated is not running" in ran.detail
    gdc = program(tmp_path / "gdc", f"open({str(dump)!r}, 'w').write('core dumped')")
    with pytest.raises(UnusableError, match="no routing table"):
        await GatedCollector(gdc=gdc, **parts).collect()  # type: ignore[arg-type]


async def test_lnet_growth_and_states_are_reported_on_every_run(tmp_path: Path) -> None:
    reports, clock = Reports(), ManualClock()
    text = (
        "import pathlib, sys\n"
        "name = '-'.join(sys.argv[1:]).replace('--', '-') + '.yaml'\n"
        f"said = pathlib.Path({str(GOLDEN / 'lnet')!r}, name)\n"
        f"more = pathlib.Path({str(tmp_path)!r}, 'more').exists()\n"
        "print(said.read_text().replace('drop_count: 2', 'drop_count: 9' if more else 'drop_count: 2'))"
    )
    collector = LnetCollector(
        device="oss1", interval_s=10, lnetctl=program(tmp_path / "lnetctl", text), clock=clock, emit=reports
    )
    await collector.collect()
    assert reports.metrics()["tcp1 via 10.1.0.102@o2ib", "lnet.route_state"].value == "down"
    assert ("10.1.0.21@o2ib", "lnet.dropped") not in reports.metrics(), "no growth is known yet"
    (tmp_path / "more").touch()
    clock.advance(10)
    await collector.collect()
    assert reports.metrics()["10.1.0.21@o2ib", "lnet.dropped"].value == 7


async def test_missing_lnet_is_a_finding_not_a_failure(tmp_path: Path) -> None:
    parts = {"device": "a", "interval_s": 10, "clock": ManualClock(), "emit": Reports()}
    gone = LnetCollector(lnetctl=str(tmp_path / "none"), **parts)  # type: ignore[arg-type]
    assert (await gone.collect()).outcome is CollectorOutcome.NO_DATA
    down = program(
        tmp_path / "lnetctl", "raise SystemExit('show: cannot get net: No such file or directory')"
    )
    ran = await LnetCollector(lnetctl=down, **parts).collect()  # type: ignore[arg-type]
    assert ran.outcome is CollectorOutcome.NO_DATA
