"""Check the number of nodes per wave."""

from __future__ import annotations

from backstay.core.formatting import count
from backstay.core.model.plan import Finding
from backstay.core.planning.checks.finding import failed, passed
from backstay.core.planning.proposal import Proposal

NAME = "wave_size"


def check(proposal: Proposal) -> list[Finding]:
    limit = proposal.wave_limit
    found = [
        failed(
            NAME,
            f"Wave {number} would change {count(len(wave), 'node')} at once, and the site allows {limit}: "
            f"plan it in waves of at most {limit}.",
        )
        for number, wave in enumerate(proposal.waves, start=1)
        if len(wave) > limit
    ]
    largest = max((len(wave) for wave in proposal.waves), default=0)
    return found or passed(NAME, f"At most {count(largest, 'node')} change at once; the site allows {limit}.")
