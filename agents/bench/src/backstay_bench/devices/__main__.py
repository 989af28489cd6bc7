"""Whether one agent polls a thousand SNMP devices of forty kinds on time.

A real agent polls the recordings of site `zoo`, as often as a site does: a responder of our own answers for
the kinds with SNMPv2c, snmpsim for those with SNMPv3 only. After every device was polled once, the times of
all polls are observed: a poll is on time if it was taken within a tenth of the interval of the device's own
rhythm. A missing poll is not on time. Prints a table and, last, one line `BENCH {...}`. Exits 0 unless the
measurement failed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from backstay_bench.devices.responder import COMMUNITY, HOST, v2c_kinds
from backstay_bench.figures import bench_line, figure
from backstay_bench.usage import child, cpu_s
from backstay_lab.credentials import Credentials, new_credentials
from backstay_lab.zoo.catalogue import zoo
from backstay_lab.zoo.service import command, write_files
from backstay_testing.agent_process import AgentProcess
from backstay_testing.sink import Sink
from backstay_wire import (
    CollectorReport,
    Desired,
    PortSamples,
    SnmpSource,
    SnmpV2c,
    SnmpV3,
)

FIRST_PORT, V3_PORT, BACKEND_PORT = 31_000, 33_000, 8_702
TOLERANCE = 0.1
GOAL = 1.0
START_S = 300.0
DESIRED_FILE = "desired.json"


@dataclass(frozen=True)
class Observed:
    """The polls of every device in the window, Unix seconds, and the agent's use."""

    polls: Mapping[str, Sequence[float]]
    interval_s: float
    seconds: float
    cpu_share: float
    rss_mb: float
    failing: Mapping[str, int]

    def lateness(self) -> list[float]:
        """Seconds by which each expected poll was late, by the device's earliest; infinite: none came."""
        late: list[float] = []
        for moments in self.polls.values():
            slots = round(self.seconds / self.interval_s)
            if not moments:
                late += [math.inf] * slots
                continue
            rests = {round((at - moments[0]) / self.interval_s): at for at in reversed(moments)}
            shifts = [at - number * self.interval_s for number, at in rests.items()]
            late += sorted(shift - min(shifts) for shift in shifts)[:slots]
            late += [math.inf] * (slots - len(shifts))
        return late


def sources(devices: int, interval_s: float, credentials: Credentials) -> list[SnmpSource]:
    """Every kind equally often; kinds with SNMPv3 only are those of snmpsim."""
    every, v2c = zoo(), {device.name: place for place, device in enumerate(v2c_kinds())}
    found: list[SnmpSource] = []
    v3 = 0
    for number in range(devices):
        kind, again = every[number % len(every)], number // len(every)
        name = f"{kind.name}-{again + 1}"
        if kind.name in v2c:
            port, access = (
                FIRST_PORT + again * len(v2c) + v2c[kind.name],
                SnmpV2c(community=COMMUNITY.decode()),
            )
            found.append(
                SnmpSource(device=name, interval_s=interval_s, address=HOST, port=port, access=access)
            )
        else:
            user = SnmpV3(user=credentials.user, auth_key=credentials.auth_key, priv_key=credentials.priv_key)
            found.append(
                SnmpSource(device=name, interval_s=interval_s, address=HOST, port=V3_PORT + v3, access=user)
            )
            v3 += 1
    return found


@contextlib.contextmanager
def simulating(folder: Path, given: Sequence[SnmpSource], credentials: Credentials) -> Iterator[None]:
    """snmpsim for the devices with SNMPv3."""
    ports = {source.device: source.port for source in given if isinstance(source.access, SnmpV3)}
    kinds = {device.name: device for device in zoo()}
    devices = [replace(kinds[name.rpartition("-")[0]], name=name) for name in ports]
    home = folder / "snmpsim"
    home.mkdir()
    write_files(home, devices, credentials, lambda device: f"{HOST}:{ports[device.name]}")
    with (folder / "snmpsim.log").open("wb") as log:
        process = subprocess.Popen(command(), cwd=home, stdout=log, stderr=log)
    try:
        yield
    finally:
        process.terminate()
        process.wait(10)


def _serve(folder: Path) -> None:
    """The backend; at each SIGUSR1 it prints the polls of every device and the failing collectors."""
    desired = Desired.model_validate_json((folder / DESIRED_FILE).read_text())
    sink = Sink(desired=desired, port=BACKEND_PORT).start()
    print("ready", flush=True)
    while signal.sigwait({signal.SIGUSR1, signal.SIGTERM, signal.SIGINT}) == signal.SIGUSR1:
        with sink.lock:
            reports = [stored.report for stored in sink.stored.values()]
        polls: dict[str, list[float]] = {}
        outcomes: dict[tuple[str, str], str] = {}
        for report in reports:
            if isinstance(report, PortSamples):
                polls.setdefault(report.device, []).append(report.at / 1e9)
            elif isinstance(report, CollectorReport):
                outcomes[report.device, report.collector] = report.outcome
        bad = Counter(outcome for outcome in outcomes.values() if outcome not in ("ok", "no_data"))
        print(json.dumps({"polls": polls, "failing": bad}), flush=True)
    sink.stop()


