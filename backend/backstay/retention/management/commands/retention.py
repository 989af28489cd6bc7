"""`manage.py retention`: how long history is kept, and what the last runs removed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from backstay.core.formatting import count
from backstay.inventory.advisory_locks import LockClass, run_in_one_process
from backstay.retention import services
from backstay.retention.models import RetentionRun
from backstay.retention.selectors import TableState, table_states

OK, WARNING = 0, 1
LINE = "{:<26} {:<28} {:<17} {:>9} {:>11}  {}"
HEADINGS = ("Table", "Days", "Last run", "Removed", "In total", "State")


class Command(BaseCommand):
    """Prints one line per table and ends with 0, or with 1 if a table fails, is behind or was not run."""

    help = "Show the retention and the removed rows of each table. Exit code 1: a table fails or is behind."

    def add_arguments(self, parser: CommandParser) -> None:
        """--remove: do the work of the worker until nothing is left."""
        parser.add_argument("--remove", action="store_true", help="first remove all expired rows")

    def handle(self, *_: Any, remove: bool = False, **__: Any) -> None:
        """Print the table; the exit code by SystemExit."""
        if remove and not run_in_one_process(LockClass.RETENTION, self._remove_all, longest_s=None):
            self.stdout.write("A worker is removing rows now: try again in a moment.")
            raise SystemExit(WARNING)
        now = timezone.now()
        states = table_states()
        self.stdout.write(LINE.format(*HEADINGS))
        for state in states:
            self.stdout.write(_line(state, state.problem(now)))
        raise SystemExit(WARNING if any(state.problem(now) for state in states) else OK)

    def _remove_all(self) -> None:
        removed = 1
        while removed:
            removed = sum(services.remove_expired(timezone.now(), round_s=60.0, table_s=20.0).values())
            self.stdout.write(f"Removed {count(removed, 'row')}.")


def _line(state: TableState, problem: str) -> str:
    run = state.run or RetentionRun()
    own = "".join(f", {site}: {days}" for site, days in state.sites.items())
    at = "never" if state.run is None else f"{run.at:%Y-%m-%d %H:%M}Z"
    is_behind = "removing" if run.behind_since else "up to date"
    return LINE.format(
        state.table.model, f"{state.days}{own}", at, run.removed, run.removed_total, problem or is_behind
    )
