"""Path of a circuit through a row of switches, and a whole mesh with labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from backstay.core.model.circuit import Circuit, Kind, Shape
from backstay.core.planning.circuits.assignment import Ledger, Segment, assign
from backstay.core.planning.circuits.mesh import Mesh, Pattern, pairs
from backstay.core.planning.circuits.sizes import seat

PORT = "at0"
"""Port of a host whose port is not defined."""


@dataclass(frozen=True, slots=True)
class SwitchRow:
    """A row of switches with hosts distributed over them in order."""

    members: Sequence[str]
    switches: Sequence[str]
    ports: Mapping[str, str]
    """Host -> its port; `PORT` if missing."""

    def path(self, one: str, other: str) -> list[Segment]:
        """The links from host to host."""
        start, end = self._seat(one), self._seat(other)
        step = 1 if start <= end else -1
        passed = range(start, end + step, step)
        found: list[Segment] = [((one, self._port(one)), self._to(one, start))]
        for here, there in pairwise(passed):
            found.append((self._trunk(here, there), self._trunk(there, here)))
        return [*found, (self._to(other, end), (other, self._port(other)))]

    def _seat(self, member: str) -> int:
        return seat(self.members.index(member), len(self.members), len(self.switches))

    def _port(self, member: str) -> str:
        return self.ports.get(member, PORT)

    def _to(self, member: str, switch: int) -> tuple[str, str]:
        return self.switches[switch], f"to-{member}"

    def _trunk(self, here: int, there: int) -> tuple[str, str]:
        return self.switches[here], f"to-{self.switches[there]}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Input of a circuit plan."""

    mesh: Mesh
    pattern: Pattern
    kind: Kind = "pvc"
    shape: Shape | None = None


def plan(wanted: Wanted, row: SwitchRow, ledger: Ledger) -> list[Circuit]:
    """Create every circuit with labels and enter it into the ledger. Raises PortFull."""
    return [
        assign(ledger, f"{one}-{other}", wanted.kind, row.path(one, other), wanted.shape)
        for one, other in pairs(wanted.mesh, wanted.pattern)
    ]
