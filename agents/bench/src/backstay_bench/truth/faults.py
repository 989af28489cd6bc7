"""The faults of the matrix, and how they are applied and removed.

Faults of the network are `backstay-lab` commands. Programs are killed or stopped by the process number that
the demo records; the demo starts a killed one again.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from backstay_bench.apply import CannotMeasureError
from backstay_bench.truth.snapshots import Json
from backstay_bench.truth.verdict import Expected

_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class TruthFault:
    """One fault: lab commands, or programs to kill or to stop, and what an operator must see."""

    name: str
    expected: Expected
    commands: tuple[tuple[str, ...], ...] = ()
    """Arguments of `backstay-lab`."""
    restores: tuple[str, ...] = ()
    """Names for `backstay-lab restore`."""
    kills: tuple[str, ...] = ()
    """Names of the demo's programs."""
    stops: tuple[str, ...] = ()
    """Programs that are stopped (SIGSTOP) while the fault stands."""
    is_blinding: bool = False
    """Whether it prevents reports about other faults, which then need not be named."""


def expectations(faults: Sequence[TruthFault]) -> list[Expected]:
    """What an operator must see of simultaneous faults."""
    is_blind = any(fault.is_blinding for fault in faults)
    return [
        replace(fault.expected, is_brief=True) if is_blind and not fault.is_blinding else fault.expected
        for fault in faults
    ]


def _broken(
    name: str,
    verb: str,
    target: str,
    *culprits: str,
    port: str = "",
    evidence: tuple[str, ...] = (),
) -> TruthFault:
    command = (verb, target, "--port", port) if port else (verb, target)
    return TruthFault(name, Expected(culprits or (target,), evidence=evidence), (command,), (target,))


def _killed(name: str, culprit: str, *programs: str) -> TruthFault:
    return TruthFault(name, Expected((culprit,), is_brief=True), kills=programs)


def _hung(node: str) -> TruthFault:
    """Its agent lives and does nothing, so that the demo does not start another; the node itself works."""
    expected = Expected((node,), severity="warning", silent_node=node)
    return TruthFault("agent-hung", expected, stops=(f"agent-{node}",))


_BACKEND = _killed("backend-restarted", "(nothing)", "web", "ingest", "worker")
_MANAGEMENT = replace(
    _broken("management", "silence", "management", "not reporting", "management", "reporting"),
    is_blinding=True,
)

FAULTS: dict[str, tuple[TruthFault, ...]] = {
    "argonne": (
        _broken("cut", "cut", "grf1"),
        _broken("silence", "silence", "grf1", evidence=("probe", "bfd")),
        _broken("blackhole", "blackhole", "grf1", evidence=("probe", "bfd")),
        _broken("one-way", "one-way", "grf1"),
        _broken("one-port", "cut", "grf1", "ga031", "router:at0", port="ga031"),
        _broken("one-standby", "cut", "atmgw"),
        _broken("fabric", "cut", "sp-switch"),
        _MANAGEMENT,
        _hung("sp02"),
        _killed("agent-killed", "sp02", "agent-sp02"),
        _BACKEND,
    ),
    "sdsc": (
        _broken("cut", "cut", "gw1"),
        _broken("silence", "silence", "gw1", evidence=("probe", "bfd")),
        _broken("blackhole", "blackhole", "gw1", evidence=("probe", "bfd")),
        _broken("one-way", "one-way", "gw1"),
        _broken("one-port", "cut", "gw1", "gw1", port="en1"),
        _broken("fabric", "cut", "colony"),
        _MANAGEMENT,
        _hung("bh002"),
        _killed("agent-killed", "bh002", "agent-bh002"),
        _BACKEND,
    ),
}
"""By site. sdsc has no gateway that is only a standby."""
PARTNERS = {
    "argonne": _broken("partner", "cut", "origin1", "origin1", "router:at2", port="at1"),
    "sdsc": _broken("partner", "cut", "mover8"),
}
"""The independent second fault of a site."""
MODES = ("alone", "sequence", "two")


def catalogue(site: str) -> list[Json]:
    """The single faults of a site as JSON, for programs that apply them by themselves."""
    return [asdict(fault) for fault in FAULTS[site]]


@dataclass(frozen=True)
class DemoFaults:
    """Applies faults to one site of a running demo."""

    lab_state: Path
    run_file: Path
    applied: list[TruthFault] = field(default_factory=list)

    def status(self) -> Json:
        """`backstay-lab status --json`. Raises CannotMeasureError."""
        found: Json = json.loads(self._lab("status", "--json"))
        return found

    def apply(self, fault: TruthFault) -> None:
        """Apply it now. Raises CannotMeasureError."""
        self.applied.append(fault)
        for command in fault.commands:
            self._lab(*command)
        self._signal(fault.kills, signal.SIGKILL)
        self._signal(fault.stops, signal.SIGSTOP)

    def restore_all(self) -> None:
        """Remove all faults, the newest first, also after one that failed. Raises CannotMeasureError."""
        problems = []
        while self.applied:
            fault = self.applied.pop()
            restores: list[Callable[[], object]] = [
                *(partial(self._lab, "restore", name) for name in fault.restores),
                partial(self._signal, fault.stops, signal.SIGCONT),
            ]
            for restore in restores:
                try:
                    restore()
                except CannotMeasureError as error:
                    problems.append(str(error))
        if problems:
            raise CannotMeasureError("; ".join(problems))

    def _signal(self, programs: Sequence[str], number: signal.Signals) -> None:
        if not programs:
            return
        children = json.loads(self.run_file.read_text())["children"]
        for program in programs:
            if program not in children:
                raise CannotMeasureError(f"the demo runs no {program}: {', '.join(children)}")
            try:
                os.kill(children[program]["pid"], number)
            except ProcessLookupError as error:
                raise CannotMeasureError(f"{program} is gone") from error

    def _lab(self, *arguments: str) -> str:
        argv = [str(Path(sys.executable).with_name("backstay-lab")), "--state", str(self.lab_state)]
        try:
            done = subprocess.run(
                [*argv, *arguments], capture_output=True, text=True, check=False, timeout=_LIMIT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CannotMeasureError(f"backstay-lab {' '.join(arguments)}: {error}") from error
        if done.returncode != 0:
            raise CannotMeasureError(f"backstay-lab {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout
