"""Which addresses ports run, as reported by their own nodes' agents, where the site file differs.

Nearly always all is as it says, so the database compares first, as texts: what is spelled otherwise is only
looked at more closely, in one more query.
"""

from __future__ import annotations

from datetime import datetime
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from django.db.models import F

from backstay.core.model.address_mismatch import AddressMismatch, RunningAddresses, address_mismatches
from backstay.core.model.freshness import is_fresh
from backstay.core.model.topology import Topology
from backstay.inventory.models import Site
from backstay.telemetry.models import PortState

_Interfaces = tuple[IPv4Interface | IPv6Interface, ...]


def site_address_mismatches(site: Site, topology: Topology, now: datetime) -> dict[int, AddressMismatch]:
    """Port id -> what is wrong there; a node that does not report, or not by its own agent, is not judged."""
    return address_mismatches(topology, running(site, now))


def running(site: Site, now: datetime) -> RunningAddresses:
    """Of the nodes of which a port may run something else than it is given; two queries, or one."""
    own = PortState.objects.filter(port__node__site=site, port__node__watcher=F("port__node_id"))
    given = own.filter(port__declared=True, port__management=False).exclude(port__addresses=[])
    suspects = given.exclude(addresses__contains=F("port__addresses"))
    times = dict(suspects.values_list("port__node_id", "port__node__state__last_reported_at"))
    fresh = [node for node, at in times.items() if is_fresh(at, now, site.interval_s)]
    return _running(fresh) if fresh else {}


def _running(nodes: list[int]) -> RunningAddresses:
    """Ports of a report without any address are left out: its collector knows none.

    So are those that are switched off: there a kernel has no IPv6 address, and nobody is misled.
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
    """An address that cannot be read is none of those that are looked for."""
    found = []
    for text in addresses:
        try:
            found.append(ip_interface(text))
        except ValueError:
            continue
    return found
