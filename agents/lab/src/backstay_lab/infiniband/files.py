"""The files of a simulated fabric, and the environment of its clients."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from backstay_lab.blueprint import Parameters

SHIM = "libumad2sim.so"
"""Preloaded library that connects OpenSM and infiniband-diags to ibsim (libumad2sim0)."""


@dataclass(frozen=True)
class Files:
    """The files in the service's folder."""

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
        """Requested faults by node."""
        return self.folder / "faults.json"

    @property
    def done(self) -> Path:
        """Applied faults by node."""
        return self.folder / "done.json"

    @property
    def ready(self) -> Path:
        """Exists when the subnet is up."""
        return self.folder / "ready"

    def save_parameters(self, parameters: Parameters) -> None:
        """Write the parameters for the process."""
        kept = asdict(parameters) | {"settings": dict(parameters.settings)}
        self.parameters.write_text(json.dumps(kept), encoding="utf-8")

    def load_parameters(self) -> Parameters:
        """The parameters written by `save_parameters`."""
        return Parameters(**json.loads(self.parameters.read_text(encoding="utf-8")))


def read_faults(path: Path) -> dict[str, str]:
    """Node name -> kind of fault; empty without a file."""
    try:
        return dict(json.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}


def write_faults(path: Path, faults: Mapping[str, str]) -> None:
    """Replace the file atomically."""
    temporary = path.with_suffix(".new")
    temporary.write_text(json.dumps(faults), encoding="utf-8")
    temporary.replace(path)


def client_environment(socket: str) -> dict[str, str]:
    """Environment of the fabric's clients; `socket` is IBSIM_SOCKNAME."""
    return {"IBSIM_SOCKNAME": socket, "LD_PRELOAD": str(_shim())}


def _shim() -> Path:
    """The shim's path, which depends on the architecture."""
    found = sorted(Path("/usr/lib").glob(f"*/umad2sim/{SHIM}"))
    return found[0] if found else Path("/usr/lib/umad2sim") / SHIM
