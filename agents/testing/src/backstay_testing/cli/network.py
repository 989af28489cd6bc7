"""Nodes, links and tables of the fake backend's site, built with the API's schemas."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from backstay.api.changes.schemas import CheckOut
from backstay.api.clocks.schemas import ClockIncident, ClockOut, ClockStep
from backstay.api.exports.schemas import ExportOut
from backstay.api.extension_nodes.schemas import (
    ExtensionAttribute,
    ExtensionCheckOut,
    ExtensionOut,
    ExtensionProposal,
    ExtensionStep,
    ExtensionValue,
)
from backstay.api.links.schemas import LinkOut
from backstay.api.metrics.schemas import DeviceMetricOut
from backstay.api.neighbours.schemas import (
    DuplicateMac,
    DuplicateOut,
    HoldingOut,
    NeighbourHistory,
    NeighbourTable,
    TableIncident,
)
from backstay.api.nodes.schemas import CollectorOut, NodeOut
from backstay.api.recordings.schemas import RecordingOut
from backstay.api.saved_state.schemas import SavedItem, SavedNode
from backstay_testing.cli.fake_server import AT, Asked

DEFINE = ExtensionStep(
    command="endefnode",
    text="Define the extension node in the SDR.",
    values=[ExtensionValue(name="node_number", value="16")],
)


def extension_node(**more: Any) -> ExtensionOut:
    """An extension node whose router has a wrong switch node number."""
    text = "Switch node number is 3 on the router and shall be 15: packets go to another port."
    wrong = ExtensionAttribute(
        key="switch_number", title="Switch node number", sdr="DependentNode.switch_node_number",
        object="ibmSPDepSwNodeNumber", intended="15", reported="3", verdict="differs", text=text, severe=True,
    )  # fmt: skip
    values = {
        "id": 4, "name": "grf1", "port": "gt000", "fabric": "sp-switch", "state": "critical",
        "state_text": "Switch node number is 3", "place": "frame 1 slot 16", "node_number": 16,
        "switch_node_number": 15, "address": "10.1.0.16/24", "arp": True, "arp_source": "9 nodes run it so",
        "reported_at": None, "age_s": None, "attributes": [wrong], "checks": [], "steps": [DEFINE],
        "undo": [], "incident_id": None, "url": "/extension-nodes/4",
    }  # fmt: skip
    return ExtensionOut.model_validate(values | more)


def device_metric(subject: str = "trap", **more: Any) -> DeviceMetricOut:
    """Notices that the kernel dropped in the last interval."""
    values = {
        "id": f"notices.kernel_drops|{subject}|notices", "name": "Kernel drops", "kind": "growth",
        "metric": "notices.kernel_drops", "subject": subject, "collector": "notices", "unit": "datagrams",
        "sentence": "Datagrams that the kernel dropped.", "state": "warning", "value": 1200,
        "reported_state": None, "per_s": 120.0, "outcome": "ok", "port_id": None, "at": AT, "age_s": 4.0,
        "url": "/devices/5",
    }  # fmt: skip
    return DeviceMetricOut.model_validate(values | more)


TIMEOUT: Mapping[str, Any] = {
    "state": "critical",
    "state_text": "no answer in time",
    "outcome": "timeout",
    "detail": "no answer within 5 s",
    "duration_ms": 5000.0,
    "answered_at": AT - timedelta(hours=1),
}
"""Of a collector whose device stopped answering an hour ago."""


def collector(name: str = "snmp", **more: Any) -> CollectorOut:
    """A collector that answered four seconds ago."""
    values = {
        "id": name, "name": name, "state": "ok", "state_text": "ok", "outcome": "ok", "detail": "",
        "duration_ms": 131.0, "since": AT, "at": AT, "age_s": 4.0, "answered_at": AT, "agent": "mgmt1",
        "tables": [], "record_command": "", "url": "/devices/5",
    }  # fmt: skip
    return CollectorOut.model_validate(values | more)


def extension_check(**more: Any) -> ExtensionCheckOut:
    """The check of a gateway that can be attached."""
    given = ExtensionProposal(
        frame=1, slot=16, node_number=16, switch_node_number=15, address="10.1.0.16/24", host_offset=1,
        max_link_packet=65520, reasons={},
    )  # fmt: skip
    values = {
        "node": "grf2", "fabric": "sp-switch", "arp": True, "arp_source": "9 nodes run it so",
        "attachable": True, "ports": [], "proposal": given, "steps": [DEFINE], "undo": [],
        "checks": [CheckOut(check="node_number", level="passed", text="Node number 16 is nobody else's.")],
        "site_file": "  - name: grf2\n",
    }  # fmt: skip
    return ExtensionCheckOut.model_validate(values | more)


def node(name: str, *, cleared_by: str = "") -> NodeOut:
    """A node that was released; `cleared_by`: who cleared that."""
    text = f"{name} was released on the node by root: sp-default."
    released = {
        "state": "released",
        "scope": "policies",
        "policies": ["sp-default"],
        "since": AT,
        "by": "root",
    }
    values = dict.fromkeys(NodeOut.model_fields) | {
        "id": 5, "name": name, "title": "", "kind": "host", "role": "compute", "state": "ok",
        "state_text": "ok", "url": "/nodes/5", "sys_name": "", "sys_descr": "", "clock_text": "",
        "labels": {}, "engine": "kernel", "reporting": "reporting",
        "hold": None, "management": {**released, "text": text, "cleared_by": cleared_by},
    }  # fmt: skip
    return NodeOut.model_validate(values)


def nodes(asked: Asked) -> list[NodeOut]:
    """One node, or one gateway."""
    return [gateway("grf1")] if "gateway" in asked.query else [node("sp01")]


def gateway(name: str, **more: Any) -> NodeOut:
    """A gateway that no node reaches."""
    role = {
        "role": "unreachable", "text": "unreachable: standby dead for 7 paths", "reachability": "unreachable",
        "answering": 0, "silent": 7, "uses": {"standby_dead": 7},
    }  # fmt: skip
    return NodeOut.model_validate({**node(name).model_dump(), "gateway": role, "management": None, **more})


def link(name: str, **more: Any) -> LinkOut:
    """A link of a dead path."""
    load = {"bps": 5_000_000, "utilisation": 0.1, "peak_bps": None, "at": AT, "fresh": True}
    end = {"node": "grf1", "node_id": 9, "port": "ga030", "port_id": 1, "url": "/devices/9"}
    values = {
        "id": 1, "name": name, "kind": "link", "circuit": "", "fabric": "atm-oc12", "media_rate": 622_080_000,
        "usable_rate": 53_800_000, "mtu": 9180, "source": end, "target": end, "state": "critical",
        "state_text": "up, 10 % used", "carrier": "up", "since": AT, "age_s": 1.0, "carries": "dead",
        "forward": load, "back": None, "declared": True, "evidence": [], "conflicts": [], "incidents": 1,
        "url": "/links/1",
    }  # fmt: skip
    return LinkOut.model_validate(values | more)


def neighbour_table(**more: Any) -> NeighbourTable:
    """A port whose table is flooded."""
    flood = TableIncident(
        id=9,
        kind="neighbour_flood",
        title="grf1:gh010: broadcasts of onyx1:hip0",
        severity="warning",
        url="/",
    )
    values = {
        "node": "grf1", "node_id": 4, "port": "gh010", "fabric": "hippi", "state": "warning", "at": AT,
        "age_s": 1.0, "ipv4": 812, "ipv6": 0, "permanent": 1, "incomplete": 0, "capacity_ipv4": 1024,
        "capacity_ipv6": None, "share": 0.793, "device_share": 0.8, "growth_per_s": 40.0,
        "broadcasts_per_s": 300.0, "top_mac": "02:00:00:00:00:99", "top_mac_entries": 800,
        "top_owner": "onyx1:hip0", "talker": "02:00:00:00:00:99", "talker_share": 1.0,
        "talker_owner": "onyx1:hip0", "recent": [], "incidents": [flood], "url": "/devices/4",
    }  # fmt: skip
    return NeighbourTable.model_validate(values | more)


def duplicate() -> DuplicateOut:
    """A duplicate address."""
    macs = [
        DuplicateMac(mac=f"02:00:00:00:00:0{number}", owner=owner, since=AT, nodes=[f"sp0{number}:css0"])
        for number, owner in ((1, "sp07:css0"), (2, ""))
    ]
    return DuplicateOut(
        address="10.1.0.7", fabric="sp-switch", since=AT, age_s=90.0, macs=macs, incident=None
    )


def holdings() -> NeighbourHistory:
    """The owners of an address."""
    before = HoldingOut(
        node="sp01",
        node_id=1,
        port="css0",
        mac="02:00:00:00:00:01",
        owner="sp07:css0",
        since=AT - timedelta(hours=2),
        until=AT,
    )
    now = before.model_copy(update={"mac": "02:00:00:00:00:02", "owner": "", "since": AT, "until": None})
    return NeighbourHistory(address="10.1.0.7", at=None, kept_days=7, items=[now, before])


def arp_fabric(running: str) -> dict[str, Any]:
    """The switch with an ARP policy and its nodes' running state."""
    policy = {
        "id": 7, "name": "sp-switch", "site": "argonne", "fabric": "sp-switch", "confirmed": 0, "url": "/arp",
        "mode": "off", "settings": {}, "ports": [], "table": {}, "note": "", "state": "unknown",
        "state_text": "not deployed",
    }  # fmt: skip
    state = "critical" if running == "mixed" else "ok"
    return {
        "fabric": "sp-switch", "kind": "sp_switch", "declared": "on", "running": running, "state": state,
        "state_text": f"ARP is {running}", "policy": policy, "title": "SP Switch", "url": "/arp", "text": "",
    }  # fmt: skip


