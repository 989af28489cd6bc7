"""`make test`: every suite, a demo for the browser tests, and a last line `N passed, N failed`.

Tests in namespaces mostly wait for timers and replies, so CPU-bound tests run at the same time at a lower
priority. The browser needs both processors, so its tests follow when these have ended: beside them, CPU-bound
tests starved and timed out. Last, without the demo, follow alone the tests that measure durations.

Suites report in JUnit XML, and only its cases count. A suite that crashed, timed out or ran no test is one
additional failure under its name. The demo has its own data folder, ports and namespaces, and is always
stopped.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
FRONTEND = ROOT / "frontend"
DATA = ROOT / ".backstay"
NOT_STOPPED = threading.Event()
SIGTERM_GRACE_S = 10.0
"""Seconds between SIGTERM and SIGKILL."""
SUMMARY_LENGTH = 400
LISTED = 20
"""Slowest tests that are printed at the end, so that a run shows what makes it longer."""
ANSI = re.compile(r"\x1b\[[0-9;]*m")
UNHELD = {"BACKSTAY_FLAP_HOLD": "0"}
"""Browser tests cause the same fault many times within minutes, and expect its incident to end with it."""
NICENESS = 5
"""Nice value: a quarter of the processor while a suite of ordinary priority is busy."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A command that writes a JUnit report within `seconds`."""

    name: str
    argv: Sequence[str]
    seconds: float
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)
    in_background: bool = False
    """Runs in parallel with another suite: its output is printed when it has ended."""
    low_priority: bool = False


@dataclass(slots=True)
class Tally:
    """Counts over all suites."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    broken: list[str] = field(default_factory=list)
    """What failed: tests with the first line of their message, and suites that failed as a whole."""
    durations: list[tuple[float, str]] = field(default_factory=list)
    """Seconds of each test with its fixtures, and its name."""

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.broken += other.broken
        self.durations += other.durations

    def line(self) -> str:
        """The last line of the run."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"

    def slowest(self) -> list[str]:
        """The slowest tests, the slowest first."""
        ordered = sorted(self.durations, key=lambda one: -one[0])
        return [f"{seconds:7.1f} s  {name}" for seconds, name in ordered[:LISTED]]


def count(report: Path) -> Tally:
    """The counts of a JUnit report: cases with a failure or an error count as failed."""
    tally = Tally()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314  # written by our own test runners
        marks = {child.tag: child for child in case}
        fault = marks.get("failure", marks.get("error"))
        name = f"{report.stem}: {case.get('classname', '')} {case.get('name', '')}"
        tally.durations.append((float(case.get("time", 0)), name))
        if fault is not None:
            tally.failed += 1
            tally.broken.append(f"{name}: {summary(fault)}")
        elif "skipped" in marks:
            tally.skipped += 1
        else:
            tally.passed += 1
    return tally


def summary(fault: ET.Element) -> str:
    """The first lines of a failure, short enough for the end of a long log."""
    text = ANSI.sub("", f"{fault.get('message', '')} {fault.text or ''}")
    return textwrap.shorten(text, SUMMARY_LENGTH, placeholder=" ...")


def judge(name: str, report: Path, status: int | None) -> Tally:
    """A suite's tally; a crash, a timeout (status None) or an empty report is an additional failure."""
    try:
        tally = count(report)
    except (OSError, ET.ParseError):
        tally = Tally()
    ran = tally.passed + tally.failed
    why = ""
    if status is None:
        why = "timed out"
    elif not ran:
        why = "ran no test"
    elif status != 0 and not tally.failed:
        why = f"ended with status {status}"
    if why:
        tally.failed += 1
        tally.broken.append(f"{name} {why}")
    return tally


