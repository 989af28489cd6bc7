"""A host's ports as read once from the kernel: for tests of probes without the live view."""

from dataclasses import dataclass

from backstay_agent.host.kernel.netlink import Netlink, Table
from backstay_agent.parsers.linux import rtnl


@dataclass
class Ports:
    """Links by index, without loopback, and their addresses."""

    links: dict[int, rtnl.Link]
    addresses: dict[int, list[str]]


async def read_ports() -> Ports:
    """Of the namespace of the calling thread. Raises OSError."""
    netlink = Netlink()
    links = [rtnl.link(message) for message in await netlink.dump(Table.LINKS)]
    addresses = rtnl.addresses(await netlink.dump(Table.ADDRESSES))
    netlink.close()
    return Ports({link.index: link for link in links if not link.loopback}, addresses)
