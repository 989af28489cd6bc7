"""CPU and memory of a real agent process with 8 ports and one monitored path (a target every 50 ms, two
gateways every second) that sends to a local backend, compared with the floor.

Prints a table and, last, one line `BENCH {...}`. Exits 0 unless the measurement failed.
"""

import argparse
import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from backstay_agent.config import StateDir
from backstay_agent.status import read_status
from backstay_bench.usage import child, cpu_s
from backstay_testing.agent_process import AgentProcess
from backstay_testing.namespaces import Namespace, join, namespace
from backstay_testing.sink import Sink
from backstay_wire import Desired, GatewayAddress, LinuxSource, PathWatch

_PORTS = 8
_TARGET = "10.77.99.1"
_GATEWAYS = ("10.77.1.1", "10.77.2.1")
_START_S = 120.0
_WARM_UP_S = 5.0
_CPU_GOAL, _RSS_GOAL = 1.0, 80.0


def _desired() -> Desired:
    gateways = [GatewayAddress(name=f"gw{n}", address=address) for n, address in enumerate(_GATEWAYS, 1)]
    watch = PathWatch(policy="out", prefix="10.77.99.0/24", gateways=gateways, target=_TARGET)
    source = LinuxSource(device="node", interval_s=2.0)
    return Desired(generation=1, site="bench", node="node", sources=[source], paths=[watch])


def _build(host: Namespace, far: Namespace) -> None:
    """Eight ports, two gateways on the first two, the target behind the first."""
    for number in range(1, _PORTS + 1):
        join(host, f"p{number}", far, f"q{number}")
        host.run("address", "add", f"10.77.{number}.2/24", "dev", f"p{number}")
        far.run("address", "add", f"10.77.{number}.1/24", "dev", f"q{number}")
    far.run("address", "add", f"{_TARGET}/32", "dev", "lo")
    for metric, gateway in enumerate(_GATEWAYS, 1):
        host.run("route", "add", "10.77.99.0/24", "via", gateway, "metric", str(metric * 10))


def _rss_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(pid)


def _serve(port: int) -> None:
    """The backend, in a separate process so that its cost is not the agent's."""
    sink = Sink(desired=_desired(), port=port).start()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    sink.stop()
    ports = sink.reports("ports")
    print(json.dumps({"reports": len(sink.stored), "ports": len(ports), "duplicates": sink.duplicates}))


def _wait_for_first_run(state: StateDir) -> None:
    """Exclude importing and enrolment from the measurement."""
    deadline = time.monotonic() + _START_S
    while (status := read_status(state)) is None or not status.sources:
        if time.monotonic() > deadline:
            raise TimeoutError(f"the agent did not run within {_START_S:g} s")
        time.sleep(0.1)


def _measure(seconds: float, folder: Path) -> dict[str, float]:
    python = [sys.executable, "-m"]
    with namespace() as host, namespace() as far, contextlib.ExitStack() as stack:
        _build(host, far)
        serve = [*host.enter(), *python, "backstay_bench", "--serve", "8700"]
        stack.enter_context(child(serve, folder / "sink.log"))
        to = ["--backend", "http://127.0.0.1:8700", "--token", Sink(desired=_desired()).token]
        agent = AgentProcess(folder, to, host.enter()).start()
        stack.callback(agent.stop)
        least = [*host.enter(), *python, "backstay_bench.floor", _TARGET, *_GATEWAYS]
        floor = stack.enter_context(child(least, folder / "floor.log"))
        _wait_for_first_run(StateDir(agent.state))
        time.sleep(_WARM_UP_S)
        before = (cpu_s(agent.pid), cpu_s(floor.pid), time.monotonic())
        time.sleep(seconds)
        elapsed = time.monotonic() - before[2]
        return {
            "cpu": 100 * (cpu_s(agent.pid) - before[0]) / elapsed,
            "floor_cpu": 100 * (cpu_s(floor.pid) - before[1]) / elapsed,
            "rss": _rss_mb(agent.pid),
            "floor_rss": _rss_mb(floor.pid),
        }


def _print(found: dict[str, float], seconds: float, sink: dict[str, int]) -> None:
    figures = {
        "cpu": _figure(found["cpu"], found["floor_cpu"], _CPU_GOAL, "% of a core"),
        "rss": _figure(found["rss"], found["floor_rss"], _RSS_GOAL, "MB"),
    }
    print(f"agent with {_PORTS} ports, 1 path (50 ms), 2 gateways (1 s), {seconds:g} s; backend got {sink}")
    print(f"{'':6} {'ours':>8} {'floor':>8} {'goal':>8}  unit")
    for name, row in figures.items():
        met = "met" if row["met"] else "NOT met"
        print(f"{name:6} {row['ours']:8} {row['floor']:8} {row['goal']:8}  {row['unit']}  {met}")
    print("BENCH " + json.dumps({"name": "agent", "figures": figures}))


def _figure(ours: float, floor: float, goal: float, unit: str) -> dict[str, object]:
    return {
        "ours": round(ours, 2),
        "peer": None,
        "peer_name": None,
        "floor": round(floor, 2),
        "goal": goal,
        "unit": unit,
        "met": ours <= goal,
    }


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="duration of the measurement, seconds (default: 30)"
    )
    parser.add_argument("--serve", type=int, metavar="PORT", help="run the backend (used by the benchmark)")
    options = parser.parse_args()
    if options.serve:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        _serve(options.serve)
        return
    with tempfile.TemporaryDirectory(prefix="backstay-bench-") as name:
        folder = Path(name)
        try:
            found = _measure(options.seconds, folder)
        except (OSError, subprocess.SubprocessError, TimeoutError) as error:
            for log in folder.glob("*.log"):
                print(f"--- {log.name}\n{log.read_text()}", file=sys.stderr)
            sys.exit(f"cannot measure: {error}")
        lines = (folder / "sink.log").read_text().splitlines()
        _print(found, options.seconds, json.loads(lines[-1]))


if __name__ == "__main__":
    main()
