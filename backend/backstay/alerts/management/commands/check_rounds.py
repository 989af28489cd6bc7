"""`manage.py check_rounds`: whether the rules of every site are evaluated, for cron, systemd and monitoring.

It needs neither Celery nor Redis nor the web process. Exit codes are those of monitoring plug-ins.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.db import Error
from django.utils import timezone

from backstay.alerts.selectors.listening_window import MAX_PAUSE_S
from backstay.alerts.selectors.rounds import evaluations, failing_parts, ingest_age_s
from backstay.core.formatting import duration

OK, WARNING, CRITICAL = 0, 1, 2


class Command(BaseCommand):
    """Prints one line per problem and ends with 0 (none), 1 (a rule fails) or 2 (nothing is evaluated)."""

    help = "Check that the rules of every site are evaluated. Exit code 1: a rule fails; 2: not evaluated."
    requires_system_checks = []

    def handle(self, *_: Any, **__: Any) -> None:
        """Print the state; the exit code by SystemExit."""
        try:
            code, lines = _state()
        except Error as problem:
            code, lines = CRITICAL, [f"The database does not answer: {problem}".strip()]
        for line in lines or ["The rules of every site are evaluated."]:
            self.stdout.write(line)
        raise SystemExit(code)


def _state() -> tuple[int, list[str]]:
    now = timezone.now()
    lines = [
        f"{item.site.name}: the rules were last evaluated {duration(item.age_s)} ago"
        for item in evaluations(now)
        if item.is_late
    ]
    age_s = ingest_age_s(now)
    if age_s is not None and age_s > MAX_PAUSE_S:
        lines.append(f"ingest: the last heartbeat was {duration(age_s)} ago; agents cannot report")
    code = CRITICAL if lines else OK
    failing = [
        f"{site}: {row.part} fails since {duration((now - row.since).total_seconds())}: {row.text}"
        for site, rows in failing_parts().items()
        for row in rows
    ]
    return (code or (WARNING if failing else OK)), [*lines, *failing]
