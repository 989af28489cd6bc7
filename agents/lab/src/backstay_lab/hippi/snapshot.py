"""A fabric's whole state at one moment, as JSON values; source of the SNMP tables."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from backstay_lab.hippi.crossbar import Crossbar
from backstay_lab.hippi.fabric import HippiFabric
from backstay_lab.hippi.gateway import Gateway


def snapshot(fabric: HippiFabric, now: int) -> dict[str, Any]:
    """Counters and settings, times in nanoseconds since the fabric's start."""
    return {
        "uptime_ns": now,
        "switches": {name: _switch(fabric, switch, now) for name, switch in fabric.switches.items()},
        "gateways": {name: _gateway(fabric, box, now) for name, box in fabric.gateways.items()},
        "hosts": {
            name: {
                "unroutable": host.unroutable,
                "undelivered": host.undelivered,
                "queued": len(host.sender.queue),
            }
            for name, host in fabric.hosts.items()
        },
        "blockers": {
            name: {"factor_ms": source.factor_ns / 1e6, "duty": source.duty, "transfers": source.transfers}
            for name, source in fabric.blockers.items()
        },
    }


def _switch(fabric: HippiFabric, switch: Crossbar, now: int) -> dict[str, Any]:
    attached = fabric.attached(switch.name)
    undelivered = {name: host.undelivered for name, host in fabric.hosts.items()}
    return {
        "size": switch.size,
        "clock_offset_s": fabric.clock_offsets[switch.name],
        "pathways": {f"{address:03x}": ports for address, ports in switch.pathways.items()},
        "ports": {
            str(port): asdict(switch.counters[port])
            | {
                "attached": attached[port],
                "overruns": undelivered.get(attached[port], 0),
                "enabled": switch.enabled(port),
                "connected_to": switch.speaking_to(port),
                "camping": switch.waits(port),
                "output_busy": switch.busy(port),
                "campon_ns": switch.waited_ns(port, now),
            }
            for port in sorted(attached)
        },
    }


def _gateway(fabric: HippiFabric, box: Gateway, now: int) -> dict[str, Any]:
    switch = fabric.switches[box.config.switch]
    return asdict(box.counters) | {
        "switch": box.config.switch,
        "port": box.config.port,
        "peer": box.config.peer,
        "hold_ticks": box.hold_ticks,
        "installed": box.config.stripes,
        "stripes": [asdict(stripe) for stripe in box.stripes],
        "stripe_rate": box.config.stripe_rate,
        "buffer": box.config.buffer,
        "queued": box.queued,
        "high_mark": box.high_mark,
        "src_busy_ns": switch.waited_ns(box.config.port, now),
        "flow": asdict(switch.counters[box.config.port]),
    }
