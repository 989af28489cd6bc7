"""Options of connections to PostgreSQL, directly or through PgBouncer in transaction mode.

Behind PgBouncer (`is_pooled`), each transaction may run on another of the server's sessions. So the client
sets nothing of a session: PgBouncer refuses the startup parameter `options`, and a prepared statement would
be missing in the next transaction. Instead, the role (deploy/roles.sql) and the databases of PgBouncer
(deploy/hosts/pgbouncer.ini) set what `options` sets on a direct connection; `manage.py check --database
default` compares.
"""

from __future__ import annotations

from typing import Any

SESSION = {
    # Statements are written for one plan; planning them anew for each batch costs more than running them.
    "plan_cache_mode": "force_generic_plan",
    # No statement here runs long enough to be worth compiling, whatever the planner's estimate says.
    "jit": "off",
}
"""Settings of every session of the application."""
STANDBY_S = 40
"""Of one statement on the standby, where those of the primary have no limit: it ends with the standby."""


def database_options(host: str, *, is_pooled: bool, is_per_thread: bool, statement_s: int) -> dict[str, Any]:
    """OPTIONS of a database. `statement_s`: seconds of one statement; 0: no limit.

    `host`: several, separated by commas, are tried in turn until one accepts writes.
    """
    options: dict[str, Any] = {
        "connect_timeout": 3,
        # A little more than the server's own limit: that one leaves the connection usable.
        "reply_s": statement_s and statement_s + 2,
        # Only psycopg's own cursors (telemetry.store) prepare; Django's never do. None: not even if asked to.
        "prepare_threshold": None if is_pooled else 5,
    }
    if not is_per_thread:
        options["pool"] = {"min_size": 1, "max_size": 16, "timeout": 10}
    if not is_pooled:
        settings = SESSION | {"statement_timeout": f"{statement_s}s"}
        options["options"] = " ".join(f"-c {name}={value}" for name, value in settings.items())
    if "," in host:
        options["finds_primary"] = True
    return options


def standby_options(host: str, *, is_pooled: bool, statement_s: int) -> dict[str, Any]:
    """OPTIONS of the standby for reads; the parameters are those of `database_options`.

    `host`: of several, separated by commas, the first that is a standby. Every wait is short, because the
    primary answers instead.
    """
    options = database_options(
        "", is_pooled=is_pooled, is_per_thread=False, statement_s=statement_s or STANDBY_S
    )
    # No idle connection: an unreachable standby would be called again and again.
    options["pool"] = {"min_size": 0, "max_size": 16, "timeout": 1.0}
    options["connect_timeout"] = 2  # The least that libpq takes.
    if "," in host:
        options["target_session_attrs"] = "standby"
    return options
