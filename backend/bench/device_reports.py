"""Reports of one device of the site that tests of the agent protocol use."""

from __future__ import annotations

import uuid
from typing import Any

from bench.site import port_samples

BOOT = uuid.uuid4()
PORTS = ["Ethernet1/1", "Ethernet1/2"]
SECOND = 10**9
"""Nanoseconds."""


def report(seq: int, at: int, **values: object) -> dict[str, Any]:
    """Samples of sw000."""
    return port_samples("sw000", PORTS, seq, boot=BOOT, at=at, **values)
