"""Settings of the IP stack below /proc/sys/net, of this process's namespace.

A setting goes by its path below there, `ipv4/conf/css0/arp_ignore`; ports with a dot in their name make the
dotted names of sysctl(8) ambiguous.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from backstay_agent.host.kernel import linkdown
from backstay_wire.arp import SETTINGS, TABLE_SETTINGS

_ROOT = Path("/proc/sys/net")
_LONGEST = 256
GUARDED = ("arp_announce", "arp_filter", "arp_ignore", "rp_filter")
"""What decides whether a node with several ports is answered at all (ip-sysctl), of `ipv4/conf`."""


def path(key: str, port: str) -> str:
    """Where a port's setting of `backstay_wire.arp.SETTINGS` is."""
    family, tree, name = key.split(".")
    return f"{family}/{tree}/{port}/{name}"


def table_path(key: str) -> str:
    """Where a setting of `backstay_wire.arp.TABLE_SETTINGS` is."""
    family, name = key.split(".")
    return f"{family}/neigh/default/{name}"


def read(ports: Iterable[str]) -> dict[str, str]:
    """Every setting that a change may write, or that cuts a node off, with those of `all` and `default`."""
    names = sorted(ports)
    wanted = [f"ipv4/conf/{port}/{name}" for port in ("all", "default", *names) for name in GUARDED]
    wanted += [path(key, port) for port in names for key in SETTINGS]
    wanted += linkdown.settings(names)
    return values([*wanted, *map(table_path, TABLE_SETTINGS)])


def values(paths: Iterable[str]) -> dict[str, str]:
    """The values; missing ones are left out, because a port may vanish meanwhile."""
    found = {}
    for item in paths:
        # Read each interval on every port: pathlib's way takes five times as long.
        try:
            handle = os.open(f"{_ROOT}/{item}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            found[item] = os.read(handle, _LONGEST).decode("ascii").strip()
        except OSError:
            continue
        finally:
            os.close(handle)
    return found


def write(setting: str, value: str) -> None:
    """Set one. Raises OSError; FileNotFoundError where it is not there."""
    (_ROOT / setting).write_text(value, encoding="ascii")
