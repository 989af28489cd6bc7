"""Parses `sminfo`: the fabric's master subnet manager (SMInfo, IBTA volume 1, 14.2.5.13)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from backstay_agent.parsers.infiniband.ib_topology import guid

_LINE = re.compile(
    r"sminfo: sm lid (\d+) sm guid 0x([0-9a-f]+), activity count (\d+) priority (\d+) state (\d+).*"
)


@dataclass(frozen=True, slots=True)
class SubnetManager:
    """State of the subnet manager."""

    guid: str
    """GUID of its port."""
    lid: int
    activity: int
    """Increases while it works."""
    priority: int
    state: int
    """0 not active, 1 discovering, 2 standby, 3 master."""


def subnet_manager(lines: Iterable[str]) -> SubnetManager | None:
    """The subnet manager in the output of `sminfo`; None if there is none."""
    for line in lines:
        if (found := _LINE.fullmatch(line.strip())) is not None:
            lid, sm_guid, activity, priority, state = found.groups()
            return SubnetManager(guid(sm_guid), int(lid), int(activity), int(priority), int(state))
    return None
