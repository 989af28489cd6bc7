"""Fabrics of the sites: one switch with its hosts, and a two-level fat-tree. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from backstay_lab.infiniband.fabric import PAYLOAD, QDR, SDR, WIDTH_1X, IbCable, IbFabric, IbNode
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
    """A parallel program on a ring of hosts: each sends to both neighbours."""
    draw = random.Random(_SEED + 1)  # noqa: S311
    neighbours = [(host, hosts[(n + step) % len(hosts)]) for n, host in enumerate(hosts) for step in (1, -1)]
    return [IbFlow(a, b, rate, period_s=draw.uniform(60, 180), phase=draw.random()) for a, b in neighbours]


def jobs(fabric: IbFabric, hosts: Sequence[str], share: float, load: float) -> list[IbFlow]:
    """Programs of 12 hosts on about `share` of the hosts, placed at random as by a batch system; each host
    sends `load` of its link to the next host of its program.
    """
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


def star(switch: str, ports: int, hosts: Sequence[str], adapter: str, speed: int) -> IbFabric:
    """Hosts on the ports of one switch, in order; tools are attached to the first host."""
    nodes = [IbNode(name, "ca", 1, number, adapter) for number, name in enumerate(hosts, start=2)]
    cables = [IbCable((name, 1), (switch, port)) for port, name in enumerate(hosts, start=1)]
    return IbFabric((*nodes, IbNode(switch, "switch", ports, 1)), tuple(cables), speed)


def fat_tree(radix: int, adapter: str, speed: int = QDR) -> IbFabric:
    """A full two-level fat-tree of switches with `radix` ports: radix leaves with radix/2 hosts each, and
    radix/2 spines, every leaf on every spine. 36 ports make 648 hosts and 54 switches."""
    half = radix // 2
    spines = [IbNode(f"spine{n:02}", "switch", radix, n) for n in range(1, half + 1)]
    leaves = [IbNode(f"leaf{n:02}", "switch", radix, half + n) for n in range(1, radix + 1)]
    hosts = [IbNode(f"node{n:03}", "ca", 1, half + radix + n, adapter) for n in range(1, half * radix + 1)]
    down = [
        IbCable((host.name, 1), (leaves[place // half].name, place % half + 1))
        for place, host in enumerate(hosts)
    ]
    up = [
        IbCable((leaf.name, half + s), (spine.name, number))
        for number, leaf in enumerate(leaves, start=1)
        for s, spine in enumerate(spines, start=1)
    ]
    return IbFabric((*hosts, *leaves, *spines), (*down, *up), speed)


def with_flaws(fabric: IbFabric, narrow: Sequence[int], slow: Sequence[int]) -> IbFabric:
    """The fabric with these cables, by index, trained to 1X or to SDR."""
    cables = list(fabric.cables)
    for place in narrow:
        cables[place] = replace(cables[place], width=WIDTH_1X)
    for place in slow:
        cables[place] = replace(cables[place], speed=SDR)
    return replace(fabric, cables=tuple(cables))
