"""The kernel without a daemon. The collectors of `LinuxSource` report its routes."""

import re
from ipaddress import ip_network

from backstay_agent.actuators.actuator import Prefix
from backstay_agent.actuators.kernel import KernelActuator
from backstay_agent.engines.spec import RoutingEngine
from backstay_wire import EngineKind

_IP_BATCH = re.compile(r"(?:-[46] )?(?:route|ro|r) (?:add|append|replace|a) (?P<prefix>\S+) .*via .*")


def _destination(line: str) -> Prefix | None:
    match = _IP_BATCH.fullmatch(line.strip())
    if match is None:
        return None
    text = match["prefix"]
    if text == "default":
        is_ipv6 = line.strip().startswith("-6") or ":" in line.partition("via")[2].split()[0]
        text = "::/0" if is_ipv6 else "0.0.0.0/0"
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


ENGINE = RoutingEngine(EngineKind.KERNEL, KernelActuator, destination=_destination)
