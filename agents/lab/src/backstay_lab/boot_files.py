"""Boots a node from its files: the ports' ARP configuration and the engine's boot file."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from backstay_lab.engines import LabEngine
from backstay_lab.errors import LabError
from backstay_lab.network import netns
from backstay_lab.node_files import Home
from backstay_lab.programs import run

READY_S = 10.0
POLL_S = 0.02

Start = Callable[[str, list[str]], None]
"""Starts a daemon in the node: name and command line."""


def boot(engine: LabEngine, home: Home, namespace: str, start: Start) -> None:
    """Start the engine's programs and load its boot file. LabError when the engine does not start."""
    engine.prepare(home)
    for program in engine.programs(home):
        start(program.name, program.argv)
        if program.ready is not None:
            _wait(program.name, program.ready)
    if argv := engine.load(home):
        run([*netns.enter(namespace), *argv])


def resolve(home: Home, namespace: str) -> list[str]:
    """Configure the ports' ARP from the boot files, if any; the errors of failed lines.

    As on a host, a failed line does not stop the boot: the other lines are applied.
    """
    steps = {
        home.arp_settings: ["sysctl", "--load", str(home.arp_settings)],
        home.arp: ["ip", "-force", "-batch", str(home.arp)],
    }
    trouble = []
    for path, argv in steps.items():
        if path.exists():
            try:
                run([*netns.enter(namespace), *argv])
            except LabError as error:
                trouble.append(f"{path}: {error.cause}")
    return trouble


def _wait(name: str, path: Path) -> None:
    deadline = time.monotonic() + READY_S
    while not path.exists():
        if time.monotonic() > deadline:
            raise LabError(f"{name} did not create {path} within {READY_S:g} s.", "Read its log.")
        time.sleep(POLL_S)
