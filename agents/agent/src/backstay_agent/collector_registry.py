"""The collectors of each kind of source: the only list of kinds.

Collectors of routing engines are in `backstay_agent.engines`. Modules that need several MB (the SNMP engine,
ssh, YAML) are imported when a source needs them.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from backstay_agent.collectors.base import Collector
from backstay_agent.collectors.chrony import ChronyCollector
from backstay_agent.collectors.context import Context
from backstay_agent.collectors.keepalived import KeepalivedCollector
from backstay_agent.collectors.linux.counters import LinuxCounters
from backstay_agent.collectors.linux.ethtool import LinuxEthtool
from backstay_agent.collectors.linux.host_network import LinuxHostNetwork
from backstay_agent.collectors.linux.lldp import LinuxLldp
from backstay_agent.collectors.linux.neighbours import LinuxNeighbours
from backstay_agent.collectors.linux.reports import LinuxState
from backstay_agent.engines import ENGINES
from backstay_agent.host.daemon_control import chrony, keepalived, lldp
from backstay_agent.host.kernel import ethtool
from backstay_agent.host.kernel.neighbour_tables import NeighbourTables
from backstay_agent.host.machine import utc_offset
from backstay_wire import (
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


def _linux(source: LinuxSource, context: Context) -> list[Collector]:
    clock, emit = context.clock, context.emit
    collectors: list[Collector] = [
        LinuxState(
            device=source.device,
            interval_s=source.interval_s,
            kernel=context.kernel,
            clock=clock,
            emit=emit,
        ),
        LinuxHostNetwork(
            device=source.device,
            interval_s=source.interval_s,
            backend=context.backend,
            dumps=context.netlink,
            kernel=context.kernel,
            clock=clock,
            emit=emit,
        ),
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
    return [*collectors, *_linux_tools(source, context)]


def _linux_tools(source: LinuxSource, context: Context) -> list[Collector]:
    """Collectors of the programs that this host has."""
    device, interval_s, clock, emit = source.device, source.interval_s, context.clock, context.emit
    collectors: list[Collector] = []
    if chrony.is_here():
        collectors.append(
            ChronyCollector(
                device=device, interval_s=interval_s, read=chrony.tracking, clock=clock, emit=emit
            )
        )
    if lldp.is_here():
        collectors.append(
            LinuxLldp(device=device, interval_s=interval_s, read=lldp.neighbours, clock=clock, emit=emit)
        )
    if ethtool.has_mlx5():
        collectors.append(
            LinuxEthtool(
                device=device,
                interval_s=interval_s,
                ports=ethtool.mlx5_ports,
                read=ethtool.statistics,
                clock=clock,
                emit=emit,
            )
        )
    return collectors


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
    KeepalivedSource: _keepalived,
    LnetSource: _lnet,
    SshSource: _ssh,
    InfinibandSource: _infiniband,
    InfinibandHostSource: _infiniband_host,
    **{engine.source: engine.collectors for engine in ENGINES.values() if engine.source is not None},
}


def make_collectors(source: Source, context: Context) -> list[Collector]:
    """The collectors of one assigned source."""
    return KINDS[type(source)](source, context)
