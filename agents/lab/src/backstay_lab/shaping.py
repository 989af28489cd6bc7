"""How fast a port sends: one HTB class pair per port, as text for `tc -batch`. Pure.

Shaping sits on the egress of both ends of every link, so each direction runs at the medium's usable rate
times the lab's scale. HTB (tc-htb(8)) and not TBF, because routing must survive a full link: BFD, OSPF
and ARP ride in a small class of higher priority, as networks carry CS6 (RFC 4594 section 3.1). All users'
traffic, pings and probes included, shares the other class and its tail-drop queue.
"""

from __future__ import annotations

ETHERNET_HEADER = 14
QUEUE_S = 0.040
"""A full data queue delays by this much: below 50 ms."""
BURST_S = 0.010
"""Longest that a busy machine may be late to send without losing rate."""
CONTROL_SHARE = 0.05


def queue_bytes(rate: int, mtu: int) -> int:
    """Octets of the data queue: 40 ms at the rate, yet at least three full packets."""
    return max(round(rate * QUEUE_S / 8), 3 * (mtu + ETHERNET_HEADER))


def tc_lines(port: str, rate: int, mtu: int) -> list[str]:
    """`tc -batch` lines that shape `port` to `rate` bit/s of Ethernet frames."""
    frame = mtu + ETHERNET_HEADER
    burst = max(frame, round(rate * BURST_S / 8))
    control = max(round(rate * CONTROL_SHARE), 8_000)
    tail = f"ceil {rate}bit burst {burst}b cburst {burst}b quantum {frame}"
    add = f"class add dev {port} parent"
    return [
        f"qdisc add dev {port} root handle 1: htb default 20",
        f"{add} 1: classid 1:1 htb rate {rate}bit {tail}",
        f"{add} 1:1 classid 1:10 htb rate {control}bit prio 0 {tail}",
        f"{add} 1:1 classid 1:20 htb rate {rate - control}bit prio 1 {tail}",
        f"qdisc add dev {port} parent 1:10 pfifo limit 128",
        f"qdisc add dev {port} parent 1:20 bfifo limit {queue_bytes(rate, mtu)}",
        f"filter add dev {port} parent 1: protocol ip prio 1 u32 match ip dsfield 0xc0 0xe0 flowid 1:10",
        f"filter add dev {port} parent 1: protocol arp prio 2 u32 match u32 0 0 flowid 1:10",
    ]
