"""Source: a HIPPI fabric's own counters and settings, as in `backstay-lab hippi show`.

The agents see them only over SNMP, wrapped at 31 or 32 bits; here they are the fabric's own numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from backstay_lab.hippi.control import ask
from backstay_lab.verify.series import Key, Slack, Value

FOR_EVER = 0
"""The gateway's MIB value for no hold time limit."""
GATEWAY = {
    "hsg.mf_flow_control": "mf_flow_control",
    "hsg.dl_flow_control": "dl_flow_control",
    "hsg.dst_connect_reject": "dst_connect_reject",
    "hsg.src_connect_fail": "src_connect_fail",
    "hsg.los": "los",
    "hsg.lof": "lof",
}
"""Metric to the fabric's own counter."""


class HippiSource:
    """Switches' ports and gateways."""

    title = "hippi show of the fabric"
    # SNMP values are up to 50 ms old, and the poll takes time.
    slack = Slack(early=0.25, late=0.15)
    pause_s = 0.05

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    def read(self) -> Iterator[Mapping[Key, Value]]:
        """All at once."""
        yield values(ask(self._socket, verb="show"))

    def close(self) -> None:
        """Nothing stays open."""


def values(shown: Mapping[str, Any]) -> dict[Key, Value]:
    """The snapshot's values by the agents' metric names."""
    found: dict[Key, Value] = {}
    for switch, box in shown["switches"].items():
        for number, port in box["ports"].items():
            found |= {(switch, f"port{number}", name): value for name, value in _port(port).items()}
    for gateway, box in shown["gateways"].items():
        found |= {(gateway, "", name): value for name, value in _gateway(box).items()}
        found |= {(gateway, "hippi0", name): value for name, value in _line(box).items()}
    return found


def _port(port: Mapping[str, Any]) -> dict[str, Value]:
    """A switch port; `into` is the direction from the attached source."""
    return {
        "ps32.rejects": port["rejects"],
        "ps32.campon_delays": port["campons"],
        "ps32.overruns": port["overruns"],
        "ps32.admin": "enable" if port["enabled"] else "disable",
        "in octets": port["into"]["octets"],
        "in packets": port["into"]["packets"],
        "out octets": port["out"]["octets"],
        "out packets": port["out"]["packets"],
    }


def _gateway(box: Mapping[str, Any]) -> dict[str, Value]:
    return {figure: box[counter] for figure, counter in GATEWAY.items()} | {
        "hsg.hold_time": FOR_EVER if box["hold_ticks"] is None else box["hold_ticks"],
        "hsg.dst_packets": box["flow"]["out"]["packets"],
        "hsg.src_packets": box["flow"]["into"]["packets"],
    }


def _line(box: Mapping[str, Any]) -> dict[str, Value]:
    """A gateway's LAN port; "in" is the direction from the switch."""
    return {
        "in octets": box["flow"]["out"]["octets"],
        "in packets": box["flow"]["out"]["packets"],
        "out octets": box["flow"]["into"]["octets"],
        "out packets": box["flow"]["into"]["packets"],
    }
