"""What every kind of test is: a command for a duty, and how what it said becomes an outcome."""

from dataclasses import dataclass
from typing import Protocol

from backstay_agent.host.throughput.child import Ended
from backstay_agent.parsers import text
from backstay_agent.probes.throughput.tools import Tools
from backstay_wire import PingResult, RdmaResult, RequestAckResult, TestAssignment, TestState, TransferResult

Result = TransferResult | RequestAckResult | PingResult | RdmaResult


@dataclass(frozen=True, slots=True)
class Command:
    """What is run for a duty."""

    argv: tuple[str, ...]
    """A program of the allow-list by its whole path; or the arguments of one of ours."""
    program: str
    """Name and release, for the report."""
    own: str = ""
    """Our own program, a module of `programs`; empty: `argv` says it all."""

    @property
    def shown(self) -> str:
        """As a person would type it."""
        return " ".join((self.own, *self.argv) if self.own else self.argv)[:1024]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a test ended."""

    state: TestState
    detail: str = ""
    result: Result | None = None


class Kind(Protocol):
    """One kind of test."""

    async def command(self, duty: TestAssignment, tools: Tools) -> Command:
        """What to run. Raises UnableError."""

    def outcome(self, duty: TestAssignment, ended: Ended) -> Outcome:
        """What came of it, by what the program left behind."""

    def expected_s(self, duty: TestAssignment) -> float | None:
        """How long it takes from its beginning; None: until an amount is through."""


def peer(duty: TestAssignment) -> str:
    """The other end, for a person."""
    address = str(duty.peer) if duty.peer is not None else ""
    if not duty.peer_name:
        return address or "the other end"
    return f"{duty.peer_name} ({address})" if address else duty.peer_name


def killed(duty: TestAssignment, ended: Ended) -> Outcome | None:
    """The outcome of a program that was ended by a signal; None when it was not."""
    if ended.status >= 0:
        return None
    return Outcome(TestState.KILLED, f"the {duty.role} was ended by signal {-ended.status}")


def words(ended: Ended) -> str:
    """What it said of its failure, short and clean."""
    said = text.text(ended.err.strip() or ended.out.strip())
    return said[:500] or f"it ended with status {ended.status} and said nothing"
