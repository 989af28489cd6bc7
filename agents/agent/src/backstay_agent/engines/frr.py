"""FRR, queried over its daemons' vty sockets."""

from typing import TYPE_CHECKING

from backstay_agent.actuators.actuator import Prefix
from backstay_agent.actuators.frr import FrrActuator
from backstay_agent.collectors.base import Collector
from backstay_agent.engines.spec import RoutingEngine, candidate_values
from backstay_agent.host.daemon_control.frr import FrrDaemons
from backstay_agent.parsers.routing import frr, frr_config, frr_text
from backstay_agent.parsers.saved_output import Found, kind
from backstay_wire.engines import EngineKind, FrrSource

if TYPE_CHECKING:
    from backstay_agent.collectors.context import Context


def _read(output: str) -> Found:
    found = frr.answers(output)
    refused = [line for line in output.splitlines() if line.startswith("%")]
    sessions = {
        name: {"established": up, "configured": known} for name, (up, known) in found.sessions.items()
    }
    return {**candidate_values(found.candidates), "bfd": found.bfd, "sessions": sessions}, [
        *refused,
        *found.unparsed,
    ]


def _frr_routes(output: str) -> Found:
    found, unparsed = frr_text.routes(output)
    return candidate_values(found), unparsed


def _frr_ports(output: str) -> Found:
    found, unparsed = frr_text.ports(output)
    return {"ports": found}, unparsed


def _frr_version(output: str) -> Found:
    return {"version": frr.version(output)}, []


def _collectors(source: FrrSource, context: "Context") -> list[Collector]:
    from backstay_agent.collectors.frr import FrrCollector  # the guard needs the actuator only

    return [
        FrrCollector(
            device=source.device,
            interval_s=source.interval_s,
            daemons=FrrDaemons(source.vty_dir),
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _destination(line: str) -> Prefix | None:
    static = frr_config.static(line) if not line.startswith(" ") else None
    return static.prefix if static else None


ENGINE = RoutingEngine(
    EngineKind.FRR,
    FrrActuator,
    source=FrrSource,
    collectors=_collectors,
    destination=_destination,
    saved_outputs={
        "frr": kind(
            "FRR: show ip route json, show bfd peers json, show ip ospf neighbor json, show bgp summary json",
            r'"(?:internalFlags|receive-interval|nbrState|nbrPriority|peerCount|dynamicPeers)":',
            _read,
            one_line=True,
        ),
        "frr-ports": kind(
            "FRR: show interface json", r'\A\s*\{[\s\S]*"administrativeStatus"', _frr_ports, one_line=True
        ),
        "frr-routes": kind("FRR: show ip route", r"^Codes: K - kernel route", _frr_routes),
        "frr-version": kind("FRR: show version", r"\AFRRouting \d", _frr_version),
    },
)
