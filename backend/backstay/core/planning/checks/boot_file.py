"""Check that each engine's boot file can be read and written."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.proposal import Proposal

NAME = "boot_file"


def check(proposal: Proposal) -> list[Finding]:
    """Files that the renderers rejected."""
    found = []
    for node, why in proposal.faults.items():
        name, path = proposal.name(node), proposal.engines[node].config
        text = f"{path} of {name} cannot be written: {why}. Correct the file manually, then plan again."
        found.append(failed(NAME, text, [name]))
    changed = sum(item.before != item.after for plan in proposal.nodes for item in plan.files)
    return found or passed(NAME, f"{count(changed, 'boot file')} will change, only inside Backstay's blocks.")
