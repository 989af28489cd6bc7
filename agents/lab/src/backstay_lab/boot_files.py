"""Boots a node: what a host's start-up does with the files that it finds, of ports' ARP and of its engine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from backstay_lab.engines import Engine
from backstay_lab.errors import LabError
from backstay_lab.home import Home
from backstay_lab.network import netns
from backstay_lab.programs import run

READY_S = 10.0
POLL_S = 0.02

Start = Callable[[str, list[str]], None]
"""Starts a daemon of that name in the node, by its command line."""


def boot(engine: Engine, home: Home, namespace: str, start: Start) -> None:
    """Start the engine's programs and let it read its boot file. LabError when it does not come up."""
    engine.prepare(home)
    for program in engine.programs(home):
        start(program.name, program.argv)
        if program.ready is not None:
            _wait(program.name, program.ready)
    if argv := engine.load(home):
        run([*netns.enter(namespace), *argv])


def resolve(home: Home, namespace: str) -> list[str]:
    """Set the ports' ARP by the boot files, where there are any; what a line of them came to grief on.

    A host boots on, whatever is in them: each line that can be done is done.
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
            raise LabError(f"{name} did not make {path} within {READY_S:g} s.", "Read its log.")
        time.sleep(POLL_S)
