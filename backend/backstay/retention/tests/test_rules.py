"""The rules name every table that grows; documents and settings follow them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.apps import apps
from django.db import connection, models

from backstay.core import retention
from backstay.core.retention import BOUNDED, ELSEWHERE, RULES, Rule, Table
from backstay.retention.conditions import CONDITIONS
from backstay.retention.services import model_of

DOCS = Path(__file__).parents[4] / "docs"
TABLES = [(rule, table) for rule in RULES for table in rule.tables]
EVERY_TABLE = pytest.mark.parametrize(("rule", "table"), TABLES, ids=[table.model for _, table in TABLES])


def removed_with(removed: set[str]) -> set[str]:
    """Labels of the models whose rows go with those of the rules' tables."""
    found = set(removed)
    while True:
        more = {
            model._meta.label
            for model in apps.get_models(include_auto_created=True)
            for field in model._meta.get_fields()
            if isinstance(field, models.ForeignKey)
            and not field.null
            and field.remote_field.on_delete is models.CASCADE
            and field.remote_field.model._meta.label in found
        }
        if more <= found:
            return found
        found |= more


def test_every_model_has_a_rule_or_a_reason_to_be_kept() -> None:
    listed = removed_with({table.model for _, table in TABLES}) | BOUNDED.keys() | ELSEWHERE.keys()
    known = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.auto_created
    }
    assert known - listed == set(), "add a rule to core/retention.py, or a reason to BOUNDED or ELSEWHERE"
    unknown = {label for label in (*BOUNDED, *ELSEWHERE) if "." in label} - known
    assert unknown == set(), "no such model"


def test_every_table_without_a_model_has_a_reason(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            " AND relkind IN ('r', 'p') AND NOT relispartition"
        )
        tables = {row[0] for row in cursor.fetchall()}
    modelled = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert tables - modelled - ELSEWHERE.keys() == set()


@EVERY_TABLE
def test_an_index_finds_expired_rows(rule: Rule, table: Table) -> None:
    model: type[models.Model] = model_of(table)
    *related, age = table.age.split("__")
    for name in related:
        model = model._meta.get_field(name).related_model  # type: ignore[assignment]
    leading = [[field.lstrip("-") for field in index.fields] for index in model._meta.indexes]
    leading += [[field.name] for field in model._meta.concrete_fields if getattr(field, "db_index", False)]
    site = table.site if "__" not in table.site else ""
    assert any(fields[0] == age or fields[:2] == [site, age] for fields in leading), leading


@EVERY_TABLE
def test_rules_are_consistent(rule: Rule, table: Table) -> None:
    assert rule.least <= rule.days <= retention.MOST_DAYS
    assert bool(table.site) == (rule.scope == "site")
    assert 1 <= table.batch <= 1000


def test_every_condition_belongs_to_a_table() -> None:
    assert CONDITIONS.keys() <= {table.model for _, table in TABLES}


def test_the_manual_has_every_rule_with_its_days() -> None:
    text = (DOCS / "deploy.md").read_text()
    for rule in RULES:
        assert f"| `{rule.name}` | {rule.days} |" in text


def test_days_are_parsed() -> None:
    assert retention.parse(["events=30", "sessions=7"]) == {"events": 30, "sessions": 7}
    assert retention.parse([]) == {}


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("evens=30", "one of events, .* instead of evens"),
        ("events", "a rule and its days"),
        ("events=-1", "a rule and its days"),
        ("events=0", "1 to 36500 days of events"),
        ("path_history=7", "8 to 36500 days of path_history"),
        ("sign_in_counters=1", "one of events, .* instead of sign_in_counters"),
    ],
)
def test_days_that_cannot_apply_are_refused(part: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        retention.parse([part])
