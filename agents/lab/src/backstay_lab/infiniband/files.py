"""The files of a played fabric, and what a program needs in its environment to reach it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from backstay_lab.blueprint import Parameters

SHIM = "libumad2sim.so"
"""Stands between OpenSM or infiniband-diags and the kernel, and leads them to ibsim (libumad2sim0)."""


@dataclass(frozen=True)
class Files:
    """What is in the service's folder."""

    folder: Path

    @property
    def parameters(self) -> Path:
        """The site's parameters."""
        return self.folder / "parameters.json"

    @property
    def net(self) -> Path:
        """ibsim's net file."""
        return self.folder / "fabric.net"

    @property
    def faults(self) -> Path:
        """Which nodes are broken, and how, as the fault verbs want it."""
        return self.folder / "faults.json"

    @property
    def done(self) -> Path:
        """The same, once it is so."""
        return self.folder / "done.json"

    @property
    def ready(self) -> Path:
        """There when the subnet is up."""
        return self.folder / "ready"

    def save_parameters(self, parameters: Parameters) -> None:
        """Keep the parameters for the process."""
        kept = asdict(parameters) | {"settings": dict(parameters.settings)}
        self.parameters.write_text(json.dumps(kept), encoding="utf-8")

    def load_parameters(self) -> Parameters:
        """The parameters that were kept."""
        return Parameters(**json.loads(self.parameters.read_text(encoding="utf-8")))


def read_faults(path: Path) -> dict[str, str]:
    """Node name -> kind of fault; none when there is no file."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}


def write_faults(path: Path, faults: Mapping[str, str]) -> None:
    """Replace the file whole, so that a reader never sees half of it."""
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(faults), encoding="utf-8")
    temporary.replace(path)


def client_environment(socket: str) -> dict[str, str]:
    """For every program that is to see the fabric: whose socket has this name (IBSIM_SOCKNAME)."""
    return {"IBSIM_SOCKNAME": socket, "LD_PRELOAD": str(_shim())}


def _shim() -> Path:
    """Where the package put the shim, whatever the machine's architecture."""
    found = sorted(Path("/usr/lib").glob(f"*/umad2sim/{SHIM}"))
    return found[0] if found else Path("/usr/lib/umad2sim") / SHIM
