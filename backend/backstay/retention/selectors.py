"""State of retention: what applies, and what the last runs did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from backstay.core.retention import BY_NAME, RULES, Rule, Table
from backstay.inventory.models import Site
from backstay.retention.models import RetentionRun

LATE = timedelta(minutes=15)
"""Maximum age of a table's last run; with BEHIND, the limit for a warning."""
BEHIND = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TableState:
    """One table with the days that apply and its newest run."""

    rule: Rule
    table: Table
    days: int
    sites: Mapping[str, int]
    """Site -> its own days."""
    run: RetentionRun | None

    def problem(self, now: datetime) -> str:
        """What an operator has to look at; empty: nothing."""
        run = self.run
        if run is None or now - run.at > LATE:
            return "was not run for 15 min: is a worker running?"
        if run.failing_since is not None:
            return f"fails since {run.failing_since:%Y-%m-%d %H:%M}Z: {run.failure}"
        if run.behind_since is not None and now - run.behind_since > BEHIND:
            return f"is behind since {run.behind_since:%Y-%m-%d %H:%M}Z: run manage.py retention --remove"
        return ""


def table_states() -> list[TableState]:
    """All tables, in the order of the rules; two queries."""
    runs = {run.table: run for run in RetentionRun.objects.all()}
    sites = list(Site.objects.order_by("name").values_list("name", "retention"))
    return [
        TableState(
            rule=rule,
            table=table,
            days=settings.RETENTION_DAYS.get(rule.name, rule.days),
            sites={name: days[rule.name] for name, days in sites if rule.name in days},
            run=runs.get(table.model),
        )
        for rule in RULES
        for table in rule.tables
    ]


def days_at(site: Site, rule: str) -> int:
    """Days of a rule at a site: the site's own, the installation's, or the rule's."""
    usual = settings.RETENTION_DAYS.get(rule, BY_NAME[rule].days)
    return int(site.retention.get(rule, usual))
