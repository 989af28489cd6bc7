"""Nodes of the runs: one per run, several at a time, each with its engine and its prepared change."""

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Semaphore

from backstay_testing.change_node import ChangedNode, changed_node
from backstay_testing.engines import EngineProcess
from backstay_testing.gated_stand_in import StandIn
from backstay_testing.node_state import differences, read_daemon
from backstay_wire import EngineKind, NodePhase, Phase

_PREPARED_S = 120.0
"""A start of everything, on a machine that runs several nodes."""
_EQUAL_S = 1.0
_ANSWER_S = 5.0
"""gdc(8) fails while another dump, such as the agent's own, is being written."""
INSTALLED = {
    EngineKind.KERNEL: True,
    EngineKind.BIRD: shutil.which("bird", path="/usr/sbin:/usr/bin") is not None,
    EngineKind.FRR: Path("/usr/lib/frr/staticd").exists(),
    EngineKind.GATED: True,
}


class NotMeasuredError(Exception):
    """The run did not get as far as the fault; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A node's state from outside, and what its daemon runs."""

    state: dict[str, str]
    daemon: str

    @classmethod
    def of(cls, node: ChangedNode) -> "Observed":
        """Raises CalledProcessError if the daemon does not run."""
        return cls(node.seen(), read_daemon(node.engine))

    def difference(self, now: "Observed") -> str:
        """What differs; empty: nothing."""
        return differences({**self.state, "daemon": self.daemon}, {**now.state, "daemon": now.daemon})


@contextlib.contextmanager
def prepared(
    kind: EngineKind, gateways: tuple[str, ...], timeout_s: float, starting: Semaphore
) -> Iterator[tuple[ChangedNode, Observed]]:
    """A node that has prepared a change, and its state before; few start at a time, for that is most of the
    work. Raises NotMeasuredError."""
    process = StandIn if kind is EngineKind.GATED else EngineProcess
    with contextlib.ExitStack() as stack:
        with starting:
            try:
                node = stack.enter_context(changed_node(kind, process))
                before = Observed.of(node)
                node.propose(*gateways, timeout_s=timeout_s)
                report = node.until(NodePhase.PREPARED, NodePhase.REFUSED, seconds=_PREPARED_S)
            except (OSError, subprocess.SubprocessError) as error:  # TimeoutError is an OSError
                raise NotMeasuredError(f"{type(error).__name__}: {error}") from error
        if report.phase is not NodePhase.PREPARED:
            raise NotMeasuredError(f"refused: {report.reason}")
        yield node, before


def changed(kind: EngineKind, timeout_s: float, starting: Semaphore) -> tuple[Observed, Observed]:
    """A node before a good change and after its confirmation. Raises NotMeasuredError, TimeoutError."""
    with prepared(kind, ("atmgw", "grf1"), timeout_s, starting) as (node, before):
        for phase, reached in (
            (Phase.APPLY, NodePhase.APPLIED),
            (Phase.VERIFY, NodePhase.VERIFIED),
            (Phase.CONFIRM, NodePhase.CONFIRMED),
        ):
            node.want(phase)
            report = node.until(reached, NodePhase.ROLLED_BACK, NodePhase.FAILED, NodePhase.REFUSED)
            if report.phase is not reached:
                raise NotMeasuredError(f"a good change is {report.phase}: {report.reason}")
        return before, Observed.of(node)


def compare(node: ChangedNode, expected: Observed) -> str:
    """Differences from the expected state shortly after the report; empty: none."""
    with contextlib.suppress(TimeoutError):
        node.until_as(expected.state, _EQUAL_S)
    deadline = time.monotonic() + _ANSWER_S
    while True:
        try:
            return expected.difference(Observed.of(node))
        except (OSError, subprocess.SubprocessError) as error:
            if time.monotonic() > deadline:
                return f"the daemon does not answer: {error}"
        time.sleep(0.2)
