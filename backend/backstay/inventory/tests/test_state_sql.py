"""States computed by PostgreSQL equal those decided by Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from django.db.models import BooleanField, CharField, Value
from django.utils import timezone

from backstay.core.model.device_metric import METRIC_STATES
from backstay.core.model.state import (
    AGENT_STATES,
    CARRIERS,
    CLOCK_STATES,
    END_TO_END,
    GATEWAY_USES,
    LINK_CARRIERS,
    LINK_STATES,
    NODE_STATES,
    PATH_STATES,
    PLACEMENTS,
    PORT_STATES,
    REPORTINGS,
    STANDBYS,
    Facts,
    PortView,
    StateRule,
    decide,
    port_facts,
    port_state,
)
from backstay.core.tests.model.state_combinations import combinations
from backstay.inventory.models import Site
from backstay.inventory.state_sql import state_case


def in_sql(rules: Sequence[StateRule[Any]], facts: Facts) -> str:
    values = {
        name: Value(value, output_field=CharField() if isinstance(value, str) else BooleanField(null=True))
        for name, value in facts.items()
    }
    rows = Site.objects.alias(**values).annotate(found=state_case(rules))
    found: str = rows.values_list("found", flat=True).get()
    return found


@pytest.fixture
def one_row(db: None) -> None:
    Site.objects.create(name="a", title="a", interval_s=2, imported_at=timezone.now())


@pytest.mark.parametrize(
    "rules",
    [
        CARRIERS, PORT_STATES, LINK_CARRIERS, LINK_STATES, REPORTINGS, NODE_STATES, END_TO_END, PLACEMENTS,
        STANDBYS, PATH_STATES, GATEWAY_USES, AGENT_STATES, CLOCK_STATES, METRIC_STATES,
    ],
    ids=[
        "carrier", "port", "link carrier", "link", "reporting", "node", "end to end", "placement",
        "standby", "path", "gateway use", "agent", "clock", "metric",
    ],
)  # fmt: skip
def test_sql_and_python_agree_on_every_combination(one_row: None, rules: Sequence[StateRule[Any]]) -> None:
    for facts in combinations(rules):
        assert in_sql(rules, facts) == decide(rules, facts).state, facts


def test_single_port_has_the_same_state_as_in_a_list(one_row: None) -> None:
    now = timezone.now()
    for oper, admin, fresh, used in product(
        (True, False, None), (True, False, None), (True, False), (True, False)
    ):
        port = PortView("ga030", oper, admin, None, fresh, used)
        assert port_state(port, now).state == in_sql(PORT_STATES, port_facts(port)), port


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({"is_fresh": False, "oper_up": True, "admin_up": True}, "unknown"),
        ({"is_fresh": True, "oper_up": None, "admin_up": False}, "unknown"),
        ({"is_fresh": True, "oper_up": True, "admin_up": False}, "up"),
        ({"is_fresh": True, "oper_up": False, "admin_up": False}, "admin_down"),
        ({"is_fresh": True, "oper_up": False, "admin_up": True}, "down"),
    ],
)
def test_unknown_precedes_every_other_carrier(one_row: None, facts: Facts, state: str) -> None:
    assert decide(CARRIERS, facts).state == in_sql(CARRIERS, facts) == state
