"""Parsed output of the sources."""

from __future__ import annotations

from backstay_lab.verify import infiniband, kernel
from backstay_lab.verify.hippi import values
from backstay_lab.verify.snmp import index_of, object_of

NET_DEV = """\
Inter-|   Receive                                      |  Transmit
 face |bytes packets errs drop fifo frame compr. multic|bytes packets errs drop fifo colls carrier compr.
    lo:   120   2    0    0    0     0          0     0     120     2    0    0    0     0       0      0
  hip0:12345678 190  1    0    0     0          0     0 9876543   151    3    0    0     0       0      0
"""
LINKS = (
    '0x0002c90200000101 "               opteron1 mthca0"      2    1[  ] ==( 4X           2.5 Gbps Active/'
    '  LinkUp)==>  0x0002c90200000010      3   15[  ] "ib-sw1" ( )\n'
    '0x0002c90200000010 "                        ib-sw1"      3   16[  ] ==(                Down/ Polling)'
    '==>             [  ] "" ( )\n'
    '0x0002c90200000010 "                        ib-sw1"      3   14[  ] ==( 1X          10.0 Gbps Active/'
    '  LinkUp)==>  0x0002c902000000f1     16    1[  ] "fzk13 mthca0" ( )\n'
)
PERFQUERY = """\
# Port extended counters: Lid 3 port 1 (CapMask: 0x1300 CapMask2: 0x0000000)
PortSelect:......................1
CounterSelect:...................0x0000
PortXmitData:....................1690056
# Port extended counters: Lid 3 port 2 (CapMask: 0x1300 CapMask2: 0x0000000)
PortSelect:......................2
PortXmitData:....................13475113451
"""
ERRORS = """\
Errors for "fzk13 mthca0"
   GUID 0x2c902000000f1 port 1: [SymbolErrorCounter == 16] [PortRcvErrors == 2]
Errors for 0x2c90200000010 "ib-sw1"
   GUID 0x2c90200000010 port ALL: [LinkDownedCounter == 3]
   GUID 0x2c90200000010 port 14: [LinkDownedCounter == 3]

## Summary: 16 nodes checked, 2 bad nodes found
"""


def test_proc_net_dev_is_parsed_by_column() -> None:
    assert kernel.parse(NET_DEV)["hip0"] == {
        "in octets": 12345678,
        "in packets": 190,
        "in errors": 1,
        "out octets": 9876543,
        "out packets": 151,
        "out errors": 3,
    }


def test_iblinkinfo_ports_have_the_site_files_names() -> None:
    first, dark, narrow = infiniband.links(LINKS)
    assert (first.node, first.port, first.lid, first.state, first.rate) == (
        "opteron1",
        "mthca0/1",
        2,
        "Active",
        10_000_000_000,
    )
    assert (dark.node, dark.port, dark.state, dark.rate) == ("ib-sw1", "16", "Down", 0)
    assert narrow.rate == 10_000_000_000


def test_perfquery_ports_are_distinguished() -> None:
    output = infiniband.counters(PERFQUERY)
    assert {port: counters["PortXmitData"] for port, counters in output.items()} == {
        1: 1690056,
        2: 13475113451,
    }


def test_ibqueryerrors_lists_ports_without_totals() -> None:
    assert infiniband.errors(ERRORS) == {
        ("fzk13", "mthca0/1"): {"SymbolErrorCounter": 16, "PortRcvErrors": 2},
        ("ib-sw1", "14"): {"LinkDownedCounter": 3},
    }


def test_devices_with_errors_come_first_and_include_hosts() -> None:
    seen = [infiniband.LinkSeen(f"sw{n}", str(p), n, p, "Active", 1) for n in (1, 2, 3) for p in (1, 2)]
    seen += [infiniband.LinkSeen(f"h{n}", "m/1", 10 + n, 1, "Active", 1) for n in range(6)]
    chosen = infiniband.sample(seen, [("h5", "m/1")], 4)
    nodes = list(dict.fromkeys(item.node for item in chosen))
    assert nodes[:2] == ["h5", "sw1"]
    assert len(nodes) == 4
    assert nodes[2].startswith("h")


def test_oid_is_the_last_part_of_a_metrics_source() -> None:
    assert object_of("ps32PortRejectCount 1.3.6.1.4.1.10.2.1.4.5.3.1.8") == "1.3.6.1.4.1.10.2.1.4.5.3.1.8"
    assert object_of("PortCounters:SymbolErrorCounter") is None
    assert object_of("ibnetdiscover") is None


def test_table_index_of_a_subject_is_found() -> None:
    ports = {"port8": 8}
    assert index_of("", ports, ()) == 0
    assert index_of("port8", ports, ()) == 8
    assert index_of("device 262145 network interface lo", ports, ()) == 262145
    assert index_of("processor 1", ports, (196608, 196609)) == 196609
    assert index_of("processor 2", ports, (196608, 196609)) is None
    assert index_of("/dev/shm", ports, ()) is None


def test_infinite_hold_time_is_0_in_the_mib() -> None:
    flow = {"packets": 7, "octets": 70}
    counted = ("mf_flow_control", "dl_flow_control", "dst_connect_reject", "src_connect_fail", "los", "lof")
    box: dict[str, object] = {"hold_ticks": None, "flow": {"into": flow, "out": flow}}
    box.update(dict.fromkeys(counted, 1))
    found = values({"switches": {}, "gateways": {"hsg-sdsc": box}})
    assert found["hsg-sdsc", "", "hsg.hold_time"] == 0
    assert found["hsg-sdsc", "hippi0", "in octets"] == 70
