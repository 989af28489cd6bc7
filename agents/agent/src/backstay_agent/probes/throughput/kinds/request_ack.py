"""The request/acknowledge test, by our own program: its options, and its end as a state."""

import json
from collections.abc import Mapping

from pydantic import ValidationError

from backstay_agent import __version__
from backstay_agent.host.throughput import request_ack
from backstay_agent.host.throughput.child import Ended
from backstay_agent.probes.throughput.kinds import base
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputOutcome
from backstay_agent.probes.throughput.tools import Tools
from backstay_wire import RequestAckResult, RequestAckSpec, TestAssignment, TestState

_STATES: Mapping[int, tuple[TestState, str]] = {
    request_ack.IN_USE: (TestState.PORT_BUSY, "port {port} is in use on this host"),
    request_ack.REFUSED: (TestState.REFUSED, "no listener at {peer}, port {port}"),
    request_ack.LOST: (TestState.PEER_GONE, "the connection to {peer} broke during the test"),
    request_ack.SETTING: (TestState.REFUSED, "a setting is not available"),
}


class RequestAck:
    """Kind `request_ack`."""

    has_server = True
    counts_own_traffic = True

    async def command(self, assignment: TestAssignment, tools: Tools) -> Command:
        """See Kind."""
        asked = {
            **assignment.spec.model_dump(mode="json", exclude={"kind"}),
            "role": assignment.role.value,
            "local": str(assignment.local or ""),
            "peer": str(assignment.peer or ""),
            "port": assignment.port,
        }
        return Command((json.dumps(asked),), f"backstay-agent {__version__}", own="request_ack")

    def outcome(self, assignment: TestAssignment, ended: Ended) -> ThroughputOutcome:
        """See Kind."""
        if (killed := base.killed(assignment, ended)) is not None:
            return killed
        result = None
        if ended.out:
            try:
                result = RequestAckResult.model_validate_json(ended.out)
            except ValidationError as error:
                return ThroughputOutcome(
                    TestState.TRUNCATED, f"the result is incomplete: {error.errors()[0]['msg']}"
                )
        if ended.status in _STATES:
            state, sentence = _STATES[ended.status]
            reported = sentence.format(peer=base.peer(assignment), port=assignment.port)
            return ThroughputOutcome(state, f"{reported}: {base.message_of(ended)}", result)
        if ended.status or result is None:
            return ThroughputOutcome(TestState.FAILED, base.message_of(ended))
        return ThroughputOutcome(TestState.DONE, "", result)

    def expected_s(self, assignment: TestAssignment) -> float | None:
        """See Kind."""
        return assignment.spec.duration_s if isinstance(assignment.spec, RequestAckSpec) else None
