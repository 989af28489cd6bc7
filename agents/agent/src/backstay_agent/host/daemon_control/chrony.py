"""Queries chronyd about this host's clock, with one fixed command line."""

import shutil

from backstay_agent.host import programs

ARGV = ("chronyc", "-n", "-c", "tracking")
"""Read only, no name lookups, comma-separated (chronyc(1))."""
_ASK_S = 5.0


class ChronyGoneError(Exception):
    """chronyd does not run here, or refuses the query."""


def is_here() -> bool:
    """Whether this host has chronyc installed."""
    return shutil.which(ARGV[0]) is not None


async def tracking() -> str:
    """chronyc's output. Raises ChronyGoneError, TimeoutError."""
    try:
        ended = await programs.run(ARGV, timeout_s=_ASK_S)
    except programs.NoProgramError as error:
        raise ChronyGoneError(str(error)) from error
    if ended.status != 0:
        raise ChronyGoneError((ended.out or ended.err).strip()[:200] or f"status {ended.status}")
    return ended.out
