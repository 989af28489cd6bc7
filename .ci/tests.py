"""`make test`: every suite, a demo for the browser tests, and one last line: `N passed, N failed`.

Suites report in JUnit XML, and only what stands there is counted. A suite that crashed, timed out or ran no
test counts as one failure of its own name: silence is never success. The demo has its own data folder, ports
and namespaces, and is stopped whatever happens.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
FRONTEND = ROOT / "frontend"


@dataclass(frozen=True, slots=True)
class Suite:
    """A command that leaves a JUnit report. `seconds` is its bound."""

    name: str
    argv: Sequence[str]
    seconds: float
    folder: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """Counts over all suites, and the names of those that failed as a whole."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    broken: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.broken += other.broken

    def line(self) -> str:
        """The last line of the run."""
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skipped}"


def count(report: Path) -> Tally:
    """What a JUnit report says: a case with a failure or an error failed, one marked skipped was skipped."""
    tally = Tally()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314  # written by our own test runners
        marks = {child.tag for child in case}
        if marks & {"failure", "error"}:
            tally.failed += 1
        elif "skipped" in marks:
            tally.skipped += 1
        else:
            tally.passed += 1
    return tally


def judge(name: str, report: Path, status: int | None) -> Tally:
    """A suite's tally; a crash, a timeout (status None) or an empty report is one failure more."""
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


def run(suite: Suite, reports: Path) -> Tally:
    """Run one suite, its words straight to the terminal."""
    report = reports / f"{suite.name}.xml"
    path = f"{BIN}:{os.environ.get('PATH', os.defpath)}"
    environment = {**os.environ, "PATH": path, "BACKSTAY_JUNIT": str(report), **suite.environment}
    print(f"\n=== {suite.name}", flush=True)
    began = time.monotonic()
    argv = [part.replace("{report}", str(report)) for part in suite.argv]
    process = subprocess.Popen(argv, cwd=suite.folder, env=environment, start_new_session=True)
    status: int | None = None
    try:
        status = process.wait(suite.seconds)
    except subprocess.TimeoutExpired:
        pass
    finally:
        # The whole session, browsers and servers included, also when a person stops the run.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM if status is None else signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
    tally = judge(suite.name, report, status)
    print(f"=== {suite.name}: {tally.line()} ({time.monotonic() - began:.0f} s)", flush=True)
    return tally


def free_port() -> int:
    """A TCP port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def demo(data: Path) -> Iterator[bool]:
    """A demo of our own, ready; False when it did not start."""
    program = str(BIN / "backstay-demo")
    print("\n=== demo for the browser tests", flush=True)
    try:
        yield start_demo([program, "up", "--detach", "--data", str(data), "--port", str(free_port())])
    finally:
        subprocess.run([program, "down", "--data", str(data)], check=False, timeout=60)


def start_demo(argv: Sequence[str]) -> bool:
    """Whether it became ready in time."""
    try:
        # Its last line is the ready line with the password: not for a log.
        return subprocess.run(argv, check=False, stdout=subprocess.DEVNULL, timeout=240).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def browser_suite(data: Path) -> Suite:
    """The end-to-end tests against that demo."""
    environment = {
        "BACKSTAY_DEMO_JSON": str(data / "demo.json"),
        "BACKSTAY_LAB_STATE": str(data / "lab"),
        "CHROMIUM": os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium",
    }
    return Suite("browser", ["npm", "run", "--silent", "e2e"], 960, FRONTEND, environment)


def unit_suites() -> list[Suite]:
    """Those that need no demo."""
    return [
        # Three at once: much of their time is waiting. A file's tests stay together, for its fixtures' sake.
        Suite(
            "python",
            [str(BIN / "pytest"), "-q", "-n", "3", "--dist", "loadfile", "--junitxml={report}"],
            1200,
        ),
        Suite("frontend", ["npm", "run", "--silent", "test"], 180, FRONTEND),
    ]


def every_suite(data: Path, reports: Path) -> Tally:
    """Run all of them."""
    tally = Tally()
    for suite in unit_suites():
        tally.add(run(suite, reports))
    with demo(data) as ready:
        tally.add(
            run(browser_suite(data), reports) if ready else Tally(failed=1, broken=["demo did not start"])
        )
    return tally


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> int:
    """Run every suite; status 1 when a test failed."""
    signal.signal(signal.SIGTERM, _interrupt)
    kept = ROOT / ".backstay"
    kept.mkdir(exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="test-", dir=kept))
    data.chmod(0o755)
    reports = data / "reports"
    reports.mkdir()
    tally = every_suite(data, reports)
    if tally.failed:
        print(f"\nreports and the demo's logs: {data}")
    else:
        shutil.rmtree(data, ignore_errors=True)
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
