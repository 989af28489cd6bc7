"""`python -m backstay_lab.infiniband.process SITE FOLDER ALIVE SOCKET`: simulates a site's fabric.

Starts ibsim and OpenSM; then updates the counters once a second and applies faults. It stops both on
request, when one of them ends, and when the lab is gone. OpenSM is stopped first: it would hang in a read
without its fabric.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from backstay_lab.infiniband.breaker import Breaker
from backstay_lab.infiniband.console import Console
from backstay_lab.infiniband.fabric import QDR, WIDTH_1X, WIDTH_4X, IbCable, IbFabric, IbNode, Place
from backstay_lab.infiniband.files import Files, client_environment, read_faults, write_faults
from backstay_lab.infiniband.model import Model
from backstay_lab.infiniband.site import IbSite
from backstay_lab.sites.karlsruhe import FABRICS

_VENDOR = 0x2C9
_SWITCH_DEVICE, _ADAPTER_DEVICE = 0xB924, 0x6282


def render(fabric: IbFabric) -> str:
    """ibsim's net file; nodes stay in order, because ibsim attaches clients to the first."""
    masks = {place: cable for cable in fabric.cables for place in (cable.a, cable.b)}
    head = f"width={WIDTH_1X | WIDTH_4X}\nspeed={2 * fabric.speed - 1}\n"
    return head + "\n".join(_node(fabric, node, masks) for node in fabric.nodes)


def _node(fabric: IbFabric, node: IbNode, masks: dict[Place, IbCable]) -> str:
    value = node.guid_value
    switch = node.kind == "switch"
    own = f"switchguid=0x{value:x}({value:x})" if switch else f"caguid=0x{value:x}"
    lines = [
        f"vendid=0x{_VENDOR:x}",
        f"devid=0x{_SWITCH_DEVICE if switch else _ADAPTER_DEVICE:x}",
        f"sysimgguid=0x{value + 0xF:x}",
        own,
        f'{"Switch" if switch else "Ca"}\t{node.ports} "{node.identity}"\t\t# "{node.description}"',
    ]
    for number in range(1, node.ports + 1):
        place = (node.name, number)
        if place in fabric.ends:
            peer, peer_port = fabric.ends[place]
            local = f"[{number}]" if switch else f"[{number}]({value + number:x})"
            lines.append(
                f'{local}\t"{fabric.by_name[peer].identity}"[{peer_port}]{_mask(fabric, masks[place])}'
            )
    return "\n".join(lines) + "\n"


def _mask(fabric: IbFabric, cable: IbCable) -> str:
    """The width and speed limits of a cable; empty for a healthy one."""
    width = f" w={WIDTH_1X}" if cable.width == WIDTH_1X else ""
    slow = cable.speed is not None and cable.speed < fabric.speed <= QDR
    return width + (f" s={cable.speed}" if slow else "")


TICK_S = 1.0
LOOK_S = 0.1
"""Seconds between checks of the faults file."""
START_S = 60.0
SWEEP_S = 10
"""Seconds between light sweeps of the subnet manager."""
KEPT_LINES = 40
"""Lines of ibsim's output to keep; it repeats every command."""
GRACE_S = 3.0


def main() -> None:
    """The service's entry point."""
    name, folder, alive, socket = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    files = Files(folder)
    site = FABRICS[name](files.load_parameters())
    files.net.write_text(render(site.fabric), encoding="ascii")
    environment = {**os.environ, **client_environment(socket)}
    with _ibsim(files, socket) as ibsim, _opensm(files, environment) as opensm:
        assert ibsim.stdin is not None
        _wait_for_subnet([ibsim, opensm], files, environment)
        files.ready.touch()
        console = Console(site.fabric, folder, ibsim.stdin.fileno())
        _play(site, console, files, alive, [ibsim, opensm])


@contextlib.contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def _ibsim(files: Files, socket: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [_path("ibsim"), "-s", str(files.net)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=files.folder,
        env={**os.environ, "IBSIM_SOCKNAME": socket},
    )
    assert process.stdout is not None
    started = threading.Event()
    threading.Thread(target=_drain, args=(process.stdout, started), daemon=True).start()
    with _ended(process):
        if not started.wait(START_S):
            raise TimeoutError("ibsim does not start")
        yield process


def _drain(output: IO[bytes], started: threading.Event) -> None:
    """Forward ibsim's first lines; read and drop the rest, so that it never blocks."""
    for number, line in enumerate(output):
        if number < KEPT_LINES:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        if line.startswith(b"MaxMcastCap"):
            started.set()
    started.set()


@contextlib.contextmanager
def _opensm(files: Files, environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    folder = files.folder / "opensm"
    folder.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [_path("opensm"), "-f", str(folder / "opensm.log"), "-L", "4", "-s", str(SWEEP_S)],
        stdin=subprocess.DEVNULL,
        cwd=folder,
        env={**environment, "OSM_CACHE_DIR": str(folder), "OSM_TMP_DIR": str(folder)},
    )
    with _ended(process):
        yield process


def _wait_for_subnet(
    processes: list[subprocess.Popen[bytes]], files: Files, environment: dict[str, str]
) -> None:
    """Wait until the subnet manager has activated every cabled port."""
    deadline = time.monotonic() + START_S
    while True:
        listed = subprocess.run(
            [_path("iblinkinfo"), "-l"],
            capture_output=True,
            check=False,
            cwd=files.folder,
            env=environment,
            timeout=START_S,
        ).stdout.decode("utf-8", "replace")
        if "Active/" in listed and "Initialize/" not in listed and "Armed/" not in listed:
            return
        if time.monotonic() > deadline or _some_ended(processes):
            raise TimeoutError("the subnet did not come up")
        time.sleep(LOOK_S)


def _play(
    site: IbSite, console: Console, files: Files, alive: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    """Apply faults at once and counters once a second, until the lab or a program ends."""
    model = Model(site.fabric, site.flows, site.flaws, time.monotonic())
    breaker = Breaker(site.fabric, console, model)
    done: dict[str, str] = {}
    due = time.monotonic()
    while alive.exists() and not _some_ended(processes):
        wanted = read_faults(files.faults)
        if wanted != done:
            breaker.become(wanted)
            done = wanted
            write_faults(files.done, done)
        if time.monotonic() >= due:
            console.set_counters(model.tick(time.monotonic()))
            due += TICK_S
        time.sleep(max(0.0, min(LOOK_S, due - time.monotonic())))


def _path(program: str) -> str:
    """A program's path; `up` has checked the service's packages."""
    return shutil.which(program) or program


def _some_ended(processes: list[subprocess.Popen[bytes]]) -> bool:
    return any(process.poll() is not None for process in processes)


if __name__ == "__main__":
    main()
