"""The background traffic of a fabric's hosts. Pure, and the same at every start: what varies is drawn by
seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from backstay_lab.infiniband.fabric import PAYLOAD, IbFabric
from backstay_lab.infiniband.model import IbFlow

_SEED = 2004


def reads(readers: Sequence[str], server: str, rate: float) -> list[IbFlow]:
    """Clients that read files from one server, `rate` bit/s each on average."""
    draw = random.Random(_SEED)  # noqa: S311 - traffic, no secret
    return [
        IbFlow(server, reader, rate, period_s=draw.uniform(40, 120), phase=draw.random())
        for reader in readers
    ]


def exchange(hosts: Sequence[str], rate: float) -> list[IbFlow]:
    """A parallel program on a ring of hosts: each sends to its neighbours on both sides."""
    draw = random.Random(_SEED + 1)  # noqa: S311
    neighbours = [(host, hosts[(n + step) % len(hosts)]) for n, host in enumerate(hosts) for step in (1, -1)]
    return [IbFlow(a, b, rate, period_s=draw.uniform(60, 180), phase=draw.random()) for a, b in neighbours]


def jobs(fabric: IbFabric, hosts: Sequence[str], share: float, load: float) -> list[IbFlow]:
    """Programs of 12 hosts on about `share` of the hosts, scattered as a batch system scatters them; each
    host sends `load` of its link to the next of its program."""
    draw = random.Random(_SEED + 2)  # noqa: S311
    chosen = draw.sample(list(hosts), round(len(hosts) * share / 12) * 12)
    flows: list[IbFlow] = []
    for first in range(0, len(chosen), 12):
        program = chosen[first : first + 12]
        period, phase = draw.uniform(60, 240), draw.random()
        rate = fabric.rate * PAYLOAD * load * draw.uniform(0.5, 1.5)
        flows += [
            IbFlow(host, program[(n + 1) % len(program)], rate, period, phase)
            for n, host in enumerate(program)
        ]
    return flows
