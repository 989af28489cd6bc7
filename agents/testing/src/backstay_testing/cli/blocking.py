"""An answer of the hold-time planner, computed by the API itself from two gateways."""

from __future__ import annotations

from backstay.api.blocking.present import PlannerInput, model_out
from backstay.api.blocking.schemas import HippiModel, HippiModelQuery
from backstay.core.diagnosis.blocking import GatewayGrowth
from backstay.telemetry.selectors.blocking import GatewayMeasurement, HippiMeasurements, Traffic
from backstay_testing.cli.fake_server import AT


def hold_time_model(rate_pps: float | None = None) -> HippiModel:
    """`hsg-sdsc` waits 20 ms per packet; `hsg-cit` has reported its hold time only."""
    grown = GatewayGrowth(60, clock=6e6, src_busy=3e6, delivered=1200, given_up=300)
    measured = GatewayMeasurement(21, "hsg-sdsc", grown, 500, Traffic(20, 65_536))
    unknown = GatewayMeasurement(22, "hsg-cit", None, 0, None)
    query = HippiModelQuery(rate_pps=rate_pps)
    return model_out(
        PlannerInput("casa", AT, 60, query, None, HippiMeasurements([unknown, measured], []), [])
    )
