"""One echo of a change: by the route, or via a given gateway."""

import asyncio

from backstay_agent.host.clock import Clock
from backstay_agent.host.icmp import EchoSocket
from backstay_agent.probes.via_gateway import HostPorts, echo_via
from backstay_wire import ChangeProbe

_WAIT_S = 1.0
_LOOK_S = 0.005


class EchoSender:
    """Sends a probe by the path it names."""

    def __init__(self, ports: HostPorts, clock: Clock) -> None:
        self._ports = ports
        self._clock = clock

    async def __call__(self, probe: ChangeProbe) -> float | None:
        """The round trip in milliseconds; None if unanswered. Raises OSError."""
        if probe.via is None:
            return await self._by_route(probe)
        took = await echo_via(
            probe.address, probe.via, probe.port, ports=self._ports, clock=self._clock, timeout_s=_WAIT_S
        )
        return None if took is None else took / 1000

    async def _by_route(self, probe: ChangeProbe) -> float | None:
        echoes = EchoSocket(probe.address.version)
        loop = asyncio.get_running_loop()
        end = loop.time() + _WAIT_S
        try:
            sent = echoes.send(str(probe.address), 1, 1, self._clock.wall_ns())
            while sent and loop.time() < end:
                for reply in echoes.replies():
                    return reply.rtt_us / 1000
                await asyncio.sleep(_LOOK_S)
            return None
        finally:
            echoes.close()