def _stored(backend: subprocess.Popen[bytes]) -> dict[str, Any]:
    backend.send_signal(signal.SIGUSR1)
    assert backend.stdout is not None
    return dict(json.loads(backend.stdout.readline()))


def _await_all(backend: subprocess.Popen[bytes], agent: AgentProcess, devices: int) -> None:
    """Exclude enrolment and the first discovery of every device from the measurement."""
    deadline = time.monotonic() + START_S
    while (known := len(_stored(backend)["polls"])) < devices:
        if time.monotonic() > deadline or not agent.running:
            raise TimeoutError(f"the agent polled {known} of {devices} devices within {START_S:g} s")
        time.sleep(2)


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) / 1024


def _ready(process: subprocess.Popen[bytes], what: str) -> None:
    assert process.stdout is not None
    if process.stdout.readline() != b"ready\n":
        raise OSError(f"the {what} did not start: its ports are taken")


def _measure(devices: int, interval_s: float, intervals: int, folder: Path) -> Observed:
    credentials = new_credentials()
    given = sources(devices, interval_s, credentials)
    desired = Desired(generation=1, site="bench", node="poller", sources=list(given), paths=[])
    (folder / DESIRED_FILE).write_text(desired.model_dump_json())
    with contextlib.ExitStack() as stack:
        many = str(sum(isinstance(source.access, SnmpV2c) for source in given) + len(v2c_kinds()))
        argv = [sys.executable, "-m", "backstay_bench.devices.responder", str(FIRST_PORT), many]
        _ready(stack.enter_context(child(argv, folder / "responder.log", subprocess.PIPE)), "responder")
        stack.enter_context(simulating(folder, given, credentials))
        serve = [sys.executable, "-m", "backstay_bench.devices", "--serve", str(folder)]
        backend = stack.enter_context(child(serve, folder / "backend.log", subprocess.PIPE))
        _ready(backend, "backend")
        to = ["--backend", f"http://127.0.0.1:{BACKEND_PORT}", "--token", Sink(desired=desired).token]
        agent = AgentProcess(folder, to, []).start()
        stack.callback(agent.stop)
        _await_all(backend, agent, devices)
        began, used, seconds = time.time(), cpu_s(agent.pid), intervals * interval_s
        time.sleep(seconds)
        ended, used = time.time(), cpu_s(agent.pid) - used
        time.sleep(2)  # until the last reports have arrived
        stored = _stored(backend)
        polls = {
            source.device: sorted(at for at in stored["polls"].get(source.device, ()) if began <= at < ended)
            for source in given
        }
        share = used / (ended - began)
        return Observed(polls, interval_s, seconds, share, _rss_mb(agent.pid), stored["failing"])


def _print(observed: Observed) -> None:
    late = sorted(observed.lateness())
    share = sum(item <= TOLERANCE * observed.interval_s for item in late) / len(late)
    median, p99 = late[len(late) // 2], late[min(len(late) - 1, int(0.99 * len(late)))]
    print(f"{len(observed.polls)} devices, a poll each {observed.interval_s:g} s, {len(late)} polls expected")
    print(f"on time within 10 %  {share:8.2%}  {'met' if share >= GOAL else 'NOT met'} (goal {GOAL:.0%})")
    worst = f"{p99 * 1000:.1f} ms p99, {late[-1]:.3f} s worst"
    print(f"lateness             {median * 1000:8.1f} ms median, {worst}")
    memory = f"{observed.rss_mb:.0f} MB resident at most"
    print(f"agent                {observed.cpu_share:8.2f} processors, {memory}")
    print(f"failing collectors   {json.dumps(dict(observed.failing))}")
    figures = {
        "polls_on_time": figure(round(share, 5), GOAL, "share", met=share >= GOAL),
        "lateness_median": figure(_finite(median * 1000), None, "ms", met=True),
        "lateness_p99": figure(_finite(p99 * 1000), None, "ms", met=True),
        "agent_cpu": figure(round(observed.cpu_share, 3), None, "processors", met=True),
        "agent_rss": figure(round(observed.rss_mb), None, "MB", met=True),
    }
    print(bench_line("devices", figures))


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else round(value, 1)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=1_000)
    parser.add_argument("--interval", type=float, default=30.0, help="seconds between polls (default: 30)")
    parser.add_argument("--intervals", type=int, default=4, help="observed intervals (default: 4)")
    parser.add_argument("--serve", type=Path, help="run the backend (used by the benchmark)")
    options = parser.parse_args()
    if options.serve is not None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM, signal.SIGINT})
        _serve(options.serve)
        return
    with tempfile.TemporaryDirectory(prefix="backstay-bench-") as name:
        folder = Path(name)
        try:
            observed = _measure(options.devices, options.interval, options.intervals, folder)
        except (OSError, subprocess.SubprocessError, TimeoutError) as error:
            for log in folder.glob("*.log"):
                print(f"--- {log.name}\n{log.read_text()[-4000:]}", file=sys.stderr)
            sys.exit(f"cannot measure: {error}")
        _print(observed)


if __name__ == "__main__":
    main()
