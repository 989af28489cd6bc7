"""Parses the files below /sys/class/infiniband/ADAPTER/ports/N: a port, its state and its counters.

Linux, Documentation/ABI/stable/sysfs-class-infiniband: `state` is `4: ACTIVE`, `phys_state` `5: LinkUp`,
`rate` `100 Gb/sec (4X EDR)`; a counter that the port lacks reads `N/A (no PMA)` or has no file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from backstay_agent.parsers import text
from backstay_wire import PortState

INFINIBAND, ETHERNET = 199, 6
"""IANAifType-MIB."""

ERRORS = MappingProxyType(
    {
        "symbol_error": "SymbolErrorCounter",
        "link_error_recovery": "LinkErrorRecoveryCounter",
        "link_downed": "LinkDownedCounter",
        "port_rcv_errors": "PortRcvErrors",
        "port_rcv_remote_physical_errors": "PortRcvRemotePhysicalErrors",
        "port_rcv_switch_relay_errors": "PortRcvSwitchRelayErrors",
        "port_xmit_discards": "PortXmitDiscards",
        "port_xmit_constraint_errors": "PortXmitConstraintErrors",
        "port_rcv_constraint_errors": "PortRcvConstraintErrors",
        "local_link_integrity_errors": "LocalLinkIntegrityErrors",
        "excessive_buffer_overrun_errors": "ExcessiveBufferOverrunErrors",
        "VL15_dropped": "VL15Dropped",
        "port_xmit_wait": "PortXmitWait",
    }
)
TRAFFIC = MappingProxyType(
    {
        "port_rcv_data": "PortRcvData",
        "port_xmit_data": "PortXmitData",
        "port_rcv_packets": "PortRcvPkts",
        "port_xmit_packets": "PortXmitPkts",
        "multicast_rcv_packets": "PortMulticastRcvPkts",
        "multicast_xmit_packets": "PortMulticastXmitPkts",
        "unicast_rcv_packets": "PortUnicastRcvPkts",
        "unicast_xmit_packets": "PortUnicastXmitPkts",
    }
)
"""File -> infiniband-diags' name of the same counter."""

SETTINGS = frozenset({"lifespan"})
"""Files of hw_counters that are not counters."""

_RATE = re.compile(r"([\d.]+) Gb/sec\b.*")
_CODE = re.compile(r"\d+: *(.+)")


@dataclass(frozen=True, slots=True)
class HostPort:
    """One port of an adapter."""

    state: PortState
    logical: str
    """down, initialize, armed, active, ..."""
    traffic: Mapping[str, int]
    errors: Mapping[str, int]
    hardware: Mapping[str, int]
    """hw_counters by file name."""
    unparsed: tuple[str, ...] = ()
    """Counter files without a number."""


def host_port(
    adapter: str,
    number: int,
    facts: Mapping[str, str],
    counters: Mapping[str, str],
    hw_counters: Mapping[str, str],
) -> HostPort:
    """A port from its files' contents: those of its folder, of `counters` and of `hw_counters`."""
    logical = _state_name(facts.get("state", ""))
    values = {name: int(content) for name, content in counters.items() if content.isdecimal()}
    hardware = {
        name: int(content)
        for name, content in hw_counters.items()
        if content.isdecimal() and name not in SETTINGS
    }
    rate = _RATE.fullmatch(facts.get("rate", ""))
    up = logical == "active"
    state = PortState(
        name=text.name(f"{adapter}/{number}"),
        index=number,
        if_type=ETHERNET if facts.get("link_layer") == "Ethernet" else INFINIBAND,
        speed=round(float(rate[1]) * 1e9) if rate is not None and up else 0,
        admin_up=_state_name(facts.get("phys_state", "")) != "disabled",
        oper_up=up,
        mac=_mac(facts.get("gid", "")),
    )
    return HostPort(
        state=state,
        logical=logical,
        traffic={TRAFFIC[name]: value for name, value in values.items() if name in TRAFFIC},
        errors={ERRORS[name]: value for name, value in values.items() if name in ERRORS},
        hardware=hardware,
        unparsed=tuple(
            name
            for name, content in (*counters.items(), *hw_counters.items())
            if not content.isdecimal() and not content.startswith("N/A")
        ),
    )


def _state_name(content: str) -> str:
    """`4: ACTIVE` is active, `1: DOWN` down, `2: INIT` initialize."""
    found = _CODE.fullmatch(content)
    label = text.name(found[1].lower()) if found is not None else "unknown"
    return {"init": "initialize"}.get(label, label)


def _mac(gid: str) -> str:
    """The port GUID is the lower half of its first GID, `fe80:0000:0000:0000:0002:c903:0000:0001`."""
    digits = gid.replace(":", "")
    return bytes.fromhex(digits[16:]).hex(":") if re.fullmatch(r"[0-9a-f]{32}", digits) else ""
