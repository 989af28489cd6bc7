"""Every kind of engine and its actuator."""

from collections.abc import Callable

from backstay_agent.actuators.actuator import Actuator
from backstay_agent.actuators.bird import BirdActuator
from backstay_agent.actuators.frr import FrrActuator
from backstay_agent.actuators.gated import GatedActuator
from backstay_agent.actuators.kernel import KernelActuator
from backstay_wire import Engine, EngineKind

ACTUATORS: dict[EngineKind, Callable[[Engine], Actuator]] = {
    EngineKind.KERNEL: KernelActuator,
    EngineKind.FRR: FrrActuator,
    EngineKind.BIRD: BirdActuator,
    EngineKind.GATED: GatedActuator,
}


def actuator_for(engine: Engine) -> Actuator:
    """The actuator of one engine. Actuators keep no state: make one whenever it is needed."""
    return ACTUATORS[engine.kind](engine)
