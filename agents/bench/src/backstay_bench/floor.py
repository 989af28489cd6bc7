"""The minimum cost of the same work in Python: the same echoes and counters in one blocking loop, without
storing or sending. Run as `python -m backstay_bench.floor TARGET GATEWAY GATEWAY`."""

import asyncio
import sys
import time

from backstay_agent.host.icmp import EchoSocket
from backstay_agent.host.kernel.netlink import Netlink

_TICK_S = 0.05


async def _run(target: str, gateways: list[str]) -> None:
    echoes, netlink = EchoSocket(4), Netlink()
    number = 0
    while True:
        number += 1
        echoes.replies()
        echoes.send(target, 1, number, time.time_ns())
        if number % 20 == 0:
            netlink.counters()
            for slot, gateway in enumerate(gateways, 2):
                echoes.send(gateway, slot, number, time.time_ns())
        time.sleep(_TICK_S)  # noqa: ASYNC251 - the floor has nothing else to do


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], sys.argv[2:]))
