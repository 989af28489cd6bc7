"""Kinds of saved output of hosts, routers and their daemons."""

import re
from collections.abc import Mapping

from backstay_agent.parsers import iperf3, lnet
from backstay_agent.parsers.linux import ethtool, ip_links, ip_routes, linux_text, lldp
from backstay_agent.parsers.routing import keepalived
from backstay_agent.parsers.saved_output import Found, OutputKind, kind, listed
from backstay_agent.parsers.systems import (
    aix,
    entstat,
    grf,
    grf_conf,
    netstat,
    solaris,
    solaris_routes,
    vmstat,
    vyos,
)
from backstay_wire import MetricValue

_FRONT_PORT = r"g[a-z]0[0-9a-f]{2}"


def _entstat(output: str) -> Found:
    found = entstat.statistics(output)
    return {"devices": found.devices, "errors": found.errors}, found.unparsed


def _interfaces(output: str) -> Found:
    found = netstat.interfaces(output)
    return {"ports": found.ports}, found.unparsed


def _solaris_routes(output: str) -> Found:
    rows, unparsed = solaris_routes.rows(output)
    routes, unread = solaris_routes.routes(rows, {}, {})
    return {"routes": routes}, unparsed + [" ".join((row.to, row.via, row.flags)) for row in unread]


def _ip_routes(output: str) -> Found:
    """Without any address the family is unknown (a default route with only a port): IPv4 is assumed."""
    six = any(":" in token for line in output.splitlines() for token in line.split()[:3])
    routes, unparsed = ip_routes.routes(output, 6 if six else 4)
    return {"routes": routes}, unparsed


def _bgp(output: str) -> Found:
    found = vyos.speaker(output)
    speaker = {"router_id": found.router_id, "as": found.number, "peers": found.peers}
    return {"speaker": speaker}, found.unparsed


def _keepalived(output: str) -> Found:
    found, unparsed = keepalived.instances(output)
    return {"instances": found}, unparsed


def _lnet(output: str) -> Found:
    """One reply, or both in sequence."""
    metrics: list[MetricValue] = []
    for part in re.split(r"^(?=(?:net|route):)", output, flags=re.MULTILINE):
        if part.startswith("route:"):
            metrics += lnet.routes(part)
        elif part.strip():
            found = lnet.nets(part)
            counters = found.counters.items()
            metrics += found.metrics
            metrics += [
                MetricValue(subject=who, metric=metric, value=value) for (who, metric), value in counters
            ]
    return {"metrics": metrics}, []


def _iperf3(output: str) -> Found:
    found, unparsed = iperf3.result(output)
    return {"result": found}, unparsed


