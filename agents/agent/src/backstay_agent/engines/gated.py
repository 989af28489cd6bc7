"""gated: `gdc dump` makes it write its table to a file."""

from pathlib import Path
from typing import TYPE_CHECKING

from backstay_agent.actuators.gated import GatedActuator
from backstay_agent.collectors.base import Collector
from backstay_agent.engines.spec import RoutingEngine, candidate_values
from backstay_agent.parsers.routing import gated, gated_conf
from backstay_agent.parsers.saved_output import Found, kind
from backstay_wire.engines import EngineKind, GatedSource

if TYPE_CHECKING:
    from backstay_agent.collectors.context import Context


def _read(output: str) -> Found:
    found = gated.table(output)
    return candidate_values(found.candidates), found.unparsed


_STATEMENT = (
    r"^(?:(?:rip|redirect|icmp|hello|ospf|routerdiscovery) (?:yes|no|on|off|server|client)\b"
    r"|(?:static|martians|interfaces|kernel) \{|traceoptions [^;]*;)"
)


def _read_conf(conf: str) -> Found:
    found = gated_conf.configuration(conf)
    values = candidate_values(gated_conf.static_candidates(found))
    return {**values, "statements": found.statements, "included": list(found.included)}, []


def _collectors(source: GatedSource, context: "Context") -> list[Collector]:
    from backstay_agent.collectors.gated import GatedCollector  # the guard needs the actuator only

    return [
        GatedCollector(
            device=source.device,
            interval_s=source.interval_s,
            gdc=source.gdc,
            dump=Path(source.dump),
            config=Path(source.config),
            clock=context.clock,
            emit=context.emit,
        )
    ]


ENGINE = RoutingEngine(
    EngineKind.GATED,
    GatedActuator,
    source=GatedSource,
    collectors=_collectors,
    saved_outputs={
        "gated": kind("gated: gdc dump", r"^\t\+ = Active Route", _read),
        "gated-conf": kind("gated.conf", _STATEMENT, _read_conf),
    },
)
