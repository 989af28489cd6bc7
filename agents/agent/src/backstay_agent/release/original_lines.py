"""An operator's lines for one prefix in the original boot file: pure.

Needed when other blocks of ours stay in the file, so that the original cannot be restored as a whole. Only
where a route is one line: for BIRD and gated the block is removed without a replacement.
"""

import re
from ipaddress import IPv4Network, IPv6Network, ip_network

from backstay_agent.parsers.routing import frr_config
from backstay_agent.release.boot_text import substitute
from backstay_wire import EngineKind

_IP_BATCH = re.compile(r"(?:-[46] )?(?:route|ro|r) (?:add|append|replace|a) (?P<prefix>\S+) .*via .*")


def original_lines(engine: EngineKind, original: str, prefix: IPv4Network | IPv6Network) -> str:
    """The lines with their ends; empty if there are none."""
    operator = substitute(original, lambda _: "")
    return "".join(
        line if line.endswith("\n") else f"{line}\n"
        for line in operator.splitlines(keepends=True)
        if _destination(engine, line) == prefix
    )


def _destination(engine: EngineKind, line: str) -> IPv4Network | IPv6Network | None:
    if engine is EngineKind.FRR:
        static = frr_config.static(line) if not line.startswith(" ") else None
        return static.prefix if static else None
    match = _IP_BATCH.fullmatch(line.strip()) if engine is EngineKind.KERNEL else None
    if match is None:
        return None
    text = match["prefix"]
    if text == "default":
        text = (
            "::/0"
            if line.strip().startswith("-6") or ":" in line.partition("via")[2].split()[0]
            else "0.0.0.0/0"
        )
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None
