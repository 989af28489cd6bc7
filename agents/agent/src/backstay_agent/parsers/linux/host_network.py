"""Policy rules and VRFs (decoded rtnetlink messages) and resolvers (resolv.conf(5)) of a host."""

from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from backstay_wire import PolicyRule

Message = Mapping[str, Any]
_FAMILIES = {2: 4, 10: 6}
_LOCAL, _MAIN, _DEFAULT = 255, 254, 253
_KERNELS_OWN = {(0, _LOCAL), (32766, _MAIN), (32767, _DEFAULT)}
"""(priority, table) of the rules that every network namespace begins with."""
_TABLES = {_LOCAL: "local", _MAIN: "main", _DEFAULT: "default"}
_LOOKUP = 1
# linux/fib_rules.h FR_ACT_*, by ip-rule(8)'s names.
_ACTIONS = {2: "goto", 3: "nop", 6: "blackhole", 7: "unreachable", 8: "prohibit"}
_CONDITIONS = {
    "FRA_IIFNAME": "iif",
    "FRA_OIFNAME": "oif",
    "FRA_FWMARK": "fwmark",
    "FRA_IP_PROTO": "ipproto",
    "FRA_SPORT_RANGE": "sport",
    "FRA_DPORT_RANGE": "dport",
    "FRA_UID_RANGE": "uidrange",
    "FRA_TUN_ID": "tun_id",
}
_MOST_RESOLVERS = 16


def rules(messages: Iterable[Message]) -> list[PolicyRule]:
    """RTM_NEWRULE messages without the kernel's own rules, in the order in which the kernel applies them."""
    found = [rule for message in messages if (rule := _rule(message)) is not None]
    return sorted(found, key=lambda rule: (rule.family, rule.priority))


def _rule(message: Message) -> PolicyRule | None:
    attrs = message["attrs"]
    family, priority = _FAMILIES.get(message["family"]), attrs.get("FRA_PRIORITY") or 0
    # The l3mdev rule sends packets of a VRF's ports to the VRF's table: the ports report their VRF.
    if family is None or attrs.get("FRA_L3MDEV"):
        return None
    table = attrs.get("FRA_TABLE") or message["table"]
    source = _network(attrs.get("FRA_SRC"), message["src_len"])
    destination = _network(attrs.get("FRA_DST"), message["dst_len"])
    selector = _selector(message)
    plain = source is None and destination is None and not selector
    if plain and message["action"] == _LOOKUP and (priority, table) in _KERNELS_OWN:
        return None
    return PolicyRule(
        family=family,
        priority=priority,
        source=source,
        destination=destination,
        selector=selector,
        action=_action(message["action"], table),
    )


def _network(address: str | None, length: int) -> Any:
    return None if address is None or not length else ip_network(f"{address}/{length}", strict=False)


def _selector(message: Message) -> str:
    attrs = message["attrs"]
    found = [f"tos {message['tos']}"] if message["tos"] else []
    found += [f"{name} {attrs[key]}" for key, name in _CONDITIONS.items() if attrs.get(key) is not None]
    if attrs.get("FRA_SUPPRESS_PREFIXLEN", 0xFFFFFFFF) != 0xFFFFFFFF:
        found.append(f"suppress_prefixlength {attrs['FRA_SUPPRESS_PREFIXLEN']}")
    return " ".join(found)[:256]


def _action(action: int, table: int) -> str:
    if action == _LOOKUP:
        return f"lookup {_TABLES.get(table, table)}"
    return _ACTIONS.get(action, str(action))


def vrfs(links: Iterable[Message]) -> dict[int, str]:
    """RTM_NEWLINK messages: interface index of each port of a VRF -> the VRF's name."""
    links = list(links)
    names = {
        message["index"]: str(message["attrs"]["IFLA_IFNAME"])
        for message in links
        if _kind(message["attrs"].get("IFLA_LINKINFO")) == "vrf"
    }
    masters = {message["index"]: message["attrs"].get("IFLA_MASTER") for message in links}
    return {index: names[master] for index, master in masters.items() if master in names} | names


def _kind(info: Any) -> str:
    """IFLA_INFO_KIND of an IFLA_LINKINFO."""
    slots: Any = () if info is None else info["attrs"]
    return next((str(slot[1]) for slot in slots if slot[0] == "IFLA_INFO_KIND"), "")


def resolvers(text: str) -> list[IPv4Address | IPv6Address]:
    """The `nameserver` lines of resolv.conf(5), without zones; lines that cannot be read are skipped."""
    found: list[IPv4Address | IPv6Address] = []
    for line in text.splitlines():
        keyword, *values = line.split() or [""]
        if keyword == "nameserver" and values:
            try:
                found.append(ip_address(values[0].partition("%")[0]))
            except ValueError:
                continue
    return found[:_MOST_RESOLVERS]
