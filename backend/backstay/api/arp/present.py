"""ARP of fabrics for clients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from backstay.api.arp.schemas import AddressMismatchOut, ArpFabricOut, ArpPolicyOut, ArpRuleLine, ArpRuleOut
from backstay.api.http.schemas import State
from backstay.core.formatting import count, listing
from backstay.core.model.address_mismatch import AddressMismatch
from backstay.core.model.arp import Member
from backstay.core.model.topology import Fabric
from backstay.core.planning.arp.members import SWITCH
from backstay.core.planning.arp.rule import AddressRule, runs

if TYPE_CHECKING:
    from backstay.policy.models import ArpPolicy
    from backstay.rollout.arp_status import ArpProgress, FabricArpStatus

URL = "/arp"


def policy_out(row: ArpPolicy, stands: FabricArpStatus | None) -> ArpPolicyOut:
    """One policy; `row` has its site and fabric loaded. `stands` None: the fabric was removed."""
    progress = None if stands is None else stands.progress
    lost = () if stands is None else stands.mismatched
    state, text = _progress(row, progress)
    if lost and row.mode == "off":
        state, text = "critical", f"{_lost(lost)}; {text}"
    return ArpPolicyOut.model_validate(
        {
            "id": row.pk,
            "name": row.fabric.name,
            "site": row.site.name,
            "fabric": row.fabric.name,
            "fabric_id": row.fabric_id,
            "mode": row.mode,
            "settings": row.settings,
            "ports": row.ports,
            "table": row.table,
            "note": row.note,
            "managed": 0 if progress is None else progress.managed,
            "not_managed": [] if progress is None else list(progress.not_managed),
            "confirmed": 0 if progress is None else progress.confirmed,
            "outdated": 0 if progress is None else progress.outdated,
            "address_mismatches": mismatches_out(lost),
            "state": state,
            "state_text": text,
            "url": f"{URL}/{row.fabric.name}",
        }
    )


def _progress(row: ArpPolicy, progress: ArpProgress | None) -> tuple[State, str]:
    if progress is None or not progress.managed:
        return "unknown", "none of its nodes has an arp key in the site file"
    many = count(progress.managed, "node")
    if not progress.in_force:
        empty = row.mode == "unmanaged" and not (row.settings or row.ports or row.table)
        return ("ok", "no nodes affected") if empty else ("unknown", "not deployed")
    if progress.outdated or progress.confirmed < progress.managed:
        return "warning", f"current version deployed on {progress.confirmed} of {many}"
    return "ok", f"deployed on {many}"


def fabric_out(fabric: Fabric, stands: FabricArpStatus, policy: ArpPolicyOut | None) -> ArpFabricOut:
    """The ARP state of one fabric as run by its nodes."""
    running = "mixed" if stands.mixed else "on" if stands.on else "off" if stands.off else "unknown"
    state, text = _fabric_state(fabric, stands, running)
    return ArpFabricOut.model_validate(
        {
            "fabric": fabric.name,
            "fabric_id": fabric.id,
            "kind": fabric.kind,
            "declared": fabric.arp,
            "policy": policy,
            "running": running,
            "on": list(stands.on),
            "off": list(stands.off),
            "unknown": list(stands.unknown),
            "address_mismatches": mismatches_out(stands.mismatched),
            "state": state,
            "state_text": text,
        }
    )


def _fabric_state(fabric: Fabric, stands: FabricArpStatus, running: str) -> tuple[State, str]:
    if stands.mixed:
        fewer, setting = min((stands.off, "off"), (stands.on, "on"), key=lambda item: len(item[0]))
        return (
            "critical",
            f"mixed: ARP is {setting} only on {listing(list(fewer))}, so some nodes cannot reach each other",
        )
    if running == "unknown":
        return "unknown", "no node has reported yet"
    if stands.mismatched:
        off = bool(stands.off)
        rest = ": unreachable with ARP off" if off else ""
        return "critical" if off else "warning", f"ARP is {running}; {_lost(stands.mismatched)}{rest}"
    wanted = fabric.arp if stands.policy is None or stands.policy.mode == "unmanaged" else stands.policy.mode
    silent = f"; no report from {listing(list(stands.unknown))}" if stands.unknown else ""
    if wanted in {"on", "off"} and wanted != running:
        whose = (
            "the site file" if stands.policy is None or stands.policy.mode == "unmanaged" else "its policy"
        )
        return "warning", f"ARP is {running}, {whose} requires {wanted}{silent}"
    return "ok", f"ARP is {running} on all nodes that reported{silent}"


def _lost(mismatches: Sequence[AddressMismatch]) -> str:
    more = f", and {count(len(mismatches) - 1, 'more mismatch', 'more mismatches')}" if mismatches[1:] else ""
    return f"{mismatches[0].text}{more}"


def mismatches_out(mismatches: Iterable[AddressMismatch]) -> list[AddressMismatchOut]:
    """Ports whose address differs from the site file."""
    return [
        AddressMismatchOut(
            node=item.name,
            node_id=item.node,
            port=item.port,
            intended=[str(address) for address in item.missing],
            running=[str(address) for address in item.instead],
            text=f"{item.text}.",
        )
        for item in mismatches
    ]


def rule_out(fabric: Fabric, rule: AddressRule) -> ArpRuleOut:
    """The address rule for one fabric, violations first."""
    broken = len(rule.broken)
    lines = sorted(rule.lines, key=lambda line: line.verdict == "obeys")
    return ArpRuleOut(
        fabric=fabric.name,
        kind=fabric.kind,
        applies=fabric.kind == SWITCH,
        constant=rule.constant,
        broken=broken,
        text=_rule_text(fabric, rule, broken),
        lines=[
            ArpRuleLine(
                node=line.member.name,
                node_id=line.member.node,
                port=line.member.port,
                address=str(line.member.addresses[0]) if line.member.host_part is not None else "",
                running=_runs(line.member),
                host_part=line.member.host_part,
                switch_node_number=line.member.number,
                difference=line.difference,
                verdict=line.verdict,
                extension=line.member.extension,
                text=line.text,
            )
            for line in lines
        ],
    )


def _runs(member: Member) -> str:
    address = runs(member)
    return "" if address is None else str(address)


def _rule_text(fabric: Fabric, rule: AddressRule, broken: int) -> str:
    if fabric.kind != SWITCH:
        return "Addresses are not computed on this fabric: without ARP its nodes need static entries only."
    if not rule.lines:
        return "This fabric has no nodes."
    if not broken:
        return f"All {len(rule.lines)} follow the rule: the difference is {rule.constant}, so ARP may be off."
    who = count(broken, f"of {len(rule.lines)} does", f"of {len(rule.lines)} do")
    return f"{who} not follow the rule: with ARP off {'it' if broken == 1 else 'they'} would be unreachable."
