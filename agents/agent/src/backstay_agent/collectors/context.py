"""Dependencies of collectors."""

from dataclasses import dataclass
from functools import partial

from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel import ethtool
from backstay_agent.host.kernel.netlink import EventSocket, Netlink
from backstay_agent.report_sink import ReportSink


@dataclass(frozen=True, slots=True)
class Context:
    """Shared by all collectors of this agent."""

    clock: Clock
    emit: ReportSink
    netlink: Netlink
    kernel: KernelState
    backend: str = ""
    """Base URL of the controller; empty: unknown."""


def make_context(clock: Clock, emit: ReportSink, backend: str = "") -> Context:
    """The context of this host."""
    netlink = Netlink()
    speed = partial(ethtool.port_speed, ethtool.control_socket())
    kernel = KernelState(netlink, EventSocket, speed, clock)
    return Context(clock, emit, netlink, kernel, backend)
