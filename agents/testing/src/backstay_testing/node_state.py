"""A node's state as ip(8), /proc/sys and the disk show it, independent of the code under test.

Two reads of the same state are equal byte for byte, also of two nodes with the same history.
"""

import json
import re
from pathlib import Path
from typing import Any

from backstay_testing.engines import EngineProcess, Node
from backstay_testing.namespaces import run_in
from backstay_wire import EngineKind

_SYSCTL = Path("/proc/sys/net")
_TREES = ("ipv4/conf", "ipv4/neigh", "ipv6/conf", "ipv6/neigh")
_GATED_ROUTE = re.compile(r"Preference:\s*(-?\d+).*?NextHop:\s*(\S+)", re.DOTALL)
_REMNANT = "254"
"""Kernel routes of an earlier gated: a history, not a configuration."""
_TIME = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d(\.\d+)?")


def read_state(node: Node, engine: EngineProcess) -> dict[str, str]:
    """Ports, routes of all tables, rules, permanent neighbours, settings, boot files; both IP versions."""
    return {
        "ports": "\n".join(_port(port) for port in json.loads(node.ask("ip", "-j", "address"))),
        "routes": _routes(node.ask("ip", "route", "show", "table", "all")),
        "rules": node.ask("ip", "rule") + node.ask("ip", "-6", "rule"),
        "neighbours": node.ask("ip", "neighbour", "show", "nud", "permanent"),
        "settings": "\n".join(_settings(node)),
        **_boot_files(Path(engine.engine.config)),
    }


def read_daemon(engine: EngineProcess) -> str:
    """What the routing daemon runs, by its own tool, without times; empty for the kernel.

    Raises CalledProcessError if it does not run.
    """
    control = engine.engine.control
    if engine.engine.kind is EngineKind.FRR:
        return engine.node.ask("vtysh", "--vty_socket", control, "-c", "show running-config")
    if engine.engine.kind is EngineKind.BIRD:
        return _TIME.sub("-", engine.node.ask("birdc", "-s", control, "show", "route"))
    if engine.engine.kind is EngineKind.GATED:
        engine.node.ask(control, "dump")
        routes = _GATED_ROUTE.findall(Path(engine.engine.dump).read_text())
        return "\n".join(f"{hop} preference {number}" for number, hop in routes if number != _REMNANT)
    return ""


def differences(before: dict[str, str], now: dict[str, str]) -> str:
    """The lines that differ, by part; empty: equal."""
    found = []
    for part in sorted({*before, *now}):
        old, new = before.get(part, "").splitlines(), now.get(part, "").splitlines()
        lines = [f"-{line}" for line in old if line not in new] + [
            f"+{line}" for line in new if line not in old
        ]
        if before.get(part) != now.get(part):
            found.append(f"{part}: {'; '.join(lines[:6]) or 'order or absence of the file'}")
    return " | ".join(found)


def _port(port: dict[str, Any]) -> str:
    addresses = sorted(f"{own['local']}/{own['prefixlen']} {own['scope']}" for own in port["addr_info"])
    flags = ",".join(sorted(port["flags"]))
    return " ".join((port["ifname"], flags, str(port["mtu"]), port["operstate"], port["address"], *addresses))


def _routes(text: str) -> str:
    """Sorted; zebra numbers its next hops anew at each start."""
    return "\n".join(sorted(re.sub(r" nhid \d+", "", text).splitlines()))


def _settings(node: Node) -> list[str]:
    found: list[str] = []

    def read() -> None:
        for tree in _TREES:
            for path in sorted((_SYSCTL / tree).glob("*/*")):
                try:
                    found.append(f"{path.relative_to(_SYSCTL)} = {path.read_text().strip()}")
                except OSError:  # stable_secret is unreadable until it is set
                    continue

    run_in(node.space, read)
    return found


def _boot_files(config: Path) -> dict[str, str]:
    """The boot file and its versions; octets that are no text are escaped."""
    paths = sorted(config.parent.glob(f"{config.name}*"))
    return {path.name: path.read_bytes().decode("utf-8", "backslashreplace") for path in paths}
