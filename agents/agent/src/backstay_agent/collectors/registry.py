"""Which collectors a source of each kind stands for: the one list of kinds.

What costs several MB that most hosts can do without (the SNMP engine, ssh, YAML) is imported only when a
source needs it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from backstay_agent.collectors.base import Collector
from backstay_agent.collectors.bird import BirdCollector
from backstay_agent.collectors.chrony import ChronyCollector
from backstay_agent.collectors.frr import FrrCollector
from backstay_agent.collectors.gated import GatedCollector
from backstay_agent.collectors.keepalived import KeepalivedCollector
from backstay_agent.collectors.linux.counters import LinuxCounters
from backstay_agent.collectors.linux.neighbours import LinuxNeighbours
from backstay_agent.collectors.linux.reports import LinuxState
from backstay_agent.collectors.linux.state import KernelState
from backstay_agent.host.clock import Clock
from backstay_agent.host.daemon_control import chrony, keepalived
from backstay_agent.host.daemon_control.bird import BirdSocket
from backstay_agent.host.daemon_control.frr import FrrDaemons
from backstay_agent.host.kernel import ethtool
from backstay_agent.host.kernel.neighbour_tables import NeighbourTables
from backstay_agent.host.kernel.netlink import EventSocket, Netlink
from backstay_agent.host.machine import utc_offset
from backstay_agent.report_sink import ReportSink
from backstay_wire import (
    BirdSource,
    FrrSource,
    GatedSource,
    InfinibandHostSource,
    InfinibandSource,
    KeepalivedSource,
    LinuxSource,
    LnetSource,
    NoticeSource,
    SnmpSource,
    Source,
    SshSource,
)


@dataclass(frozen=True, slots=True)
class Context:
    """What collectors are made from."""

    clock: Clock
    emit: ReportSink
    netlink: Netlink
    kernel: KernelState


def make_context(clock: Clock, emit: ReportSink) -> Context:
    """The context over this host."""
    netlink = Netlink()
    speed = partial(ethtool.port_speed, ethtool.control_socket())
    kernel = KernelState(netlink, EventSocket, speed, clock)
    return Context(clock, emit, netlink, kernel)


def _linux(source: LinuxSource, context: Context) -> list[Collector]:
    clock, emit = context.clock, context.emit
    collectors: list[Collector] = [
        LinuxState(device=source.device, kernel=context.kernel, clock=clock, emit=emit),
        LinuxCounters(
            device=source.device,
            interval_s=source.interval_s,
            source=context.netlink,
            kernel=context.kernel,
            clock=clock,
            emit=emit,
        ),
        LinuxNeighbours(
            device=source.device,
            interval_s=source.interval_s,
            tables=NeighbourTables(),
            kernel=context.kernel,
            clock=clock,
            emit=emit,
        ),
    ]
    if chrony.is_here():
        device, interval_s = source.device, source.interval_s
        collectors.append(
            ChronyCollector(
                device=device, interval_s=interval_s, read=chrony.tracking, clock=clock, emit=emit
            )
        )
    return collectors


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
    from backstay_agent.collectors.snmp.metrics import SnmpMetrics
    from backstay_agent.collectors.snmp.neighbours import SnmpNeighbours
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
        SnmpMetrics(
            device=source.device,
            interval_s=source.interval_s,
            session=open_session(source),
            view=view,
            clock=context.clock,
            emit=context.emit,
        ),
        SnmpNeighbours(
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


def _frr(source: FrrSource, context: Context) -> list[Collector]:
    return [
        FrrCollector(
            device=source.device,
            interval_s=source.interval_s,
            daemons=FrrDaemons(source.vty_dir),
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _gated(source: GatedSource, context: Context) -> list[Collector]:
    return [
        GatedCollector(
            device=source.device,
            interval_s=source.interval_s,
            gdc=source.gdc,
            dump=Path(source.dump),
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _keepalived(source: KeepalivedSource, context: Context) -> list[Collector]:
    return [
        KeepalivedCollector(
            device=source.device,
            interval_s=source.interval_s,
            read=partial(keepalived.data, Path(source.pid_file), Path(source.data)),
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _lnet(source: LnetSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.lnet import LnetCollector

    return [
        LnetCollector(
            device=source.device,
            interval_s=source.interval_s,
            lnetctl=source.lnetctl,
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _ssh(source: SshSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.ssh.collector import TextHostCollector
    from backstay_agent.collectors.ssh.systems import READS
    from backstay_agent.host.ssh import SshHost

    host = SshHost(
        str(source.address), source.port, source.user, host_key=source.host_key, key_file=source.key_file
    )
    return [
        TextHostCollector(
            device=source.device,
            interval_s=source.interval_s,
            host=host,
            read=READS[source.system],
            clock=context.clock,
            emit=context.emit,
        )
    ]


def _notices(source: NoticeSource, context: Context) -> list[Collector]:
    from backstay_agent.collectors.notices.collector import NoticeCollector

    return [NoticeCollector(source, clock=context.clock, emit=context.emit)]


KINDS: dict[type, Callable[..., list[Collector]]] = {
    LinuxSource: _linux,
    SnmpSource: _snmp,
    NoticeSource: _notices,
    BirdSource: _bird,
    FrrSource: _frr,
    GatedSource: _gated,
    KeepalivedSource: _keepalived,
    LnetSource: _lnet,
    SshSource: _ssh,
    InfinibandSource: _infiniband,
    InfinibandHostSource: _infiniband_host,
}


def make_collectors(source: Source, context: Context) -> list[Collector]:
    """The collectors of one assigned source."""
    return KINDS[type(source)](source, context)
