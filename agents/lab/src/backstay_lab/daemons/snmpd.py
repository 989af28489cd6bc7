"""net-snmp's snmpd (snmpd.conf(5)) on a node that is polled over SNMP, like the GigaRouter.

It reports the namespace's counters, ARP and routes; `interface` lines supply what a veth lacks (IANA ifType,
nominal ifSpeed). The credentials are random per lab. A third random community may write one object, from the
node's own address: ifTable's cache time.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from backstay_lab.blueprint import Blueprint, NodeSpec
from backstay_lab.credentials import Credentials

IF_TABLE_CACHE = ".1.3.6.1.4.1.8072.1.5.3.1.2"
"""nsCacheTimeout of NET-SNMP-AGENT-MIB, seconds; indexed by the cached table's OID."""
IF_TABLE = ".1.3.6.1.2.1.2.2"


def watched(plan: Blueprint, node: NodeSpec) -> bool:
    """Whether the node runs snmpd: it is polled and has an address."""
    return node.watcher is not None and plan.management_address(node) is not None


def config(plan: Blueprint, node: NodeSpec, credentials: Credentials, more: Sequence[str] = ()) -> str:
    """The whole snmpd.conf of a node, with `more` lines at its end.

    Rates are nominal and unscaled, as on the real device.
    """
    address = plan.management_address(node)
    lines = [
        f"agentaddress udp:{address}:161",
        f"sysname {node.name}",
        f"sysdescr {node.title} (Backstay lab, rates x {plan.parameters.rate_scale:g})",
        f"syslocation {plan.title}",
        "syscontact nobody",
        "sysservices 4",
        *([f"sysobjectid {node.object_id}"] if node.object_id else []),
        f"rocommunity {credentials.community}",
        f"createUser {credentials.user} SHA-256 {credentials.auth_key} AES {credentials.priv_key}",
        f"rouser {credentials.user} priv",
        f"rwcommunity {credentials.tuner} {address} {IF_TABLE_CACHE}",
    ]
    for port in plan.devices(node):
        fabric = plan.fabric(port.fabric)
        lines.append(f"interface {port.name} {fabric.if_type} {fabric.media_rate}")
    return "\n".join([*lines, *more]) + "\n"


def argv(config_path: Path) -> list[str]:
    """Command line: foreground, log to standard error, only this configuration, no AgentX or SMUX socket."""
    return ["snmpd", "-f", "-Le", "-C", "-c", str(config_path), "-I", "-smux"]


def environment(folder: Path) -> dict[str, str]:
    """No MIB files (Debian ships none); persistent state in the node's own folder.

    That folder is not the configuration's: the state file has the same name and would replace it at SIGHUP.
    """
    return {"MIBS": "", "SNMP_PERSISTENT_DIR": str(folder / "kept"), "SNMPCONFPATH": str(folder)}


def set_cache_argv(plan: Blueprint, node: NodeSpec, credentials: Credentials, seconds: int) -> list[str]:
    """Command line that sets ifTable's cache time; success shows that the agent answers."""
    address = plan.management_address(node)
    oid = IF_TABLE_CACHE + IF_TABLE
    return [
        "snmpset", "-v2c", "-c", credentials.tuner, "-t", "0.2", "-r", "0", "-On",
        f"udp:{address}:161", oid, "i", str(seconds),
    ]  # fmt: skip
