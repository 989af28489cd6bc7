"""Routing engines, one file each. Adding one takes a file and a line here.

Its actuator is in `actuators`, its collector in `collectors`, its parsers in `parsers.routing`, its control
channel in `host.daemon_control`, and its kind and wire source in `backstay_wire.engines`.
"""

from collections.abc import Mapping

from backstay_agent.actuators.actuator import Actuator
from backstay_agent.engines import bird, frr, gated, kernel
from backstay_agent.engines.spec import RoutingEngine
from backstay_agent.host import boot_files
from backstay_wire import Engine, EngineKind

ENGINES: Mapping[EngineKind, RoutingEngine] = {
    engine.kind: engine for engine in (kernel.ENGINE, frr.ENGINE, bird.ENGINE, gated.ENGINE)
}


def remove_staged(engine: Engine) -> None:
    """Delete what an unconfirmed change left next to the boot file, when nothing runs it. Raises OSError."""
    path = ENGINES[engine.kind].staged_file(engine)
    if path is not None:
        boot_files.remove(path)


def actuator_for(engine: Engine) -> Actuator:
    """A new actuator of one engine."""
    return ENGINES[engine.kind].actuator(engine)
