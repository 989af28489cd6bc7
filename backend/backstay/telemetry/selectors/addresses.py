"""Addresses of ports, as reported by their nodes' agents, that differ from the site file.

Differences are rare, so the database compares the texts first; only ports whose text differs are parsed and
compared, in a second query. Of the linked ports of a site, it compares only those that were reported since
(`link_ends.port_rows`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from django.db.models import F, Q

from backstay.core.model.address_mismatch import AddressMismatch, RunningAddresses, address_mismatches
from backstay.core.model.freshness import is_fresh
from backstay.core.model.topology import Topology
from backstay.inventory.models import Site
from backstay.telemetry.models import PortState
from backstay.telemetry.selectors.link_ends import EndNow, port_rows

MOST_SUSPECTS = 2000
"""More are not named one by one."""
_Interfaces = tuple[IPv4Interface | IPv6Interface, ...]


def site_address_mismatches(
    site: Site,
    topology: Topology,
    now: datetime,
    fabrics: Collection[int] | None = None,
    ends: Mapping[int, EndNow] | None = None,
) -> dict[int, AddressMismatch]:
    """Port id -> mismatch, of ports on these fabrics or on all; nodes that do not report, or not through
    their own agent, are skipped. `ends`: as `port_rows` has read them just now."""
    found = address_mismatches(topology, running(site, topology, now, fabrics, ends))
    if fabrics is None:
        return found
    return {port: item for port, item in found.items() if topology.ports[port].fabric_id in fabrics}


def running(
    site: Site,
    topology: Topology,
    now: datetime,
    fabrics: Collection[int] | None = None,
    ends: Mapping[int, EndNow] | None = None,
) -> RunningAddresses:
    """Addresses of the nodes with a port, on these fabrics or on any, that may differ from the site file; at
    most five queries."""
    given = PortState.objects.filter(port__declared=True, port__management=False).exclude(port__addresses=[])
    if fabrics is None:
        ports = _suspects(topology, port_rows(site).values if ends is None else ends)
        if not ports:
            return {}
        is_suspect = Q(port__node__site=site) if len(ports) > MOST_SUSPECTS else Q(port__in=ports)
    else:
        is_suspect = Q(port__fabric__in=fabrics)
    suspects = given.filter(is_suspect).exclude(addresses__contains=F("port__addresses"))
    fresh = _fresh(site, now, set(suspects.values_list("port__node_id", flat=True)))
    return _running(fresh) if fresh else {}


def _fresh(site: Site, now: datetime, nodes: Collection[int]) -> list[int]:
    """Those of the nodes that report, through their own agent.

    Of few nodes: PostgreSQL takes longer to find all that have their own agent than all that differ.
    """
    own = site.nodes.filter(pk__in=nodes, watcher=F("pk"))
    times = own.values_list("pk", "state__last_reported_at") if nodes else ()
    return [node for node, at in times if is_fresh(at, now, site.interval_s)]


def _suspects(topology: Topology, ends: Mapping[int, EndNow]) -> list[int]:
    """The ports of the site that may differ: linked ones that do, and all with addresses but no link."""
    found = [port for port, end in ends.items() if end.lacks_address]
    alone = (port for port in topology.ports.values() if port.addresses and not port.management)
    return found + [port.id for port in alone if port.id not in topology.link_of_port]


def _running(nodes: list[int]) -> RunningAddresses:
    """Reports without any address are skipped: their collector does not read addresses.

    Ports that are administratively down are skipped too, because the kernel removes their IPv6 addresses.
    """
    rows = list(
        PortState.objects.filter(port__node__in=nodes)
        .order_by("port_id")
        .values_list("port__node_id", "port_id", "reported_with", "addresses", "admin_up")
    )
    reporting = {(node, reported_with) for node, _, reported_with, addresses, _ in rows if addresses}
    found: dict[int, dict[int, _Interfaces]] = {}
    for node, port, reported_with, addresses, on in rows:
        if on and (node, reported_with) in reporting:
            found.setdefault(node, {})[port] = tuple(_read(addresses))
    return found


def _read(addresses: list[str]) -> list[IPv4Interface | IPv6Interface]:
    """Parse addresses; unreadable ones are skipped."""
    found = []
    for text in addresses:
        try:
            found.append(ip_interface(text))
        except ValueError:
            continue
    return found
