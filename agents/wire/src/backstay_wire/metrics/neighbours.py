"""Family `neigh`: utilisation of neighbour (ARP, ND) tables, and the main senders of ARP broadcasts."""

from collections.abc import Sequence

from backstay_wire.metrics.metric import Metric

COLLECTORS = frozenset({"neighbours", "snmp-neighbours"})
"""Collectors that report this family: of the host itself, and over SNMP."""

_DUMP = "rtnetlink RTM_GETNEIGH; ipNetToPhysicalTable 1.3.6.1.2.1.4.35"
_TABLE = "rtnetlink RTM_GETNEIGHTBL"

METRICS: Sequence[Metric] = (
    Metric(
        "neigh.ipv4_entries",
        "ARP entries",
        "level",
        "entries",
        "Learned entries of the port's ARP table, in any state: the kernel may evict them.",
        _DUMP,
    ),
    Metric(
        "neigh.ipv6_entries",
        "ND entries",
        "level",
        "entries",
        "Learned entries of the port's IPv6 neighbour table: the kernel may evict them.",
        _DUMP,
    ),
    Metric(
        "neigh.permanent",
        "Static entries",
        "level",
        "entries",
        "Entries set manually or by a boot file; they do not count towards the capacity.",
        _DUMP,
    ),
    Metric(
        "neigh.incomplete",
        "Incomplete",
        "level",
        "entries",
        "Entries whose hardware address is being requested, or was requested without an answer.",
        _DUMP,
    ),
    Metric(
        "neigh.top_mac",
        "Most entries at",
        "state",
        "",
        "The hardware address of most of the port's entries.",
        _DUMP,
    ),
    Metric(
        "neigh.top_mac_entries",
        "Entries there",
        "level",
        "entries",
        "How many of the port's entries have that hardware address.",
        _DUMP,
    ),
    Metric(
        "neigh.arp_broadcasts",
        "ARP broadcasts in",
        "growth",
        "frames",
        "ARP broadcasts received on the port; each may create an entry.",
        "packet(7) with a filter; PACKET_STATISTICS",
    ),
    Metric(
        "neigh.broadcasts",
        "Broadcasts in",
        "growth",
        "frames",
        "Broadcast frames received on the port.",
        "ifHCInBroadcastPkts 1.3.6.1.2.1.31.1.1.1.9",
    ),
    Metric(
        "neigh.talker",
        "Broadcasts from",
        "state",
        "",
        "The hardware address that sent most of the sampled ARP broadcasts.",
        "packet(7), source address of up to a hundred frames an interval",
    ),
    Metric(
        "neigh.talker_share",
        "Its share",
        "level",
        "%",
        "Share of the sampled ARP broadcasts that came from that hardware address.",
        "packet(7)",
    ),
    Metric(
        "neigh.ipv4_capacity",
        "ARP capacity",
        "level",
        "entries",
        "How many entries the table can hold; beyond it no new address can be reached.",
        f"{_TABLE} NDTA_THRESH3 (gc_thresh3)",
    ),
    Metric(
        "neigh.ipv6_capacity",
        "ND capacity",
        "level",
        "entries",
        "How many IPv6 entries the table can hold.",
        f"{_TABLE} NDTA_THRESH3 (gc_thresh3)",
    ),
    Metric(
        "neigh.ipv4_kernel",
        "ARP entries, kernel",
        "level",
        "entries",
        "Entries of the kernel's one ARP table, which all its network namespaces share.",
        f"{_TABLE} ndtc_entries",
    ),
    Metric(
        "neigh.ipv6_kernel",
        "ND entries, kernel",
        "level",
        "entries",
        "Entries of the kernel's one IPv6 neighbour table, which all its network namespaces share.",
        f"{_TABLE} ndtc_entries",
    ),
    Metric(
        "neigh.ipv4_overflows",
        "ARP overflows",
        "growth",
        "entries",
        "Entries that the kernel could not make because its ARP table was full.",
        f"{_TABLE} ndts_table_fulls",
        error=True,
    ),
    Metric(
        "neigh.ipv6_overflows",
        "ND overflows",
        "growth",
        "entries",
        "Entries that the kernel could not make because its IPv6 neighbour table was full.",
        f"{_TABLE} ndts_table_fulls",
        error=True,
    ),
)
