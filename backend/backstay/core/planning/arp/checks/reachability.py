"""Check whether the change cuts off agents from the controller, and its largest wave."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import failed, passed, some, warning

CONTROLLER, WAVE = "arp_controller", "arp_wave"


def controller(proposal: ArpProposal) -> list[Finding]:
    """Nodes without a management network whose next hop would have no static entry."""
    lost: dict[str, list[str]] = {}
    for node, hops in proposal.site.alone.items():
        wanted = proposal.wanted.get(node)
        if wanted is None:
            continue
        ports = wanted.ports
        for name, via in hops:
            port = ports.get(name)
            if port is None or port.arp is not False:
                continue
            if all(entry.address != via for entry in port.neighbours):
                lost.setdefault(f"{via} by {name}", []).append(wanted.node)
    found = [
        failed(
            CONTROLLER,
            f"{some(nodes)} would lose the controller: it is reached via {hop}, which has no static entry."
            " Add that address to the site file.",
            nodes,
        )
        for hop, nodes in lost.items()
    ]
    return found or passed(CONTROLLER, "No agent loses its route to the controller.")


def wave_size(proposal: ArpProposal) -> list[Finding]:
    """Waves larger than the site allows."""
    largest = max((len(wave) for wave in proposal.waves), default=0)
    if largest <= proposal.site.wave_limit:
        many = "none" if not largest else count(largest, "node")
        return passed(WAVE, f"At most {many} change at once; the site allows {proposal.site.wave_limit}.")
    text = (
        f"{count(largest, 'node')} change at once, the site allows {proposal.site.wave_limit}: ARP is"
        " switched on a whole fabric at once, because one half could not reach the other."
    )
    return [warning(WAVE, text)]