KINDS: Mapping[str, OutputKind] = {
    "entstat": kind(
        "AIX: netstat -v, entstat and its like",
        r"^[A-Z][A-Z0-9 /]* STATISTICS \(\w+\)|^entstat: \d{4}-\d{3} ",
        _entstat,
    ),
    "aix-routes": kind(
        "AIX: netstat -rn",
        r"^Destination\s+Gateway\s+Flags\s+Ref",
        listed("routes", aix.routes),
    ),
    "aix-arp": kind("AIX: arp -an", r"\) at .* stored in bucket", listed("neighbours", aix.neighbours)),
    "aix-ports": kind(
        "AIX: ifconfig -a", r"^\w+: flags=[0-9a-f,]+<[^>\n]*>(?!.* mtu )", listed("ports", aix.ports)
    ),
    "vdidl3": kind(
        "SP switch: vdidl3 -i", r"^(?:send|rsvd|recv) pool: size=", listed("failures", aix.send_pool_failures)
    ),
    "vmstat": kind("AIX: vmstat 1 2", r"^\s*r\s+b\s+avm\s+fre\s", listed("metrics", vmstat.levels)),
    "netstat-in": kind(
        "AIX, IRIX: netstat -in, netstat -ina", r"^\s*Name\s+Mtu\s+Network\s+Address", _interfaces
    ),
    "solaris-ports": kind(
        "Solaris: ifconfig -a", r"^\S+: flags=[0-9a-f]+<[^>\n]*> mtu \d+", listed("ports", solaris.ports)
    ),
    "solaris-kstat": kind(
        "Solaris: kstat -p link:::",
        r"^link:\d+:[^:\s]+:\w+\s+\d+",
        listed("statistics", solaris.statistics),
    ),
    "solaris-arp": kind("Solaris: arp -an", r"^Net to Media Table", listed("neighbours", solaris.neighbours)),
    "solaris-routes": kind("Solaris: netstat -rn", r"^Routing Table:(?: IPv[46])?\s*$", _solaris_routes),
    "solaris-route-get": kind(
        "Solaris: route -n get default", r"^\s*route to: ", listed("answer", solaris_routes.answer)
    ),
    "ip-link": kind(
        "Linux: ip -s link show, ip address show",
        r"^\d+: \S+: <[^>\n]*> mtu \d+",
        listed("ports", ip_links.links),
    ),
    "ip-route": kind(
        "Linux: ip route show",
        r"^(?:[a-z]{5,} )?(?:default|[0-9a-f.:]+(?:/\d+)?) (?:via|dev|nhid|proto|metric) "
        r"(?!.*\b[A-Z]{4,}\s*$)",
        _ip_routes,
    ),
    "ip-route-json": kind(
        "Linux: ip -j route show",
        r'\A\s*\[\s*\{\s*"(?:type|dst)"',
        listed("routes", ip_routes.json_routes),
        one_line=True,
    ),
    "ip-neighbour": kind(
        "Linux: ip neighbour show",
        r"^[0-9a-f.:]+ dev \S+ .*\b[A-Z]{4,}\s*$",
        listed("neighbours", linux_text.neighbours),
    ),
    "lldp": kind(
        "Linux: lldpctl -f json, -f json0",
        r'\A\s*\{\s*"lldp":',
        listed("neighbours", lldp.neighbours),
        one_line=True,
    ),
    "ethtool": kind(
        "Linux: ethtool -S (mlx5)", r"^NIC statistics:\s*$", listed("counters", ethtool.counters)
    ),
    "arp-an": kind(
        "Linux: arp -an",
        r"^\S+ \([\d.]+\) at (?!.* stored in bucket).* on \S+\s*$",
        listed("neighbours", linux_text.arp),
    ),
    "arp-table": kind(
        "Linux: arp -n; VyOS: show arp",
        r"^Address\s+HWtype\s+HWaddress",
        listed("neighbours", linux_text.arp_table),
    ),
    "vyos-ports": kind(
        "VyOS: show interfaces", r"^Interface\s+IP Address\s+.*S/L", listed("ports", vyos.ports)
    ),
    "bgp-summary": kind("VyOS, FRR: show ip bgp summary", r"^BGP router identifier [\d.]+", _bgp),
    "grcard": kind(
        "GigaRouter: grcard", r"^\s*\d+\s+[A-Z][A-Z0-9]*_[A-Z0-9_]+\s+\S", listed("cards", grf.cards)
    ),
    "grstat": kind("GigaRouter: grstat", rf"^{_FRONT_PORT}\s*$", listed("ports", grf.counts)),
    "grifconfig": kind(
        "GigaRouter: /etc/grifconfig.conf", rf"^{_FRONT_PORT}\s+[\d.]+\s", listed("ports", grf_conf.ports)
    ),
    "gratm": kind(
        "GigaRouter: /etc/gratm.conf", rf"^PVC\s+{_FRONT_PORT}\s", listed("circuits", grf_conf.circuits)
    ),
    "keepalived": kind("keepalived: the data file after SIGUSR1", r"-+< VRRP Topology >-+", _keepalived),
    "lnet": kind("LNet: lnetctl net show -v, lnetctl route show -v", r"^(?:net|route):\s*$", _lnet),
    "iperf3": kind(
        "iperf3 --json",
        r'\A\s*\{[\s\S]*"(?:version":\s*"iperf 3|intervals"|cpu_utilization_percent")|\A\s*\{\s*"error":',
        _iperf3,
        one_line=True,
    ),
}
