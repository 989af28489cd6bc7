"""Whether the kernel itself skips a route whose port has lost carrier (ip-sysctl, since Linux 4.3).

With `ignore_routes_with_linkdown` the route with the next metric is taken by the very next packet, before
any process learns of the lost carrier. Without it the kernel goes on sending into the dead port.
"""

import contextlib
from collections.abc import Iterable
from pathlib import Path

_NAME = "ignore_routes_with_linkdown"
_ROOT = Path("/proc/sys/net")


def settings(ports: Iterable[str]) -> list[str]:
    """Where the settings of these ports are, below /proc/sys/net."""
    return [f"{family}/conf/{port}/{_NAME}" for port in ports for family in ("ipv4", "ipv6")]


def apply(ports: Iterable[str]) -> None:
    """Have lost carrier heeded on these ports, of this namespace; a port that is gone needs nothing.

    Raises PermissionError without CAP_NET_ADMIN.
    """
    for path in settings(ports):
        with contextlib.suppress(FileNotFoundError):
            (_ROOT / path).write_text("1", encoding="ascii")
