"""The ping test, by our own program."""

import json

from pydantic import ValidationError

from backstay_agent import __version__
from backstay_agent.host.throughput import echoes
from backstay_agent.host.throughput.child import Ended
from backstay_agent.probes.throughput.kinds import base
from backstay_agent.probes.throughput.kinds.base import Command, ThroughputOutcome
from backstay_agent.probes.throughput.tools import Tools
from backstay_wire import PingResult, PingSpec, TestAssignment, TestState

_SENTENCES = {
    echoes.NOT_ALLOWED: "no permission to send echoes (CAP_NET_RAW, or net.ipv4.ping_group_range)",
    echoes.NO_ADDRESS: "echoes cannot be sent from the requested address",
}


class Ping:
    """Kind `ping`."""

    has_server = False
    counts_own_traffic = False

    async def command(self, assignment: TestAssignment, tools: Tools) -> Command:
        """See Kind."""
        asked = {
            **assignment.spec.model_dump(mode="json", exclude={"kind"}),
            "local": str(assignment.local or ""),
            "peer": str(assignment.peer),
        }
        return Command((json.dumps(asked),), f"backstay-agent {__version__}", own="echoes")

    def outcome(self, assignment: TestAssignment, ended: Ended) -> ThroughputOutcome:
        """See Kind. No reply at all is a measurement, not a failure."""
        if (killed := base.killed(assignment, ended)) is not None:
            return killed
        if ended.status in _SENTENCES:
            return ThroughputOutcome(
                TestState.REFUSED, f"{_SENTENCES[ended.status]}: {base.message_of(ended)}"
            )
        if ended.status or not ended.out:
            return ThroughputOutcome(TestState.FAILED, base.message_of(ended))
        try:
            result = PingResult.model_validate_json(ended.out)
        except ValidationError as error:
            return ThroughputOutcome(
                TestState.TRUNCATED, f"the result is incomplete: {error.errors()[0]['msg']}"
            )
        if result.sent and result.unsendable == result.sent:
            return ThroughputOutcome(TestState.REFUSED, f"no route to {base.peer(assignment)}", result)
        return ThroughputOutcome(TestState.DONE, "", result)

    def expected_s(self, assignment: TestAssignment) -> float | None:
        """See Kind."""
        return assignment.spec.count / assignment.spec.rate if isinstance(assignment.spec, PingSpec) else None
