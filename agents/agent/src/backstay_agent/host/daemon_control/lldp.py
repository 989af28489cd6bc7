"""Queries lldpd about this host's neighbours, with one fixed command line."""

import shutil

from backstay_agent.host import programs

ARGV = ("lldpctl", "-f", "json")
"""Read only (lldpctl(8)); every release has this format."""
_ASK_S = 5.0


class LldpGoneError(Exception):
    """lldpd does not run here, or refuses the query."""


def is_here() -> bool:
    """Whether this host has lldpd installed."""
    return shutil.which(ARGV[0]) is not None


async def neighbours() -> str:
    """lldpctl's output. Raises LldpGoneError, TimeoutError."""
    try:
        ended = await programs.run(ARGV, timeout_s=_ASK_S)
    except programs.NoProgramError as error:
        raise LldpGoneError(str(error)) from error
    if ended.status != 0:
        raise LldpGoneError((ended.err or ended.out).strip()[:200] or f"status {ended.status}")
    return ended.out
