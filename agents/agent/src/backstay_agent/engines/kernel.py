"""The kernel without a daemon. The collectors of `LinuxSource` report its routes."""

from backstay_agent.actuators.kernel import KernelActuator
from backstay_agent.engines.spec import RoutingEngine
from backstay_wire import EngineKind

ENGINE = RoutingEngine(EngineKind.KERNEL, KernelActuator)
