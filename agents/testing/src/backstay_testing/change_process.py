"""A process with only the agent's change driver: for tests that kill it, or run many.

`python -m backstay_testing.change_process FOLDER HOST PORT` reads its assignments from FOLDER/duties.json
whenever that file changes and appends its reports to FOLDER/reports.jsonl. It keeps ARP in the files that
FOLDER/arp_files.json names, if it exists. The controller counts as reached when HOST answers at PORT over a
new connection.
"""

import argparse
import asyncio
import contextlib
from pathlib import Path
from uuid import uuid4

from pydantic import TypeAdapter

from backstay_agent import logs
from backstay_agent.changes.change_echo import EchoSender
from backstay_agent.changes.driver import ChangeDriver
from backstay_agent.changes.reporter import ChangeReporter
from backstay_agent.guard import forkserver
from backstay_agent.guard.store import Store
from backstay_agent.host.clock import HostClock
from backstay_agent.host.daemon_control.dump_file import stamp
from backstay_agent.host.forkserver import ForkServer
from backstay_agent.parsers.linux.rtnl import KernelLink
from backstay_agent.report_sink import BuildReport
from backstay_testing.engines import DEFAULT
from backstay_wire import ArpFiles, ChangeAssignment

_DUTIES = TypeAdapter(list[ChangeAssignment])
_LOOK_S = 0.05


class Reports:
    """A ReportSink that writes lines."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._boot = uuid4()
        self._seq = 0

    def __call__(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        """Append one report."""
        self._seq += 1
        with self._path.open("a") as file:
            file.write(build(self._boot, self._seq).model_dump_json() + "\n")


class NoPorts:
    """No live view of the kernel: a change's probes follow the route."""

    links: dict[int, KernelLink] = {}
    addresses: dict[int, list[str]] = {}


def _arp_files(path: Path) -> ArpFiles | None:
    return ArpFiles.model_validate_json(path.read_bytes()) if path.exists() else None


async def _run(folder: Path, host: str, port: int, guards: ForkServer) -> None:
    async def reach() -> bool:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection(host, port)
            with contextlib.closing(writer):
                return bool(await reader.read(1))
        return False

    clock = HostClock()
    driver = ChangeDriver(
        store=Store(folder / "state", "agent"),
        reporter=ChangeReporter("sp01", clock, Reports(folder / "reports.jsonl")),
        echo=EchoSender(NoPorts(), clock),
        reach=reach,
        prefixes=lambda: [DEFAULT],
        arp_files=lambda: _arp_files(folder / "arp_files.json"),
        fork_server=guards,
    )
    running = asyncio.create_task(driver.run())
    assignments, seen = folder / "duties.json", (0, 0, 0)
    while not running.done():
        now = stamp(assignments)
        if now != seen:
            seen = now
            driver.take_up(_DUTIES.validate_json(assignments.read_bytes()))
        await asyncio.sleep(_LOOK_S)
    running.result()


def main() -> None:
    """Run until killed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    given = parser.parse_args()
    logs.configure()
    guards = forkserver.fork(given.folder / "state")
    asyncio.run(_run(given.folder, given.host, given.port, guards))


if __name__ == "__main__":
    main()
