"""TCP and UDP from memory to memory by iperf3(1): its options, and its errors as states."""

from collections.abc import Mapping

from backstay_agent.host.throughput.child import Ended
from backstay_agent.parsers import iperf3
from backstay_agent.parsers.iperf3_values import Failure, Trouble
from backstay_agent.probes.throughput.kinds import base
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputOutcome
from backstay_agent.probes.throughput.kinds.transfer import transfer
from backstay_agent.probes.throughput.tools import IPERF3, Tools
from backstay_wire import Direction, Role, TcpSpec, TestAssignment, TestState, TransferResult, UdpSpec

_CONNECT_MS = 5000
_STATES: Mapping[Failure, TestState] = {
    "refused": TestState.REFUSED,
    "unreachable": TestState.REFUSED,
    "denied": TestState.REFUSED,
    "setting": TestState.REFUSED,
    "busy": TestState.PORT_BUSY,
    "in use": TestState.PORT_BUSY,
    "stopped": TestState.KILLED,
    "peer ended": TestState.PEER_GONE,
    "lost": TestState.PEER_GONE,
    "other": TestState.FAILED,
}
_SENTENCES: Mapping[Failure, str] = {
    "refused": "no listener at {peer}, port {port}",
    "unreachable": "no route to {peer}",
    "denied": "{peer} requires an authorised user",
    "setting": "a setting is not available",
    "busy": "the server at {peer}, port {port}, runs another test",
    "in use": "port {port} is in use on this host",
    "stopped": "iperf3 was stopped on this host during the test",
    "peer ended": "iperf3 was stopped at {peer} during the test",
    "lost": "the connection to {peer} broke during the test",
    "other": "iperf3 failed",
}
_DIRECTIONS: Mapping[Direction, list[str]] = {
    Direction.FORWARD: [],
    Direction.REVERSE: ["-R"],
    Direction.BOTH: ["--bidir"],
}


class Iperf3:
    """Kinds `tcp` and `udp`."""

    has_server = True
    counts_own_traffic = True

    async def command(self, assignment: TestAssignment, tools: Tools) -> Command:
        """See Kind."""
        found = await tools.find(IPERF3)
        return Command((found.path, *arguments(assignment)), found.program)

    def outcome(self, assignment: TestAssignment, ended: Ended) -> ThroughputOutcome:
        """See Kind. Values measured before an error are kept."""
        killed = base.killed(assignment, ended)
        try:
            found, _ = iperf3.result(ended.out)
        except iperf3.Iperf3Error as error:
            return killed or _unreadable(ended, error)
        measured = transfer(found, assignment.role)
        trouble = found.trouble or _on_stderr(ended, has_started=bool(found.connections))
        if trouble is not None:
            return _troubled(assignment, trouble, measured)
        if killed is not None:
            return ThroughputOutcome(killed.state, killed.detail, measured)
        if measured is None:
            return ThroughputOutcome(
                TestState.TRUNCATED, "iperf3's result has no sums: iperf3 was stopped early"
            )
        return ThroughputOutcome(TestState.DONE, "", measured)

    def expected_s(self, assignment: TestAssignment) -> float | None:
        """See Kind."""
        spec = assignment.spec
        if isinstance(spec, TcpSpec):
            return None if spec.duration_s is None else float(spec.duration_s + spec.omit_s)
        return float(spec.duration_s) if isinstance(spec, UdpSpec) else None


def arguments(assignment: TestAssignment) -> list[str]:
    """iperf3's own, without the program. A server takes its client's settings, runs one test, and ends."""
    ours = ["-B", str(assignment.local)] if assignment.local is not None else []
    if assignment.role is Role.SERVER:
        return ["-s", "-1", "-J", *ours, "-p", str(assignment.port)]
    head = ["-c", str(assignment.peer), "-p", str(assignment.port), "-J", "-i", "1", *ours]
    spec = assignment.spec
    if isinstance(spec, TcpSpec):
        return [*head, "--connect-timeout", str(_CONNECT_MS), *_tcp(spec)]
    assert isinstance(spec, UdpSpec)
    return [*head, "--connect-timeout", str(_CONNECT_MS), *_udp(spec)]


def _tcp(spec: TcpSpec) -> list[str]:
    end = ["-n", str(spec.amount)] if spec.amount is not None else ["-t", str(spec.duration_s)]
    options = {"-w": spec.window, "-M": spec.mss, "-C": spec.congestion, "-O": spec.omit_s, "-b": spec.rate}
    chosen = [part for key, value in options.items() if value for part in (key, str(value))]
    nagle = ["-N"] if spec.nodelay else []
    streams = ["-P", str(spec.streams), "-l", str(spec.buffer)]
    return [*streams, *end, *chosen, *nagle, *_DIRECTIONS[spec.direction]]


def _udp(spec: UdpSpec) -> list[str]:
    window = ["-w", str(spec.window)] if spec.window else []
    size = ["-u", "-l", str(spec.size), "-b", str(spec.rate), "-P", str(spec.streams)]
    return [*size, "-t", str(spec.duration_s), *window, *_DIRECTIONS[spec.direction]]


def _unreadable(ended: Ended, error: iperf3.Iperf3Error) -> ThroughputOutcome:
    if ended.out.strip():
        return ThroughputOutcome(TestState.TRUNCATED, f"iperf3's result is incomplete: {error}")
    return ThroughputOutcome(TestState.FAILED, f"iperf3 gave no result: {base.message_of(ended)}")


def _on_stderr(ended: Ended, *, has_started: bool) -> Trouble | None:
    """The error of a release that leaves it out of the document (3.9, of Ubuntu 22.04)."""
    if ended.status <= 0:
        return None
    message = ended.err.strip().removeprefix("iperf3: ").removeprefix("error - ")
    message = message or f"it ended with status {ended.status} and no message"
    return iperf3.trouble(message, has_started=has_started)


def _troubled(
    assignment: TestAssignment, trouble: Trouble, measured: TransferResult | None
) -> ThroughputOutcome:
    sentence = _SENTENCES[trouble.failure].format(peer=base.peer(assignment), port=assignment.port)
    return ThroughputOutcome(_STATES[trouble.failure], f"{sentence}: {trouble.text}"[:1024], measured)
