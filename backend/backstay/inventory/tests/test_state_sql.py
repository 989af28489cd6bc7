"""States computed by PostgreSQL equal those decided by Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from django.db.models import BooleanField, Value
from django.utils import timezone

from backstay.core.model.state import (
    AGENT_STATES,
    CLOCK_STATES,
    LINK_STATES,
    NODE_STATES,
    PATH_STATES,
    PORT_STATES,
    PortView,
    StateRule,
    decide,
    port_facts,
    port_state,
)
from backstay.inventory.models import Site
from backstay.inventory.state_sql import state_case


def in_sql(rules: Sequence[StateRule], facts: Mapping[str, bool | None]) -> str:
    values = {name: Value(value, output_field=BooleanField(null=True)) for name, value in facts.items()}
    rows = Site.objects.alias(**values).annotate(found=state_case(rules))
    found: str = rows.values_list("found", flat=True).get()
    return found


@pytest.fixture
def one_row(db: None) -> None:
    Site.objects.create(name="a", title="a", interval_s=2, imported_at=timezone.now())


@pytest.mark.parametrize(
    "rules",
    [NODE_STATES, PORT_STATES, LINK_STATES, PATH_STATES, AGENT_STATES, CLOCK_STATES],
    ids=["node", "port", "link", "path", "agent", "clock"],
)
def test_sql_and_python_agree_on_every_combination(one_row: None, rules: Sequence[StateRule]) -> None:
    names = sorted({name for rule in rules for name in rule.when})
    nullable = {name for rule in rules for name, value in rule.when.items() if value is None}
    values = [(True, False, None) if name in nullable else (True, False) for name in names]
    for combination in product(*values):
        facts = dict(zip(names, combination, strict=True))
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
        ({"is_fresh": False, "oper_up": True, "admin_up": True, "is_used": True}, "unknown"),
        ({"is_fresh": True, "oper_up": None, "admin_up": False, "is_used": True}, "unknown"),
        ({"is_fresh": True, "oper_up": True, "admin_up": False, "is_used": False}, "ok"),
        ({"is_fresh": True, "oper_up": False, "admin_up": False, "is_used": True}, "disabled"),
        ({"is_fresh": True, "oper_up": False, "admin_up": True, "is_used": False}, "disabled"),
        ({"is_fresh": True, "oper_up": False, "admin_up": True, "is_used": True}, "critical"),
    ],
)
def test_unknown_precedes_every_other_port_state(
    one_row: None, facts: Mapping[str, bool | None], state: str
) -> None:
    assert decide(PORT_STATES, facts).state == in_sql(PORT_STATES, facts) == state
