"""A PS-32 HIPPI switch's own objects (NSCPS32-MIB, RFC-HIPPI-MIB), from a snapshot of the fabric. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from backstay_lab.hippi.snmp.value import Oid, Value, counter, integer, octets, oid, string

ENTERPRISE = oid("1.3.6.1.4.1.10")
"""Network Systems Corporation."""
OBJECT_ID = "1.3.6.1.4.1.10.2.1.4"
"""nscHippiSwitch: the branch of the switch's objects, and the nearest known sysObjectID."""
SWITCH = oid(OBJECT_ID)
PORT_ENTRY = (*SWITCH, 5, 3, 1)
PATHWAY_ENTRY = (*SWITCH, 6, 2, 1)
HIPPI_ENTRY = oid("1.3.6.1.4.1.10.2.2.2.1.2.1")

DATE, TIME = (*SWITCH, 1, 3, 0), (*SWITCH, 1, 4, 0)
DATE_FORMAT, TIME_FORMAT = "%m/%d/%y", "%H:%M:%S"
ADMIN_ENABLE, ADMIN_DISABLE = 2, 3
OPER = {"disabled": 3, "operational": 4, "connected": 5}
IDLE, CONNECT_REQUEST, CONNECTED = 1, 2, 3
LOW_BITS = 31


def oper(port: dict[str, Any]) -> str:
    """The ps32PortOperStatus of a port of the snapshot."""
    if not port["enabled"]:
        return "disabled"
    return "operational" if port["connected_to"] is None else "connected"


def objects(state: dict[str, Any], name: str, now: datetime) -> dict[Oid, Value]:
    """All objects of switch `name` below its enterprise; `now` is the machine's local time."""
    switch = state["switches"][name]
    clock = now + timedelta(seconds=switch["clock_offset_s"])
    found = {
        (*SWITCH, 1, 1, 0): string("PS-32"),
        DATE: string(clock.strftime(DATE_FORMAT)),
        TIME: string(clock.strftime(TIME_FORMAT)),
        (*SWITCH, 1, 6, 0): integer(4),  # operational
        (*SWITCH, 5, 1, 0): integer(switch["size"]),
        (*SWITCH, 5, 2, 0): integer(len(switch["ports"])),
        (*SWITCH, 6, 1, 0): integer(4096),  # 12-bit logical addresses
    }
    for text, port in switch["ports"].items():
        number = int(text)
        found |= {(*PORT_ENTRY, column, number): value for column, value in _port(number, port).items()}
        found |= {(*HIPPI_ENTRY, column, number): value for column, value in _hippi(number, port).items()}
        found |= _pathways(number, switch["pathways"])
    return found


def _port(number: int, port: dict[str, Any]) -> dict[int, Value]:
    """ps32PortEntry. The camp-on delay count is a number of delays here; the MIB names no unit.

    An overrun is a packet that the attached device did not accept: a crossbar has no buffer.
    """
    return {
        1: integer(number),
        7: integer(port["overruns"]),
        8: integer(port["rejects"]),
        9: integer(port["campons"]),
        10: string(_current(port)),
        11: integer(ADMIN_ENABLE if port["enabled"] else ADMIN_DISABLE),
        12: integer(OPER[oper(port)]),
    }


def _current(port: dict[str, Any]) -> str:
    """ps32PortCurrentStatus: at most 7 characters."""
    if port["camping"]:
        return "camp-on"
    return "idle" if port["connected_to"] is None else f"to {port['connected_to']}"


def _hippi(number: int, port: dict[str, Any]) -> dict[int, Value]:
    """hippiEntry of the port's receiving end: the direction from the attached source."""
    flow = port["into"]
    counts = {}
    for column, count in ((4, flow["words"]), (6, flow["bursts"]), (8, flow["packets"])):
        counts[column] = integer(count >> LOW_BITS)
        counts[column + 1] = integer(count)
    request = CONNECT_REQUEST if port["camping"] else IDLE
    return counts | {
        1: integer(number),
        2: integer(1),  # hippi32bitDataBus
        3: integer(2),  # hippiDestinationEndPoint
        11: counter(port["rejects"]),
        12: counter(port["dest_rejects"]),
        16: octets(port["last_ifield"].to_bytes(4, "big")),
        17: integer(request if port["connected_to"] is None else CONNECTED),
    }


def _pathways(number: int, pathways: dict[str, list[int]]) -> dict[Oid, Value]:
    """ps32PathwayEntry: from every port, a logical address leads to the same outputs."""
    rows = {}
    for text, outputs in pathways.items():
        address = int(text, 16).to_bytes(2, "big")
        index = (number, len(address), *address)
        rows[*PATHWAY_ENTRY, 1, *index] = integer(number)
        rows[*PATHWAY_ENTRY, 2, *index] = octets(address)
        rows[*PATHWAY_ENTRY, 3, *index] = string(" ".join(str(output) for output in outputs))
    return rows


def write(target: Oid, text: str, state: dict[str, Any], name: str, now: datetime) -> dict[str, Any] | None:
    """The control request of a SET; None for a read-only object, ValueError for an invalid value."""
    if len(target) == len(PORT_ENTRY) + 2 and target[:-1] == (*PORT_ENTRY, 11):
        enabled = {ADMIN_ENABLE: True, ADMIN_DISABLE: False}
        if int(text) not in enabled:
            raise ValueError("only enable(2) and disable(3) are supported")
        return {"verb": "port", "switch": name, "port": target[-1], "enabled": enabled[int(text)]}
    if target in {DATE, TIME}:
        clock = now + timedelta(seconds=state["switches"][name]["clock_offset_s"])
        set_to = _set_date(clock, text) if target == DATE else _set_time(clock, text)
        return {"verb": "clock", "switch": name, "offset_s": (set_to - now).total_seconds()}
    return None


def _set_date(clock: datetime, text: str) -> datetime:
    day = datetime.strptime(text, DATE_FORMAT).astimezone()
    return clock.replace(year=day.year, month=day.month, day=day.day)


def _set_time(clock: datetime, text: str) -> datetime:
    hour = datetime.strptime(text, TIME_FORMAT).astimezone()
    return clock.replace(hour=hour.hour, minute=hour.minute, second=hour.second)
