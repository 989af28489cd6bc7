"""Port counters from `/sys/class/net/*/statistics`, for kernels before 4.7, which lack RTM_GETSTATS.

sysfs shows the ports of the namespace that mounted it, which need not be ours: a port counts only if our
namespace has the same index under its name. Authority: Documentation/ABI/testing/sysfs-class-net-statistics.
"""

import socket
from collections.abc import Callable
from pathlib import Path

Counters = tuple[int, int, int, int, int, int, int, int]
"""In/out octets, packets, errors, discards: all 64 bits, in the order of the wire's columns."""

_ROOT = Path("/sys/class/net")
_FILES = (
    "rx_bytes",
    "tx_bytes",
    "rx_packets",
    "tx_packets",
    "rx_errors",
    "tx_errors",
    "rx_dropped",
    "tx_dropped",
)
"""In the order of the wire's columns."""


def port_counters(
    root: Path = _ROOT, index_of: Callable[[str], int] = socket.if_nametoindex
) -> dict[int, Counters]:
    """Counters of every port of this namespace by interface index; a port that goes meanwhile is left out."""
    found: dict[int, Counters] = {}
    try:
        ports = sorted(root.iterdir())
    except OSError:
        return found
    for port in ports:
        try:
            index = int((port / "ifindex").read_text())
            if index == index_of(port.name):
                in_o, out_o, in_p, out_p, in_e, out_e, in_d, out_d = (
                    int((port / "statistics" / name).read_text()) for name in _FILES
                )
                found[index] = (in_o, out_o, in_p, out_p, in_e, out_e, in_d, out_d)
        except (OSError, ValueError):
            continue
    return found
