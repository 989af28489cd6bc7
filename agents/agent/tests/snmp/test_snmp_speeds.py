"""A speed that the device's own counters contradict is treated as unknown, and the samples are kept."""

from collections.abc import Iterable

import pytest

from backstay_agent.host.snmp import ber
from backstay_agent.host.snmp.values import Oid
from backstay_agent.parsers import ifmib
from backstay_testing.report_list import ReportList
from backstay_testing.snmp_collectors import snmp_collectors
from backstay_testing.snmp_responder import Asked, Content, Table, number, serving, text
from backstay_wire import DeltaOutcome, DeviceReport, PortSamples, SnmpSource, SnmpV2c

pytestmark = pytest.mark.anyio
STATED = 10_000_000
GROWTH = 500_000_000
"""Octets between two answers, far more than 10 Mbit/s in any time that a poll takes here."""


class Reports(ReportList):
    def speeds(self) -> list[int]:
        return [one.ports[0].speed for one in self if isinstance(one, DeviceReport) and one.ports]

    def flags(self) -> list[int]:
        return [
            one.ports[0].contradicted_speed for one in self if isinstance(one, DeviceReport) and one.ports
        ]

    def outcomes(self) -> list[DeltaOutcome]:
        samples = [one for one in self if isinstance(one, PortSamples)]
        return [one.outcome[0] if one.outcome else DeltaOutcome.OK for one in samples]


def objects(speed: int) -> dict[Oid, Content]:
    """A device with one port; its uptime is large enough to be settled."""
    described: dict[Oid, Content] = {
        ifmib.SYS_DESCR: text("a switch"),
        ifmib.SYS_UPTIME: number(1_000_000, ber.TICKS),
        (*ifmib.IF_DESCR, 1): text("e1"),
        (*ifmib.IF_TYPE, 1): number(6),
        (*ifmib.IF_SPEED, 1): number(speed, ber.GAUGE),
        (*ifmib.IF_ADMIN, 1): number(1),
        (*ifmib.IF_OPER, 1): number(1),
    }
    counters = {(*column, 1): number(0, ber.COUNTER64) for parts in ifmib.COUNTERS_64[:4] for column in parts}
    return described | counters


class Busy:
    """A port whose octets grow with every request."""

    def __init__(self, speed: int) -> None:
        self.table, self.octets, self.growth = Table(objects(speed)), 0, GROWTH

    def __call__(self, asked: Asked) -> Iterable[bytes]:
        self.octets += self.growth
        self.table.objects[(*ifmib.IF_HC_IN_OCTETS, 1)] = number(self.octets, ber.COUNTER64)
        yield self.table.answer(asked)


async def poll(device: Busy, reports: Reports, times: int, *, then: int = 0) -> str:
    """Poll `times`; if `then`, the device states that speed afterwards and is polled again. Returns the last
    detail."""
    detail = ""
    async with serving(device) as port:
        access = SnmpV2c(community="public")
        source = SnmpSource(device="sw", interval_s=1, address="127.0.0.1", port=port, access=access)
        async with snmp_collectors(source, reports) as (counters, _):
            for _ in range(times):
                detail = (await counters.collect()).detail
            if then:
                device.growth = 100
                device.table.objects[(*ifmib.IF_SPEED, 1)] = number(then, ber.GAUGE)
                device.table.objects[ifmib.IF_TABLE_LAST_CHANGE] = number(7, ber.TICKS)
                for _ in range(times):
                    detail = (await counters.collect()).detail
    return detail


async def test_speed_that_is_exceeded_again_and_again_is_unknown_and_samples_are_kept() -> None:
    reports = Reports()
    detail = await poll(Busy(STATED), reports, 12)
    assert reports.outcomes().count(DeltaOutcome.ABSURD) == 3
    assert reports.outcomes()[-4:] == [DeltaOutcome.OK] * 4
    assert (reports.speeds()[0], reports.speeds()[-1]) == (STATED, 0)
    assert (reports.flags()[0], reports.flags()[-1]) == (0, STATED)
    assert detail.startswith("e1: the device states 10 Mbit/s, but the port carried ")


async def test_speed_that_the_device_corrects_is_believed_again() -> None:
    reports = Reports()
    detail = await poll(Busy(STATED), reports, 12, then=4_000_000_000)
    assert (reports.speeds()[-1], reports.flags()[-1]) == (4_000_000_000, 0)
    assert "states 10 Mbit/s" not in detail
