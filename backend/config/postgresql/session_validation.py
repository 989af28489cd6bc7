"""`manage.py check --database default`: the sessions of PostgreSQL have the settings that the application expects.

Through PgBouncer they come from the role and from PgBouncer's own file, where nobody would notice a missing one.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning
from django.db.backends.base.validation import BaseDatabaseValidation

from config.database_options import SESSION

_VALUES = "SELECT name, setting FROM pg_settings WHERE name = ANY(%s)"


class SessionValidation(BaseDatabaseValidation):
    """Compares the session's settings with `SESSION` and with the limit of a statement."""

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """A warning for each setting that differs."""
        expected = dict(SESSION)
        if settings.DB_STATEMENT_S:
            expected["statement_timeout"] = str(settings.DB_STATEMENT_S * 1000)
        with self.connection.cursor() as cursor:
            cursor.execute(_VALUES, [list(expected)])
            found = dict(cursor.fetchall())
        return [
            Warning(f"{name} is {found.get(name)}, not {value}.", hint="See docs/hosts.md.", id="backstay.W001")
            for name, value in expected.items()
            if found.get(name) != value
        ]
