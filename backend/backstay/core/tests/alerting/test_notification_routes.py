"""Matching of notification routes."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from backstay.core.alerting.notification_routes import IncidentFacts, Matchers, RouteRule, matching_routes
from backstay.core.alerting.weekly_times import WeeklyTime

MONDAY = datetime(2026, 6, 1, 10, tzinfo=UTC)
CUT = IncidentFacts(
    "critical",
    "port_down",
    frozenset({"gateway"}),
    frozenset({"hippi", "atm"}),
    frozenset({("rack", "r1"), ("row", "2")}),
)
WORK = (WeeklyTime(frozenset(range(5)), time(8), time(18)),)


@pytest.mark.parametrize(
    ("matchers", "is_accepted"),
    [
        (Matchers(), True),
        (Matchers(severities=frozenset({"critical"})), True),
        (Matchers(severities=frozenset({"warning"})), False),
        (Matchers(kinds=frozenset({"clock", "port_down"})), True),
        (Matchers(kinds=frozenset({"clock"})), False),
        (Matchers(roles=frozenset({"compute"})), False),
        (Matchers(fabrics=frozenset({"atm"})), True),
        (Matchers(labels={"rack": "r1"}), True),
        (Matchers(labels={"rack": "r1", "row": "3"}), False),
        (Matchers(severities=frozenset({"critical"}), roles=frozenset({"compute"})), False),
        (Matchers(times=WORK), True),
        (Matchers(times=WORK, zone="Asia/Tokyo"), False),  # It is seven in the evening there.
    ],
)
def test_all_given_fields_must_match(matchers: Matchers, is_accepted: bool) -> None:
    assert matchers.accept(CUT, MONDAY) is is_accepted


def test_first_match_ends_the_search_unless_it_continues() -> None:
    rest = [RouteRule(3, Matchers()), RouteRule(4, Matchers())]
    other = RouteRule(1, Matchers(kinds=frozenset({"clock"})))
    assert matching_routes([other, RouteRule(2, Matchers(), continues=True), *rest], CUT, MONDAY) == [2, 3]
    assert matching_routes([other, RouteRule(2, Matchers()), *rest], CUT, MONDAY) == [2]
    assert matching_routes([other], CUT, MONDAY) == []
