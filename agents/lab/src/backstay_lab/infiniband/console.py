"""ibsim's console commands: set counters, plug and unplug cables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from backstay_lab.infiniband.fabric import IbFabric, Place
from backstay_lab.infiniband.model import IbPort

_SCRIPTS = 8


class Console:
    """Writes ibsim's commands to its standard input, through files in `folder`."""

    def __init__(self, fabric: IbFabric, folder: Path, write: int) -> None:
        self._fabric = fabric
        self._folder = folder
        self._write = write
        self._scripts = 0
        self._sent: dict[tuple[Place, str], int] = {}

    def set_counters(self, ports: Mapping[Place, IbPort]) -> None:
        """Set the ports' counters in ibsim; unchanged ones are omitted."""
        self.run(list(self._settings(ports)))

    def _settings(self, ports: Mapping[Place, IbPort]) -> Iterator[str]:
        for place, port in ports.items():
            at = self._at(place)
            for name, value in port.counters():
                if self._sent.get((place, name)) != value:
                    self._sent[place, name] = value
                    yield f"PerformanceSet {at} {name}={value}"

    def unlink(self, places: Iterable[Place]) -> None:
        """Unplug the cables of these ports."""
        self.run([f"Unlink {self._at(place)}" for place in places])

    def relink(self, places: Iterable[Place]) -> None:
        """Plug the cables in again."""
        self.run([f"ReLink {self._at(place)}" for place in places])

    def lose(self, places: Iterable[Place], percent: int) -> None:
        """Drop `percent` of the packets to these ports; 0 ends it."""
        self.run([f"Error {self._at(place)} {percent}" for place in places])

    def run(self, commands: list[str]) -> None:
        """Run commands from a file: a thousand take 15 ms, and no pipe fills up."""
        if commands:
            # Alternate, so that no file is rewritten while ibsim reads it.
            self._scripts = (self._scripts + 1) % _SCRIPTS
            script = self._folder / f"commands.{self._scripts}"
            script.write_text("\n".join(commands) + "\n", encoding="ascii")
            os.write(self._write, f"!{script}\n".encode())

    def _at(self, place: Place) -> str:
        return f'"{self._fabric.by_name[place[0]].identity}"[{place[1]}]'
