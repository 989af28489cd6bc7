"""Routing engines of a node: BIRD, FRR, the stand-in for gated, or the kernel alone.

An engine defines its boot file, its programs and its entry in a site file, as values and command lines.
`boot_files` runs them.
"""

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from backstay_lab import programs
from backstay_lab.blueprint import Blueprint, EngineName, NodeSpec
from backstay_lab.daemons import bird, frr, gated, kernel
from backstay_lab.errors import LabError
from backstay_lab.labgated.program import write_gdc
from backstay_lab.network.privilege import has_real_root
from backstay_lab.node_files import Home


@dataclass(frozen=True)
class Program:
    """A daemon of an engine, and the file that exists when it is ready, if the next step needs it."""

    name: str
    argv: list[str]
    ready: Path | None = None


def _nothing(_home: Home) -> None:
    """Only the boot file is needed."""


def _no_paths(_home: Home) -> dict[str, str]:
    return {}


@dataclass(frozen=True)
class LabEngine:
    """One kind of engine."""

    name: EngineName
    boot: str
    """Name of the boot file."""
    text: Callable[[Blueprint, NodeSpec], str]
    """Printed by `up`."""
    prepare: Callable[[Home], None] = _nothing
    programs: Callable[[Home], list[Program]] = lambda _home: []
    load: Callable[[Home], list[str]] = lambda _home: []
    """Command line that loads the boot file where the programs do not; run inside the node."""
    control: Callable[[Home], dict[str, str]] = _no_paths
    """`control` and `dump` of the site file's `routing`."""
    source: Callable[[Home], dict[str, str]] = _no_paths
    """The site file's source that collects it."""
    packages: tuple[tuple[str, str], ...] = ()
    """Required programs besides the lab's own, with their Debian packages."""

    def boot_file(self, home: Home) -> Path:
        """The path of the boot file."""
        return home.folder / self.boot


def _bird_programs(home: Home) -> list[Program]:
    # BFD's timers must hold while iperf3 and a database saturate the processors.
    nice = ["nice", "-n", "-10"] if has_real_root() else []
    return [Program("bird", [*nice, *bird.argv(home.folder / "bird.conf", _bird_socket(home))])]


def _bird_socket(home: Home) -> Path:
    return home.folder / "bird.ctl"


def _frr_prepare(home: Home) -> None:
    """Create an empty sockets folder owned by the daemons."""
    shutil.rmtree(home.vty, ignore_errors=True)
    home.vty.mkdir(parents=True)
    user = pwd.getpwnam("frr")
    for path in (home.vty, *(home.vty / f"{name}.conf" for name in frr.DAEMONS)):
        if path != home.vty:
            path.touch()
        os.chown(path, user.pw_uid, user.pw_gid)


def _frr_programs(home: Home) -> list[Program]:
    return [Program(name, frr.argv(name, home.vty), frr.socket(name, home.vty)) for name in frr.DAEMONS]


def _gated_paths(home: Home) -> dict[str, str]:
    return {"control": str(home.folder / "gdc"), "dump": str(home.folder / "gated_dump")}


ENGINES: dict[EngineName, LabEngine] = {
    "bird": LabEngine(
        name="bird",
        boot="bird.conf",
        text=bird.config,
        programs=_bird_programs,
        control=lambda home: {"control": str(_bird_socket(home))},
        source=lambda home: {"kind": "bird", "socket": str(_bird_socket(home))},
    ),
    "frr": LabEngine(
        name="frr",
        boot="frr.conf",
        text=frr.config,
        prepare=_frr_prepare,
        programs=_frr_programs,
        load=lambda home: frr.load_argv(home.folder / "frr.conf", home.vty),
        control=lambda home: {"control": str(home.vty)},
        source=lambda home: {"kind": "frr", "vty_dir": str(home.vty)},
        packages=(("vtysh", "frr"), *((str(frr.PROGRAMS / name), "frr") for name in frr.DAEMONS)),
    ),
    "gated": LabEngine(
        name="gated",
        boot="gated.conf",
        text=gated.config,
        prepare=lambda home: write_gdc(home.folder / "gdc", home.folder),
        programs=lambda home: [Program("labgated", gated.argv(home.folder))],
        control=_gated_paths,
        source=lambda home: {
            "kind": "gated",
            "gdc": str(home.folder / "gdc"),
            "dump": str(home.folder / "gated_dump"),
            "config": str(home.folder / "gated.conf"),
        },
    ),
    "kernel": LabEngine(
        name="kernel",
        boot="routes.batch",
        text=kernel.batch,
        load=lambda home: kernel.load_argv(home.folder / "routes.batch"),
    ),
}


def sources(node: NodeSpec, home: Home) -> list[dict[str, Any]]:
    """The site file's source for a node's engine; none for a node without routes, or the kernel."""
    found = ENGINES[node.engine].source(home) if node.routes else {}
    return [found] if found else []


def routing(node: NodeSpec, home: Home) -> dict[str, str]:
    """The site file's `routing` of a node."""
    engine = ENGINES[node.engine]
    return {"engine": engine.name, "config": str(engine.boot_file(home)), **engine.control(home)}


def require(names: Iterable[EngineName]) -> None:
    """LabError when a required program is missing or cannot run here."""
    programs.require({program: package for name in names for program, package in ENGINES[name].packages})
    if "frr" in names and not has_real_root():
        raise LabError("FRR's daemons need root.", "Run as root, or start the site with --set frr=0.")


def frr_runs() -> bool:
    """Whether FRR is installed, and this process may start it."""
    try:
        require(["frr"])
    except LabError:
        return False
    return True