def arp_rule() -> dict[str, Any]:
    """The address rule, violated by one of two nodes."""
    lines = [
        {
            "node": name, "port": "css0", "running": "", "address": f"10.1.0.{part}", "host_part": part,
            "switch_node_number": number,
            "difference": part - number, "verdict": verdict, "text": f"{name} is described in a sentence.",
        }
        for name, part, number, verdict in (("sp02", 77, 1, "breaks"), ("sp01", 1, 0, "obeys"))
    ]  # fmt: skip
    return {
        "fabric": "sp-switch",
        "kind": "sp_switch",
        "constant": 1,
        "broken": 1,
        "applies": True,
        "text": "1 of 2 does not follow the rule: with ARP off it would be unreachable.",
        "lines": lines,
    }


def history_export(**more: Any) -> ExportOut:
    """A complete export of one link."""
    values: dict[str, Any] = {
        "id": 5, "site": "argonne", "by": "ada", "format": "csv", "level": "auto", "start": AT, "end": AT,
        "selection": "1 link", "state": "done", "text": "Complete.", "created_at": AT, "ended_at": AT,
        "expires_at": AT, "progress": 1.0, "rows": 2, "bytes": 9, "gaps": [], "gap_count": 0,
        "filename": "argonne-5.csv", "download": "/api/v1/exports/5/download", "can_delete": True,
    }  # fmt: skip
    return ExportOut(**{**values, **more})