def environment_with(more: Mapping[str, str]) -> dict[str, str]:
    """Our environment with the project's programs first, and compiled modules kept for the many programs."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    path = f"{BIN}:{os.environ.get('PATH', os.defpath)}"
    return {**kept, "PATH": path, "PYTHONPYCACHEPREFIX": str(DATA / "pycache"), **more}


def run(suite: Suite, reports: Path, stop: threading.Event = NOT_STOPPED) -> Tally:
    """Run one suite to its end, or until `stop` is set."""
    report, log = reports / f"{suite.name}.xml", reports / f"{suite.name}.log"
    environment = environment_with({"BACKSTAY_JUNIT": str(report), **suite.environment})
    print(f"\n=== {suite.name}{', in the background' if suite.in_background else ''}", flush=True)
    began = time.monotonic()
    argv = [part.replace("{report}", str(report)) for part in suite.argv]
    status: int | None = None
    with contextlib.ExitStack() as stack:
        output = None
        if suite.low_priority:
            argv = ["nice", "-n", str(NICENESS), *argv]
        if suite.in_background:
            output = stack.enter_context(log.open("wb"))
        process = subprocess.Popen(
            argv, cwd=suite.folder, env=environment, start_new_session=True, stdout=output, stderr=output
        )
        stack.callback(end, process)
        if suite.low_priority:
            lower_priority(process.pid)
        status = wait(process, suite.seconds, stop)
    tally = judge(suite.name, report, status)
    if suite.in_background:
        print(f"\n=== {suite.name} printed:\n{log.read_text(errors='replace')}", flush=True)
    print(f"=== {suite.name}: {tally.line()} ({time.monotonic() - began:.0f} s)", flush=True)
    return tally


def lower_priority(pid: int) -> None:
    """With autogroups (sched(7)), nice values count only within a session, so lower the session's."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(NICENESS))


def wait(process: subprocess.Popen[bytes], seconds: float, stop: threading.Event) -> int | None:
    """The exit status; None after the time limit or a stop."""
    deadline = time.monotonic() + seconds
    while not stop.is_set() and time.monotonic() < deadline:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(0.2)
    return None


def end(process: subprocess.Popen[bytes]) -> None:
    """End the rest of a suite: the whole session, including browsers and servers."""
    signals = [signal.SIGTERM, signal.SIGKILL] if process.poll() is None else [signal.SIGKILL]
    for item in signals:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, item)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(SIGTERM_GRACE_S)
            return


def free_port() -> int:
    """A free TCP port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def demo(data: Path) -> Iterator[bool]:
    """A private demo; yields False if it did not become ready."""
    program = str(BIN / "backstay-demo")
    print("\n=== demo for the browser tests", flush=True)
    try:
        yield start_demo([program, "up", "--detach", "--data", str(data), "--port", str(free_port())])
    finally:
        subprocess.run([program, "down", "--data", str(data)], check=False, timeout=60)


def start_demo(argv: Sequence[str]) -> bool:
    """Whether it became ready in time."""
    try:
        # Its last line contains the password and must not be logged.
        return (
            subprocess.run(
                argv, check=False, stdout=subprocess.DEVNULL, timeout=240, env={**os.environ, **UNHELD}
            ).returncode
            == 0
        )
    except subprocess.TimeoutExpired:
        return False


def of_demo(data: Path) -> dict[str, str]:
    """The variables that name the demo for its tests."""
    return {"BACKSTAY_DEMO_JSON": str(data / "demo.json"), "BACKSTAY_LAB_STATE": str(data / "lab")}


def browser_suite(data: Path) -> Suite:
    """The end-to-end tests that change the demo's network or depend on its state."""
    return playwright("browser", 1800, data, "--project=network")


def pages_suite(data: Path) -> Suite:
    """The end-to-end tests that do not depend on the network; with the session of the browser suite."""
    return playwright("pages", 900, data, "--project=pages", "--no-deps", in_background=True)


def mock_suite() -> Suite:
    """Baselines of all pages: a build that answers its own requests, without a demo."""
    environment = {"CHROMIUM": chromium(), "PORT": str(free_port())}
    argv = ["npm", "run", "--silent", "e2e-mock", "--", "--project=baselines"]
    return Suite("mock", argv, 600, FRONTEND, environment)


