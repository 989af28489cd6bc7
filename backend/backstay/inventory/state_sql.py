"""The states of `core.model.state` as SQL expressions, for lists that PostgreSQL sorts and filters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import BooleanField, Case, CharField, IntegerField, Q, Value, When

from backstay.core.model.freshness import max_age_s
from backstay.core.model.state import WORST_FIRST, StateRule
from backstay.inventory.models import Site


def fact(condition: Q) -> Case:
    """A condition that is never NULL."""
    return Case(When(condition, then=Value(True)), default=Value(False), output_field=BooleanField())


def freshness(column: str, site: Site, now: datetime) -> Case:
    """Whether a value reported at the column's time is still fresh."""
    return fact(Q(**{f"{column}__gte": now - timedelta(seconds=max_age_s(site.interval_s))}))


def state_case(rules: Sequence[StateRule[Any]], prefix: str = "") -> Case:
    """A table of states as SQL, over annotations named like its facts, each with `prefix`."""
    *conditions, otherwise = rules
    whens = [When(_holds(rule, prefix), then=Value(rule.state)) for rule in conditions]
    return Case(*whens, default=Value(otherwise.state), output_field=CharField())


def state_text(rules: Sequence[StateRule[Any]]) -> str:
    """A table of states as an expression of a statement in SQL, over columns named like its facts."""
    *conditions, otherwise = rules
    whens = "".join(
        f" WHEN {' AND '.join(_comparison(*fact) for fact in rule.when.items())} THEN '{rule.state}'"
        for rule in conditions
    )
    return f"(CASE{whens} ELSE '{otherwise.state}' END)"


def _comparison(name: str, value: object) -> str:
    match value:
        case bool():
            return f"{name} IS {str(value).upper()}"
        case None:
            return f"{name} IS NULL"
        case _:
            return f"{name} = '{value}'"


def rank_case(rules: Sequence[StateRule[Any]], ranks: Mapping[Any, int] = WORST_FIRST) -> Case:
    """As `state_case`, for lists that are sorted by rank: by default the worst state first."""
    *conditions, otherwise = rules
    whens = [When(_holds(rule, ""), then=Value(ranks[rule.state])) for rule in conditions]
    return Case(*whens, default=Value(ranks[otherwise.state]), output_field=IntegerField())


def _holds(rule: StateRule[Any], prefix: str) -> Q:
    return Q(
        **{
            f"{prefix}{name}__isnull" if value is None else f"{prefix}{name}": True
            if value is None
            else value
            for name, value in rule.when.items()
        }
    )
