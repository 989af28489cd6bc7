"""BIRD, queried over its control socket."""

import re
from typing import TYPE_CHECKING

from backstay_agent.actuators.bird import BirdActuator, staged_file
from backstay_agent.collectors.base import Collector
from backstay_agent.engines.spec import RoutingEngine, candidate_values
from backstay_agent.host.daemon_control.bird import BirdSocket
from backstay_agent.parsers.routing import bird
from backstay_agent.parsers.saved_output import Found, kind
from backstay_wire.engines import BirdSource, EngineKind

if TYPE_CHECKING:
    from backstay_agent.collectors.context import Context

_CODE = re.compile(r"(\d{4})[- ]?.*")
_BIRD_KNOWN = frozenset(
    ("0000", "0001", "0013", "0014", "0015", "1000", "1002", "1007", "1008", "1011", "1020", "2002")
)
"""Replies of BIRD that are parsed or carry no data: done, ready, status, counts, headings."""


def _read(output: str) -> Found:
    lines = [line for line in output.splitlines() if line.strip()]
    code, unparsed = "", list[str]()
    for line in lines:
        code = match[1] if (match := _CODE.fullmatch(line)) else code
        if code not in _BIRD_KNOWN:
            unparsed.append(line)
    answers = {
        "version": bird.version(lines),
        "protocols": bird.protocols(lines),
        "bfd": bird.bfd_sessions(lines, unparsed),
        **candidate_values(bird.candidates(lines, unparsed)),
    }
    return {name: value for name, value in answers.items() if value}, unparsed


def _collectors(source: BirdSource, context: "Context") -> list[Collector]:
    from backstay_agent.collectors.bird import BirdCollector  # the guard needs the actuator only

    return [
        BirdCollector(
            device=source.device,
            interval_s=source.interval_s,
            control=BirdSocket(source.socket),
            clock=context.clock,
            emit=context.emit,
        )
    ]


ENGINE = RoutingEngine(
    EngineKind.BIRD,
    BirdActuator,
    staged_file=staged_file,
    source=BirdSource,
    collectors=_collectors,
    saved_outputs={
        "bird": kind(
            "BIRD: birdc -v show status, protocols, bfd sessions, route",
            r"\A(?:0001|0013|0014|1000|1002|1007|1008|1020|2002)[- ]",
            _read,
        ),
    },
)
