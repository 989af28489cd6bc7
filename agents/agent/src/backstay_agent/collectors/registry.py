"""Which collectors a source of each kind stands for: the one list of kinds.

The SNMP engine is imported only when a source needs it: it costs several MB that most hosts can do without.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from backstay_agent.collectors.base import Collector
from backstay_agent.collectors.bird import BirdCollector
from backstay_agent.collectors.linux.counters import LinuxCounters
from backstay_agent.collectors.linux.reports import LinuxState
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.emit import Emit
from backstay_agent.host import ethtool
from backstay_agent.host.bird import BirdSocket
from backstay_agent.host.clock import Clock
from backstay_agent.host.machine import utc_offset
from backstay_agent.host.netlink import EventSocket, Netlink
from backstay_wire import (
    BirdSource,
    InfinibandHostSource,
    InfinibandSource,
    LinuxSource,
    SnmpSource,
    Source,
)


@dataclass(frozen=True, slots=True)
class Context:
    """What collectors are made from."""

    clock: Clock
    emit: Emit
    netlink: Netlink
    kernel: KernelState


def make_context(clock: Clock, emit: Emit) -> Context:
    """The context over this host."""
    netlink = Netlink()
    speed = partial(ethtool.port_speed, ethtool.control_socket())
    kernel = KernelState(netlink, EventSocket, speed, clock)
    return Context(clock, emit, netlink, kernel)


def _linux(source: LinuxSource, context: Context) -> list[Collector]:
    clock, emit = context.clock, context.emit
    return [
        LinuxState(device=source.device, kernel=context.kernel, clock=clock, emit=emit),
        LinuxCounters(
            device=source.device,
            interval_s=source.interval_s,
            source=context.netlink,
            kernel=context.kernel,
            clock=clock,
            emit=emit,
        ),
    ]


def _bird(source: BirdSource, context: Context) -> list[Collector]:
    return [
        BirdCollector(
            device=source.device,
            interval_s=source.interval_s,
            control=BirdSocket(source.socket),
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _snmp(source: SnmpSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.snmp.collector import SnmpCollector
    from backstay_agent.collectors.snmp.figures import SnmpFigures
    from backstay_agent.collectors.snmp.view import DeviceView
    from backstay_agent.host.snmp.session import open_session

    view = DeviceView()
    return [
        SnmpCollector(
            device=source.device,
            interval_s=source.interval_s,
            session=open_session(source),
            view=view,
            clock=context.clock,
            emit=context.emit,
            local_offset=utc_offset,
        ),
        SnmpFigures(
            device=source.device,
            interval_s=source.interval_s,
            session=open_session(source),
            view=view,
            clock=context.clock,
            emit=context.emit,
        ),
    ]


def _infiniband(source: InfinibandSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.infiniband.collector import InfinibandCollector
    from backstay_agent.collectors.infiniband.sweeper import FabricSweeper
    from backstay_agent.host.infiniband import InfinibandTools

    sweeper = FabricSweeper(InfinibandTools(source.ca, source.ca_port), context.clock)
    return [InfinibandCollector(source=source, sweeper=sweeper, clock=context.clock, emit=context.emit)]


def _infiniband_host(source: InfinibandHostSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.infiniband.host import InfinibandHost
    from backstay_agent.host.infiniband import adapter_ports

    return [
        InfinibandHost(
            device=source.device,
            interval_s=source.interval_s,
            read=adapter_ports,
            clock=context.clock,
            emit=context.emit,
        )
    ]


KINDS: dict[type, Callable[..., list[Collector]]] = {
    LinuxSource: _linux,
    SnmpSource: _snmp,
    BirdSource: _bird,
    InfinibandSource: _infiniband,
    InfinibandHostSource: _infiniband_host,
}


def make_collectors(source: Source, context: Context) -> list[Collector]:
    """The collectors of one assigned source."""
    return KINDS[type(source)](source, context)
