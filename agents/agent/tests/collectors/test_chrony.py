"""`chronyc -c tracking` as metrics; without a time source; and invalid output."""

from uuid import uuid4

import pytest

from backstay_agent.collectors.base import UnusableError
from backstay_agent.collectors.chrony import ChronyCollector
from backstay_agent.host.daemon_control.chrony import ChronyGoneError
from backstay_agent.parsers.chrony import ChronyError, tracking
from backstay_agent.report_sink import BuildReport
from backstay_testing.clock import ManualClock
from backstay_wire import CollectorOutcome, MetricReport, Report
from backstay_wire.metrics import METRICS

pytestmark = pytest.mark.anyio
FOLLOWING = (
    "0A010010,10.1.0.16,3,1795290701.123456789,0.000250000,-0.000010000,0.000020000,"
    "-12.345,0.001,0.250,0.001200000,0.004500000,64.2,Normal\n"
)
ALONE = (
    "7F7F0101,,0,0.000000000,0.000000000,0.000000000,0.000000000,"
    "0.000,0.000,0.000,1.000000000,1.000000000,0.0,Not synchronised\n"
)


class ChronyHost:
    """A collector with a chronyc that prints this."""

    def __init__(self, output: str | Exception) -> None:
        self.reports: list[Report] = []
        self.output = output
        self.collector = ChronyCollector(
            device="sp01", interval_s=2, read=self._read, clock=ManualClock(), emit=self._emit
        )

    async def _read(self) -> str:
        if isinstance(self.output, Exception):
            raise self.output
        return self.output

    def _emit(self, build: BuildReport, *, urgent: bool = False, can_wait: bool = False) -> None:
        self.reports.append(build(uuid4(), 1))

    def metrics(self) -> dict[str, object]:
        (report,) = self.reports
        assert isinstance(report, MetricReport)
        return {item.metric: item.value for item in report.metrics}


async def test_slow_clock_has_a_negative_offset_with_chronys_error_bound() -> None:
    reported = ChronyHost(FOLLOWING)
    assert (await reported.collector.collect()).outcome is CollectorOutcome.OK
    assert reported.metrics() == {
        "chrony.stratum": 3,
        "chrony.leap": "normal",
        "chrony.offset": -250.0,
        "chrony.error": 5100.0,
        "chrony.frequency": -12.345,
        "chrony.skew": 0.25,
    }
    assert set(reported.metrics()) <= set(METRICS)


async def test_host_without_a_time_source_has_no_offset() -> None:
    reported = ChronyHost(ALONE)
    await reported.collector.collect()
    assert reported.metrics() == {"chrony.stratum": 0, "chrony.leap": "not-synchronised"}
    assert "not-synchronised" not in METRICS["chrony.leap"].good


async def test_stopped_chronyd_is_a_finding_and_invalid_output_a_failure() -> None:
    ran = await ChronyHost(ChronyGoneError("506 Cannot talk to daemon")).collector.collect()
    assert (ran.outcome, ran.detail) == (
        CollectorOutcome.NO_DATA,
        "chrony does not answer: 506 Cannot talk to daemon",
    )
    with pytest.raises(UnusableError, match="3 fields"):
        await ChronyHost("a,b,c").collector.collect()


@pytest.mark.parametrize("wrong", ["nan", "inf", "x"])
def test_non_numeric_values_are_refused(wrong: str) -> None:
    with pytest.raises(ChronyError):
        tracking(FOLLOWING.replace("0.000250000", wrong))
