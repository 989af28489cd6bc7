"""The cost of an agent's SNMP polling, from the request to the acknowledged report.

A real agent process polls 500 simulated devices of 48 ports each, computes growth, spools, and sends to a
backend in a separate process. Between its rounds it is stopped while the peers run: pysnmp's bulk walk,
gufo-snmp, a script of snmpbulkwalk, and the floor, which only exchanges the datagrams. Results are
variables per second of processor time. Prints a table and, last, one line `BENCH {...}`. Exits 0
unless the measurement failed.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from backstay_bench.snmp import peers
from backstay_bench.usage import child, cpu_s
from backstay_testing.agent_process import AgentProcess
from backstay_testing.sink import Sink
from backstay_wire import Desired, PortSamples, SnmpSource, SnmpV2c

_SOURCE = Path(__file__).with_name("farm.c")


class NoCompilerError(Exception):
    """There is no C compiler to build the farm with."""


@contextlib.contextmanager
def farm(folder: Path, first_port: int, devices: int, ports: int) -> Iterator[int]:
    """Devices on 127.0.0.1 from UDP `first_port` on, until the block ends; yields the farm's process ID.

    Raises NoCompilerError, OSError and subprocess.SubprocessError.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompilerError("no C compiler: install gcc")
    program = folder / "farm"
    subprocess.run([compiler, "-O2", "-o", str(program), str(_SOURCE)], check=True, timeout=60)
    process = subprocess.Popen(
        [str(program), str(first_port), str(devices), str(ports)], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            raise OSError("the farm did not start: its UDP ports are taken")
        yield process.pid
    finally:
        process.kill()
        process.wait()


_FIRST_PORT, _BACKEND_PORT = 31_000, 8_701
_GOAL = 586_000
_INTERVAL_S = 1.0
_START_S = 180.0
_RESUME_S = 3.0
"""Seconds until the agent has recovered from its stop and sends new polls."""


def _desired(devices: int) -> Desired:
    access = SnmpV2c(community="public")
    sources = [
        SnmpSource(
            device=f"device{number}",
            interval_s=_INTERVAL_S,
            address="127.0.0.1",
            port=_FIRST_PORT + number,
            access=access,
        )
        for number in range(devices)
    ]
    return Desired(generation=1, site="bench", node="poller", sources=sources, paths=[])


def _serve(devices: int) -> None:
    """The backend; at each SIGUSR1 it prints the numbers of stored port tables and of their devices."""
    sink = Sink(desired=_desired(devices), port=_BACKEND_PORT).start()
    print("ready", flush=True)
    while signal.sigwait({signal.SIGUSR1, signal.SIGTERM, signal.SIGINT}) == signal.SIGUSR1:
        with sink.lock:
            reports = [stored.report for stored in sink.stored.values()]
        tables = [report for report in reports if isinstance(report, PortSamples) and report.outcome is None]
        print(json.dumps([len(tables), len({table.device for table in tables})]), flush=True)
    sink.stop()


@dataclass
class _Work:
    """Variables got and processor time used, by client."""

    variables: Counter[str] = field(default_factory=Counter)
    cpu_s: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, variables: int, cpu_seconds: float) -> None:
        self.variables[name] += variables
        self.cpu_s[name] = self.cpu_s.get(name, 0.0) + cpu_seconds

    def rate(self, name: str) -> float:
        return self.variables[name] / self.cpu_s[name]


