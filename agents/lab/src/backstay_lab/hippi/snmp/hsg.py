"""A HIPPI-SONET gateway's own objects (NSCHippiSonet-MIB), from a snapshot of the fabric. Pure.

Two choices of the lab where the MIB names no unit: the monitor's clock and durations are in milliseconds,
and a hold time of 0, outside the MIB's range of 1 to 32767, means that the gateway retries without limit.
The hold timer's tick is 20 us, as in the CASA paper.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from backstay_lab.hippi.gateway import MAX_TICKS
from backstay_lab.hippi.snmp.value import Oid, Value, integer, oid

OBJECT_ID = "1.3.6.1.4.1.10.2.1.5"
"""nscHippiSonet: the branch of the gateway's objects, and the nearest known sysObjectID."""
GATEWAY = oid(OBJECT_ID)
TIMEOUT = (*GATEWAY, 6, 10, 0)
"""nscHippiTimeout."""
FOR_EVER = 0


def objects(state: dict[str, Any], name: str, _now: datetime) -> dict[Oid, Value]:
    """All objects of gateway `name` below its enterprise: monitor and profile."""
    box = state["gateways"][name]
    src, dst = box["flow"]["into"], box["flow"]["out"]
    monitor = {
        1: _ms(state["uptime_ns"]),
        2: integer(box["mf_flow_control"]),
        3: integer(box["dl_flow_control"]),
        5: _ms(box["src_busy_ns"]),
        6: integer(src["connects"]),
        7: integer(src["connects"]),
        8: _ms(dst["busy_ns"]),
        9: _ms(src["busy_ns"]),
        10: integer(box["dst_connect_reject"]),
        11: integer(box["src_connect_fail"]),
        12: integer(box["lof"]),
        13: integer(box["los"]),
        14: integer(dst["bursts"]),
        15: integer(dst["packets"]),
        19: integer(dst["connects"]),
        20: integer(src["connects"]),
        21: integer(src["packets"]),
        22: integer(src["bursts"]),
        25: integer(dst["words"]),
        26: integer(src["words"]),
    }
    found = {(*GATEWAY, 3, column, 0): value for column, value in monitor.items()}
    return found | {TIMEOUT: integer(FOR_EVER if box["hold_ticks"] is None else box["hold_ticks"])}


def _ms(nanoseconds: int) -> Value:
    return integer(nanoseconds // 1_000_000)


def write(target: Oid, text: str, _state: dict[str, Any], name: str, _now: datetime) -> dict[str, Any] | None:
    """The control request of a SET; None for a read-only object, ValueError for an invalid value."""
    if target != TIMEOUT:
        return None
    ticks = int(text)
    if not FOR_EVER <= ticks <= MAX_TICKS:
        raise ValueError(f"0 (no limit) to {MAX_TICKS} ticks of 20 us")
    return {"verb": "hold", "gateway": name, "ticks": None if ticks == FOR_EVER else ticks}
