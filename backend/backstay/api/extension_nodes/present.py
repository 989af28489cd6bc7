"""Extension nodes and proposals of new ones, for clients."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.changes.schemas import CheckOut
from backstay.api.extension_nodes.schemas import (
    ExtensionAttribute,
    ExtensionCheckOut,
    ExtensionOut,
    ExtensionProposal,
    ExtensionStep,
    ExtensionValue,
    SwitchPortOut,
)
from backstay.api.http.urls import extension_url
from backstay.core.model.plan import Finding
from backstay.core.planning.extension.checks import Attachment, check
from backstay.core.planning.extension.compare import Attribute, extension_state
from backstay.core.planning.extension.handover import ManualStep, steps, undo
from backstay.core.planning.extension.proposal import ProposedExtension, site_text

if TYPE_CHECKING:
    from backstay.telemetry.selectors.extension import ExtensionNow


def extension_out(extension_now: ExtensionNow, incident: int | None, now: datetime) -> ExtensionOut:
    """One extension node with intended and reported attributes."""
    wanted, known = extension_now.wanted, extension_now.known
    checks = check(Attachment(known, extension_now.node_name, wanted))
    state, text = extension_state(extension_now.attributes, checks)
    return ExtensionOut(
        id=extension_now.node,
        name=extension_now.node_name,
        port=wanted.port,
        fabric=extension_now.fabric.name,
        state=state,
        state_text=text,
        place="" if wanted.slot is None else str(wanted.slot),
        node_number=wanted.number,
        switch_node_number=wanted.switch_number,
        address=None if wanted.interface is None else str(wanted.interface),
        arp=known.arp,
        arp_source=known.arp_source,
        reported_at=extension_now.reported_at,
        age_s=None
        if extension_now.reported_at is None
        else max((now - extension_now.reported_at).total_seconds(), 0.0),
        attributes=[_attribute(row) for row in extension_now.attributes],
        checks=_checks(checks),
        steps=_steps(steps(known, wanted)),
        undo=_steps(undo()),
        incident_id=incident,
        url=extension_url(extension_now.node),
    )


def _attribute(row: Attribute) -> ExtensionAttribute:
    values = asdict(row)
    return ExtensionAttribute(**values)


def check_out(asked: Attachment, proposal: ProposedExtension) -> ExtensionCheckOut:
    """A proposal with its checks, and the manual steps if none fails."""
    checks = check(asked)
    wanted, known = asked.wanted, asked.known
    attachable = all(finding.level != "failed" for finding in checks)
    slot, interface = wanted.slot, wanted.interface
    return ExtensionCheckOut(
        node=asked.node,
        fabric=known.fabric,
        arp=known.arp,
        arp_source=known.arp_source,
        attachable=attachable,
        ports=[
            SwitchPortOut(
                frame=port.slot.frame, slot=port.slot.slot, use=port.use, owner=port.owner, text=port.text
            )
            for port in asked.ports
        ],
        proposal=ExtensionProposal(
            frame=None if slot is None else slot.frame,
            slot=None if slot is None else slot.slot,
            node_number=wanted.number,
            switch_node_number=wanted.switch_number,
            address=None if interface is None else str(interface),
            host_offset=wanted.host_offset,
            max_link_packet=wanted.max_link_packet,
            reasons=dict(proposal.reasons),
        ),
        checks=_checks(checks),
        steps=_steps(steps(known, wanted)) if attachable else [],
        undo=_steps(undo()) if attachable else [],
        site_file=site_text(asked.node, known.fabric, wanted) if attachable else "",
    )


def _checks(findings: Iterable[Finding]) -> list[CheckOut]:
    return [
        CheckOut(check=finding.check, level=finding.level, text=finding.text, nodes=list(finding.nodes))
        for finding in findings
    ]


def _steps(known: Iterable[ManualStep]) -> list[ExtensionStep]:
    return [
        ExtensionStep(
            command=item.command,
            text=item.text,
            values=[ExtensionValue(name=name, value=value) for name, value in item.values],
        )
        for item in known
    ]