@dataclass
class _Bench:
    """One measurement in progress."""

    devices: int
    ports: int
    agent: AgentProcess
    backend: subprocess.Popen[bytes]
    work: _Work = field(default_factory=_Work)

    def stored(self) -> tuple[int, int]:
        """(port tables stored, devices that they are of)."""
        self.backend.send_signal(signal.SIGUSR1)
        assert self.backend.stdout is not None
        tables, devices = json.loads(self.backend.stdout.readline())
        return tables, devices

    def wait_for_all(self) -> None:
        """Exclude enrolment and the first discovery of every device from the measurement."""
        deadline = time.monotonic() + _START_S
        while self.stored()[1] < self.devices:
            if time.monotonic() > deadline or not self.agent.running:
                raise TimeoutError(f"the agent did not poll every device within {_START_S:g} s")
            time.sleep(0.5)

    def ours(self, seconds: float) -> None:
        """The agent's round."""
        os.kill(self.agent.pid, signal.SIGCONT)
        time.sleep(_RESUME_S)
        before, used = self.stored()[0], cpu_s(self.agent.pid)
        time.sleep(seconds)
        got, used = self.stored()[0] - before, cpu_s(self.agent.pid) - used
        os.kill(self.agent.pid, signal.SIGSTOP)
        self.work.add("agent", got * len(peers.COLUMNS) * self.ports, used)

    def theirs(self, name: str, seconds: float) -> None:
        """A peer's round."""
        command = [sys.executable, "-m", "backstay_bench.snmp.peers", name, str(_FIRST_PORT)]
        command += [str(self.devices), str(self.ports), str(seconds)]
        done = subprocess.run(command, capture_output=True, check=True, timeout=seconds + 60)
        output = json.loads(done.stdout)
        self.work.add(name, output["variables"], output["cpu_s"])


def _measure(devices: int, ports: int, seconds: float, rounds: int, folder: Path) -> _Work:
    with contextlib.ExitStack() as stack:
        stack.enter_context(farm(folder, _FIRST_PORT, devices, ports))
        serve = [sys.executable, "-m", "backstay_bench.snmp", "--serve", "--devices", str(devices)]
        backend = stack.enter_context(child(serve, folder / "backend.log", subprocess.PIPE))
        assert backend.stdout is not None
        if backend.stdout.readline() != b"ready\n":
            raise OSError("the backend did not start")
        to = ["--backend", f"http://127.0.0.1:{_BACKEND_PORT}", "--token", Sink(desired=_desired(0)).token]
        agent = AgentProcess(folder, to, []).start()
        stack.callback(agent.stop)
        stack.callback(lambda: os.kill(agent.pid, signal.SIGCONT))
        bench = _Bench(devices, ports, agent, backend)
        bench.wait_for_all()
        os.kill(agent.pid, signal.SIGSTOP)
        for _ in range(rounds):
            for name in peers.PEERS:
                bench.theirs(name, seconds / 2)
            bench.ours(seconds)
        return bench.work


def _print(work: _Work, devices: int, ports: int) -> None:
    ours, floor = work.rate("agent"), work.rate("sockets")
    print(f"{devices} devices x {ports} ports, variables per second of processor time")
    for name in ("agent", *peers.PEERS):
        print(f"{name:14} {work.rate(name):12,.0f}  {work.variables[name]:10,} in {work.cpu_s[name]:6.2f} s")
    print(f"goal           {_GOAL:12,.0f}  {'met' if ours >= _GOAL else 'NOT met'}")
    figures = {
        f"varbinds_{name.replace('-', '_')}": {
            "ours": round(ours),
            "peer": round(work.rate(name)),
            "peer_name": name,
            "floor": round(floor),
            "goal": _GOAL,
            "unit": "varbinds/CPU-s",
            "met": ours >= _GOAL,
        }
        for name in peers.PEERS
        if name != "sockets"
    }
    print("BENCH " + json.dumps({"name": "snmp", "figures": figures}))


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, default=500)
    parser.add_argument("--ports", type=int, default=48)
    parser.add_argument(
        "--seconds", type=float, default=4.0, help="duration of each round of the agent, seconds (default: 4)"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help="run the backend (used by the benchmark)")
    options = parser.parse_args()
    if options.serve:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1, signal.SIGTERM, signal.SIGINT})
        _serve(options.devices)
        return
    with tempfile.TemporaryDirectory(prefix="backstay-bench-") as name:
        folder = Path(name)
        try:
            work = _measure(options.devices, options.ports, options.seconds, options.rounds, folder)
        except (OSError, subprocess.SubprocessError, TimeoutError, NoCompilerError) as error:
            for log in folder.glob("*.log"):
                print(f"--- {log.name}\n{log.read_text()[-4000:]}", file=sys.stderr)
            sys.exit(f"cannot measure: {error}")
        _print(work, options.devices, options.ports)


if __name__ == "__main__":
    main()
