"""Settings of the IP stack below /proc/sys/net, of this process's namespace."""

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path

_ROOT = Path("/proc/sys/net/ipv4/conf")
GUARDED = ("arp_announce", "arp_filter", "arp_ignore", "rp_filter")
"""What decides whether a node with several ports is answered at all (ip-sysctl)."""


def read(ports: Iterable[str]) -> dict[str, str]:
    """`PORT/setting` -> value of every guarded setting, also of `all` and `default`."""
    found = {}
    for port in ("all", "default", *sorted(ports)):
        for name in GUARDED:
            # A port may go while we look.
            with contextlib.suppress(OSError):
                found[f"{port}/{name}"] = (_ROOT / port / name).read_text(encoding="ascii").strip()
    return found


def write(settings: Mapping[str, str]) -> None:
    """Set them; those of a port that is gone are left out. Raises OSError."""
    for name, value in settings.items():
        with contextlib.suppress(FileNotFoundError):
            (_ROOT / name).write_text(value, encoding="ascii")
