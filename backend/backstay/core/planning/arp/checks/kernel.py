"""Check whether the nodes' kernels support the settings and have large enough tables."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from backstay.core.model.arp import NodeArp
from backstay.core.model.plan import Finding
from backstay.core.planning.arp.site import ArpProposal
from backstay.core.planning.checks.finding import by_number, failed, passed, some, warning

SETTINGS, TABLE, LEFT = "arp_settings", "neighbour_table", "left_over"
_FAMILIES = {4: "ipv4", 6: "ipv6"}


def settings(proposal: ArpProposal) -> list[Finding]:
    """Settings that a kernel lacks, that two policies set differently, or whose pattern matches no port."""
    found = [
        failed(SETTINGS, f"Two policies want different values: {clash}. Give both the same.")
        for clash in proposal.clashes
    ]
    for name, nodes in _missing(proposal).items():
        text = f"{some(nodes)} {by_number(nodes, 'has', 'have')} no setting {name}: {_why(name)}"
        found.append(failed(SETTINGS, text, nodes))
    for intent in proposal.intents:
        ports = [member.port for member in proposal.site.members[intent.fabric]]
        places = [member.place for member in proposal.site.members[intent.fabric]]
        for part in intent.ports:
            if not _fits(part.pattern, (*ports, *places)):
                text = f"No port on {proposal.fabric(intent)} matches {part.pattern!r}: correct the pattern."
                found.append(warning(SETTINGS, text))
    return found or passed(SETTINGS, "Every kernel has the settings that the policies need.")


def _fits(pattern: str, names: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)


def _why(name: str) -> str:
    if ".gc_" in name:
        return "the table limits belong to the host, not to a container; set them on the host."
    return "its kernel does not support it, or the address family is disabled; remove it from the policy."


def _missing(proposal: ArpProposal) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node, wanted in proposal.wanted.items():
        observed = proposal.site.observed.get(node)
        if observed is None:
            continue
        lacking = {name for name in wanted.table if name not in dict(observed.table)}
        for port in wanted.ports.values():
            running = observed.port(port.port)
            if running is not None:
                lacking |= {name for name, _ in port.settings if name not in dict(running.settings)}
        for name in sorted(lacking):
            found.setdefault(name, []).append(wanted.node)
    return found


def table(proposal: ArpProposal) -> list[Finding]:
    """Nodes whose neighbour table is too small for the members of their fabrics."""
    found: list[Finding] = []
    sizes = _sizes(proposal)
    small: dict[tuple[str, int, int, bool], list[str]] = {}
    for node, wanted in proposal.wanted.items():
        observed = proposal.site.observed.get(node)
        bounds = {} if observed is None else {**dict(observed.table), **wanted.table}
        for family, needed in sizes.get(node, {}).items():
            most = bounds.get(f"{family}.gc_thresh3")
            if most is not None and needed > most:
                fixed = any(port.neighbours for port in wanted.ports.values())
                small.setdefault((family, most, needed, fixed), []).append(wanted.node)
        found += _disordered(wanted, bounds)
    for (family, most, needed, fixed), names in small.items():
        text = (
            f"{some(names)}: {needed} {family} entries will not fit {family}.gc_thresh3 = {most}: raise"
            " gc_thresh1 to 3 in the policy."
        )
        found.append((failed if fixed else warning)(TABLE, text, names))
    return found or passed(TABLE, "Every neighbour table is large enough for its fabrics.")


def _sizes(proposal: ArpProposal) -> Mapping[int, Mapping[str, int]]:
    """Node id -> family -> number of other addresses on its fabrics."""
    found: dict[int, dict[str, int]] = {}
    for intent in proposal.intents:
        members = proposal.site.members[intent.fabric]
        totals = {
            name: sum(address.version == version for member in members for address in member.addresses)
            for version, name in _FAMILIES.items()
        }
        for node in {member.node for member in members if member.managed}:
            sizes = found.setdefault(node, {})
            for name, total in totals.items():
                sizes[name] = sizes.get(name, 0) + max(total - 1, 0)
    return found


def _disordered(wanted: NodeArp, bounds: Mapping[str, int]) -> list[Finding]:
    found = []
    for family in _FAMILIES.values():
        values = [bounds.get(f"{family}.gc_thresh{number}") for number in (1, 2, 3)]
        known = [value for value in values if value is not None]
        if any(name.startswith(family) for name in wanted.table) and known != sorted(known):
            text = f"{wanted.node}: {family}.gc_thresh1 to 3 would be {known}: each must be at most the next."
            found.append(failed(TABLE, text, [wanted.node]))
    return found


def left_over(proposal: ArpProposal) -> list[Finding]:
    """Settings that are no longer managed: their running values remain until the next boot."""
    found: dict[str, list[str]] = {}
    for node, wanted in proposal.wanted.items():
        before = proposal.site.confirmed.get(node)
        if before is None:
            continue
        for port in before.ports.values():
            after = wanted.ports.get(port.port)
            kept = set() if after is None else {name for name, _ in after.settings}
            for name, value in port.settings:
                if name not in kept:
                    found.setdefault(f"{name} = {value}", []).append(wanted.node)
    warnings = [
        warning(LEFT, f"{name} is no longer set: {some(names)} will keep it until the next boot.", names)
        for name, names in found.items()
    ]
    return warnings or passed(LEFT, "No setting that was removed stays active.")
