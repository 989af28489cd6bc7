"""A free port of UDP, and a host's ports as read once from the kernel (probes without the live view)."""

import socket
from dataclasses import dataclass

from backstay_agent.host.kernel.netlink import DumpTable, Netlink
from backstay_agent.parsers.linux import rtnl


@dataclass
class Ports:
    """Links by index, without loopback, and their addresses."""

    links: dict[int, rtnl.KernelLink]
    addresses: dict[int, list[str]]


async def read_ports() -> Ports:
    """Of the namespace of the calling thread. Raises OSError."""
    netlink = Netlink()
    links = [rtnl.link(message) for message in await netlink.dump(DumpTable.LINKS)]
    addresses = rtnl.addresses(await netlink.dump(DumpTable.ADDRESSES))
    netlink.close()
    return Ports({link.index: link for link in links if not link.loopback}, addresses)


def free_udp_port() -> int:
    """A port of UDP on 127.0.0.1 that nothing uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
