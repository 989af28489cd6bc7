"""Interface of a kind of test: a command for an assignment, and the conversion of its output into an
outcome."""

from dataclasses import dataclass
from typing import Protocol

from backstay_agent.host.throughput.child import Ended
from backstay_agent.parsers import text
from backstay_agent.probes.throughput.tools import Tools
from backstay_wire import TestAssignment, TestState
from backstay_wire.throughput_kinds import TestResult


@dataclass(frozen=True, slots=True)
class Command:
    """The command of an assignment."""

    argv: tuple[str, ...]
    """A program of the allow-list by its full path; or the arguments of one of ours."""
    program: str
    """Name and release, for the report."""
    own: str = ""
    """Our own program, a module of `programs`; empty: `argv` is complete."""

    @property
    def shown(self) -> str:
        """As a user would type it."""
        return " ".join((self.own, *self.argv) if self.own else self.argv)[:1024]


@dataclass(frozen=True, slots=True)
class ThroughputOutcome:
    """How a test ended."""

    state: TestState
    detail: str = ""
    result: TestResult | None = None


class ThroughputKind(Protocol):
    """One kind of test."""

    has_server: bool
    """Whether the receiver runs a program at a port; otherwise its system answers."""
    counts_own_traffic: bool
    """Whether its program reads and writes what goes over the wire, so that others' traffic is the rest."""

    async def command(self, assignment: TestAssignment, tools: Tools) -> Command:
        """The command to run. Raises UnableError."""

    def outcome(self, assignment: TestAssignment, ended: Ended) -> ThroughputOutcome:
        """The outcome from what the program left behind."""

    def expected_s(self, assignment: TestAssignment) -> float | None:
        """Expected seconds from its start; None: until an amount is transferred."""


def peer(assignment: TestAssignment) -> str:
    """The other end, for display."""
    address = str(assignment.peer) if assignment.peer is not None else ""
    if not assignment.peer_name:
        return address or "the other end"
    return f"{assignment.peer_name} ({address})" if address else assignment.peer_name


def killed(assignment: TestAssignment, ended: Ended) -> ThroughputOutcome | None:
    """The outcome of a program ended by a signal; None if it was not."""
    if ended.status >= 0:
        return None
    return ThroughputOutcome(TestState.KILLED, f"the {assignment.role} was ended by signal {-ended.status}")


def message_of(ended: Ended) -> str:
    """Its error message, short and clean."""
    output = text.text(ended.err.strip() or ended.out.strip())
    return output[:500] or f"it ended with status {ended.status} and no output"
