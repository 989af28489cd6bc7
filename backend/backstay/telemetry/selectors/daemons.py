"""What routing daemons reported last."""

from __future__ import annotations

from backstay.core.diagnosis.faults.bfd import BfdPeer
from backstay.inventory.models import Site
from backstay.telemetry.models import DaemonState

_DISABLED = "AdminDown"


def bfd_peers(site: Site) -> tuple[BfdPeer, ...]:
    """Enabled BFD sessions of a site's running daemons; one query."""
    rows = DaemonState.objects.filter(node__site=site, running=True).exclude(bfd=[])
    return tuple(
        BfdPeer(node, session["neighbour"], session["state"] == "Up", at)
        for node, sessions, at in rows.order_by("pk").values_list("node_id", "bfd", "at")
        for session in sessions
        if session["state"] != _DISABLED
    )