def chromium() -> str:
    """The program of the browser."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"


def playwright(name: str, seconds: float, data: Path, *options: str, in_background: bool = False) -> Suite:
    """End-to-end tests against that demo."""
    environment = of_demo(data) | {"CHROMIUM": chromium()}
    argv = ["npm", "run", "--silent", "e2e", "--", *options]
    return Suite(name, argv, seconds, FRONTEND, environment, in_background=in_background)


def tour_suite(data: Path) -> Suite:
    """The commands of docs/tour.md against that demo."""
    return Suite("tour", [str(BIN / "python"), ".ci/tour.py", "{report}"], 480, environment=of_demo(data))


def files_with(mark: str) -> list[str]:
    """The test files with this mark: only these are imported. The root's conftest.py rejects other uses."""
    return sorted(
        str(path.relative_to(ROOT))
        for folder in ("agents", "backend")
        for path in (ROOT / folder).rglob("test_*.py")
        if f"mark.{mark}" in path.read_text()
    )


def pytest(
    name: str,
    marks: str,
    workers: int,
    seconds: float,
    files: Sequence[str] = (),
    *,
    in_background: bool = False,
) -> Suite:
    """The Python tests with these marks. A file's tests run in one process, because of its fixtures."""
    argv = [str(BIN / "pytest"), "-q", "-m", marks, "-n", str(workers), "--dist", "loadfile", *files]
    # Slow files first, as sorted by the root's conftest.py.
    argv += ["--no-loadscope-reorder", "--junitxml={report}", "--tb=short"]
    return Suite(name, argv, seconds, in_background=in_background, low_priority=in_background)


def computing_suites() -> list[Suite]:
    """CPU-bound suites."""
    return [
        Suite(
            "frontend",
            ["npm", "run", "--silent", "test"],
            600,
            FRONTEND,
            in_background=True,
            low_priority=True,
        ),
        pytest("python", "not netns and not quiet", 2, 2700, in_background=True),
    ]


def waiting_suite() -> Suite:
    """The suite that mostly waits, with more workers than processors."""
    return pytest("namespaces", "netns and not quiet", 5, 900, files_with("netns"))


def measuring_suite() -> Suite:
    """The suite whose results are wrong while others run."""
    return pytest("measuring", "quiet", 1, 900, files_with("quiet"))


@contextlib.contextmanager
def background(suites: Sequence[Suite], reports: Path) -> Iterator[Tally]:
    """Run suites one after another during the block; the tally is complete behind it.

    If the block raises, they are stopped.
    """
    tally, stop = Tally(), threading.Event()

    def lane() -> None:
        for suite in suites:
            tally.add(run(suite, reports, stop))

    thread = threading.Thread(target=lane)
    thread.start()
    try:
        yield tally
    except BaseException:
        stop.set()
        raise
    finally:
        thread.join()


def every_suite(data: Path, reports: Path) -> Tally:
    """Run all of them."""
    tally = Tally()
    with background(computing_suites(), reports) as computed:
        tally.add(run(waiting_suite(), reports))
    tally.add(computed)
    tally.add(run(mock_suite(), reports))
    with demo(data) as is_ready:
        if is_ready:
            tally.add(run(browser_suite(data), reports))
            with background([pages_suite(data)], reports) as pages:
                tally.add(run(tour_suite(data), reports))
            tally.add(pages)
        else:
            tally.add(Tally(failed=1, broken=["demo did not start"]))
    tally.add(run(measuring_suite(), reports))
    return tally


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    """Run every suite; returns 1 if a test failed."""
    signal.signal(signal.SIGTERM, _interrupt)
    DATA.mkdir(exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="test-", dir=DATA))
    data.chmod(0o755)
    reports = data / "reports"
    reports.mkdir()
    tally = every_suite(data, reports)
    if tally.failed:
        print(f"\nreports and the demo's logs: {data}")
    else:
        shutil.rmtree(data, ignore_errors=True)
    print(f"\nthe {LISTED} slowest tests:", *tally.slowest(), sep="\n")
    for broken in tally.broken:
        print(f"FAILED: {broken}")
    print(tally.line(), flush=True)
    return 1 if tally.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("FAILED: interrupted\n0 passed, 1 failed")
        sys.exit(130)
