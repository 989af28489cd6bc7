"""Profiles `hippi-switch` (PS-32) and `hippi-sonet`: every value of the families `ps32` and `hsg`.

The object of each metric is in its `source`. Their counts are INTEGERs of 31 bits (NSCPS32-MIB,
NSCHippiSonet-MIB), so they wrap at 31 bits.
"""

from collections.abc import Sequence

from backstay_agent.collectors.snmp.profiles.profile import (
    DeviceFacts,
    Findings,
    Object,
    Profile,
    by_row,
    objects,
    oid,
)
from backstay_agent.parsers.ifmib import Oid, Rows
from backstay_wire import METRICS

SWITCH_TREE = oid("1.3.6.1.4.1.10.2.1.4")
GATEWAY_TREE = oid("1.3.6.1.4.1.10.2.1.5")
_PORT_TABLE = oid("1.3.6.1.4.1.10.2.1.4.5.3.1")
_BITS = 31


def _family(prefix: str) -> list[Object]:
    return objects([metric for metric in METRICS.values() if metric.name.startswith(prefix)])


def _subject(device: DeviceFacts, table: Oid, index: Oid) -> str:
    """A row of the port table is the port of that ifIndex, if the device has one; a scalar is the device."""
    if index == (0,) and table[: len(_PORT_TABLE)] != _PORT_TABLE:
        return ""
    names = device.port_names()
    if len(index) == 1 and index[0] in names:
        return names[index[0]]
    return f"port {'.'.join(map(str, index))}"


def _read_with(items: Sequence[Object], rows: Rows, device: DeviceFacts) -> Findings:
    found = [
        by_row(rows, [item], lambda index, item=item: _subject(device, item.column, index), width=_BITS)  # type: ignore[misc]
        for item in items
    ]
    return Findings(
        metrics=[item for findings in found for item in findings.metrics],
        counters=[counter for findings in found for counter in findings.counters],
    )


def _profile(name: str, prefix: str, trees: Sequence[Oid]) -> Profile:
    items = _family(prefix)
    columns = [item.column for item in items]
    return Profile(
        name=name,
        fits=lambda device: any(device.is_a(tree) for tree in trees),
        read=lambda rows, device: _read_with(items, rows, device),
        columns=columns,
        polled=columns,
    )


SWITCH = _profile("hippi-switch", "ps32.", (SWITCH_TREE,))
GATEWAY = _profile("hippi-sonet", "hsg.", (SWITCH_TREE, GATEWAY_TREE))