def recording(**more: Any) -> RecordingOut:
    """A complete recording of sp01."""
    values: dict[str, Any] = {
        "id": 3, "device": "sp01", "node_id": 5, "state": "recorded", "text": "Complete.", "by": "ada",
        "asked_at": AT, "ended_at": AT, "expires_at": AT, "objects": 1204, "bytes": 9,
        "filename": "sp01-3.snmprec", "download": "/api/v1/recordings/3/download",
    }  # fmt: skip
    return RecordingOut(**{**values, **more})


def clock(
    *, node: str = "grf1", source: str = "hrSystemDate", offset_s: float = -2_678_400.0, wrong: bool = True
) -> ClockOut:
    """One clock; a wrong one stepped back a month at its reboot."""
    text = "clock went back 31 d at its reboot"
    return ClockOut(
        node=node,
        node_id=9,
        source=source,
        explanation="",
        against="backend",
        state="critical" if wrong else "ok",
        text="31 d behind" if wrong else "in sync",
        offset_s=offset_s,
        error_s=0.51,
        at=AT,
        age_s=2,
        drift_ppm=None if wrong else 12.4,
        drift_error_ppm=None if wrong else 3.1,
        step=ClockStep(at=AT, by_s=offset_s, at_reboot=True, text=text) if wrong else None,
        recent=[],
        incident=ClockIncident(id=7, title=f"{node}: clock 31 d behind", severity="critical", url="")
        if wrong
        else None,
        url="",
    )


def saved(node: str, *, differs: bool = False) -> SavedNode:
    """A node whose MTU is saved or unsaved."""
    mtu = SavedItem(
        port="css0",
        what="mtu",
        running="65520",
        saved="1500" if differs else "65520",
        verdict="differs" if differs else "saved",
    )
    text = (
        "1 setting of its ports would change at a reboot."
        if differs
        else "The running state of all its ports is saved."
    )
    return SavedNode(
        node=node,
        node_id=1,
        state="warning" if differs else "ok",
        text=text,
        files=["/etc/network/interfaces"],
        items=[mtu],
        reported=[],
        reminders=[],
        url="/devices/1",
    )


def by_hand(node: str) -> SavedNode:
    """A router with unreadable state."""
    return SavedNode(
        node=node,
        node_id=9,
        state="unknown",
        text="The saved state cannot be read.",
        files=[],
        items=[],
        reported=["last operation of its backup group: done"],
        reminders=["Then save its configuration with grwrite and read it back."],
        url="/devices/9",
    )
