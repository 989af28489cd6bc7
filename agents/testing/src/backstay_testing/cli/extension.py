"""Extension nodes as the API answers of them."""

from __future__ import annotations

from typing import Any

from backstay.api.changes.schemas import CheckOut
from backstay.api.extension_nodes.schemas import (
    ExtensionAttribute,
    ExtensionCheckOut,
    ExtensionOut,
    ExtensionProposal,
    ExtensionStep,
    ExtensionValue,
)

DEFINE = ExtensionStep(
    command="endefnode",
    text="Defines the extension node in the SDR.",
    values=[ExtensionValue(name="node_number", value="16")],
)


def extension_node(**more: Any) -> ExtensionOut:
    """One whose router has a wrong switch node number."""
    text = "Switch node number is 3 on the router and shall be 15: packets go to another port."
    wrong = ExtensionAttribute(
        key="switch_number", title="Switch node number", sdr="DependentNode.switch_node_number",
        object="ibmSPDepSwNodeNumber", intended="15", reported="3", verdict="differs", text=text, severe=True,
    )  # fmt: skip
    told = {
        "id": 4, "name": "grf1", "port": "gt000", "fabric": "sp-switch", "state": "critical",
        "state_text": "Switch node number is 3", "place": "frame 1 slot 16", "node_number": 16,
        "switch_node_number": 15, "address": "10.1.0.16/24", "arp": True, "arp_source": "9 nodes run it so",
        "reported_at": None, "age_s": None, "attributes": [wrong], "checks": [], "steps": [DEFINE],
        "undo": [], "incident_id": None, "url": "/extension-nodes/4",
    }  # fmt: skip
    return ExtensionOut.model_validate(told | more)


def extension_check(**more: Any) -> ExtensionCheckOut:
    """A gateway that can be attached."""
    given = ExtensionProposal(
        frame=1, slot=16, node_number=16, switch_node_number=15, address="10.1.0.16/24", host_offset=1,
        max_link_packet=65520, reasons={},
    )  # fmt: skip
    told = {
        "node": "grf2", "fabric": "sp-switch", "arp": True, "arp_source": "9 nodes run it so",
        "attachable": True, "ports": [], "proposal": given, "steps": [DEFINE], "undo": [],
        "checks": [CheckOut(check="node_number", level="passed", text="Node number 16 is nobody else's.")],
        "site_file": "  - name: grf2\n",
    }  # fmt: skip
    return ExtensionCheckOut.model_validate(told | more)
