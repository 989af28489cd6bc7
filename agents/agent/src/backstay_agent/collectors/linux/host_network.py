"""What decides this host's forwarding besides its main table, for the checks of a plan."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from backstay_agent.collectors.base import Ran, UnusableError
from backstay_agent.collectors.linux.state import Dumps, KernelState
from backstay_agent.host import controller
from backstay_agent.host.clock import Clock
from backstay_agent.host.kernel import sysctl
from backstay_agent.host.kernel.netlink import DumpTable, OverrunError
from backstay_agent.parsers.linux import host_network
from backstay_agent.report_sink import ReportSink
from backstay_agent.schedule import REPEAT_NS
from backstay_wire import ControllerSession, HostNetworkReport, PolicyRule, PortNetwork

_LEAST_S = 5.0
"""Two dumps and some files per port: a site whose interval is longer needs them no more often."""
_RESOLVE_NS = 60_000_000_000
_MOST_PORTS, _MOST_RULES = 4096, 1024
_RESOLV_CONF = Path("/etc/resolv.conf")
_Content = tuple[list[ControllerSession], list[controller.Address], list[PortNetwork], list[PolicyRule]]


class LinuxHostNetwork:
    """Collector `linux-network`: read every 5 s or at the site's longer interval, reported on any change and
    each minute."""

    name = "linux-network"
    limit_s = 8.0

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        backend: str,
        dumps: Dumps,
        kernel: KernelState,
        clock: Clock,
        emit: ReportSink,
        resolv_conf: Path = _RESOLV_CONF,
    ) -> None:
        self.device = device
        self.interval_s = max(_LEAST_S, interval_s)
        self._backend = backend
        self._dumps = dumps
        self._kernel = kernel
        self._clock = clock
        self._emit = emit
        self._resolv_conf = resolv_conf
        self._addresses: list[controller.Address] = []
        self._resolved_ns: int | None = None
        self._reported: _Content | None = None
        self._reported_ns = 0

    async def start(self) -> None:
        """Start the live view, which names the ports."""
        await self._kernel.start()

    async def stop(self) -> None:
        """Nothing to stop; the view may have other users."""

    async def collect(self) -> Ran:
        """Read everything once. Raises UnusableError if the kernel's tables cannot be read."""
        await self._resolve()
        try:
            links = await self._dumps.dump(DumpTable.LINKS)
            rules = host_network.rules(await self._dumps.dump(DumpTable.RULES))
        except (OSError, OverrunError) as error:
            raise UnusableError(f"rules and links cannot be read: {error}") from error
        names = [link.name for link in self._kernel.links.values()]
        vrfs = host_network.vrfs(links)
        by_name = {link.name: vrfs.get(index, "") for index, link in self._kernel.links.items()}
        content: _Content = (
            [controller.session(address) for address in self._addresses],
            self._resolvers(),
            ports(names, by_name, sysctl.values(settings(names)))[:_MOST_PORTS],
            rules[:_MOST_RULES],
        )
        self._report(content)
        return Ran()

    async def _resolve(self) -> None:
        """Keep the last addresses if the name does not resolve now."""
        now = self._clock.monotonic_ns()
        if self._resolved_ns is not None and now - self._resolved_ns < _RESOLVE_NS:
            return
        with contextlib.suppress(OSError, TimeoutError):
            self._addresses = await controller.addresses(self._backend)
            self._resolved_ns = now

    def _resolvers(self) -> list[controller.Address]:
        try:
            return host_network.resolvers(self._resolv_conf.read_text("utf-8", "replace"))
        except OSError:
            return []

    def _report(self, content: _Content) -> None:
        now = self._clock.monotonic_ns()
        same = content == self._reported
        if same and now - self._reported_ns < REPEAT_NS:
            return
        self._reported, self._reported_ns = content, now
        at = self._clock.wall_ns()
        sessions, resolvers, found, rules = content
        self._emit(
            lambda boot, seq: HostNetworkReport(
                boot=boot,
                seq=seq,
                device=self.device,
                at=at,
                controllers=sessions,
                resolvers=resolvers,
                ports=found,
                rules=rules,
            ),
            urgent=not same,
            can_wait=same,
        )


def settings(names: Iterable[str]) -> list[str]:
    """The settings of /proc/sys/net that `ports` reads."""
    found = ["ipv6/conf/all/forwarding", "ipv4/conf/all/rp_filter"]
    for name in names:
        found += [f"ipv4/conf/{name}/{setting}" for setting in ("forwarding", "rp_filter")]
        found.append(f"ipv6/conf/{name}/disable_ipv6")
    return found


def ports(names: Iterable[str], vrfs: Mapping[str, str], values: Mapping[str, str]) -> list[PortNetwork]:
    """One value per port. A value above 2 of `rp_filter` is not defined, and reported as unknown."""
    return [
        PortNetwork(
            port=name,
            vrf=vrfs.get(name, "")[:128],
            forwards_ipv4=_is_on(values.get(f"ipv4/conf/{name}/forwarding")),
            forwards_ipv6=_ipv6(values, name),
            rp_filter=_rp_filter(values, name),
        )
        for name in names
    ]


def _is_on(value: str | None) -> bool | None:
    return None if value is None else value != "0"


def _ipv6(values: Mapping[str, str], name: str) -> bool | None:
    if values.get(f"ipv6/conf/{name}/disable_ipv6") == "1":
        return False
    return _is_on(values.get("ipv6/conf/all/forwarding"))


def _rp_filter(values: Mapping[str, str], name: str) -> int | None:
    found = [values.get(f"ipv4/conf/{where}/rp_filter", "") for where in ("all", name)]
    numbers = [int(value) for value in found if value in ("0", "1", "2")]
    return max(numbers) if len(numbers) == 2 else None
