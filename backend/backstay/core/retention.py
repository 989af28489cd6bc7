"""How long history is kept: the only place that names the rules and the tables.

The deletion (`backstay.retention`), BACKSTAY_RETENTION, the site file's `retention` and docs/deploy.md follow
this table. Samples and what is dropped with their daily partitions have BACKSTAY_HOT_DAYS.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from backstay.core.rollups.levels import LEVELS, LevelName

MOST_DAYS = 36_500
SIGN_IN_DAYS = 30
"""An address from which a name signed in is known for so long (`accounts.sign_in`)."""
IDEMPOTENCY_DAYS = 1
"""A repeated POST gets the stored response for so long (`api.http.idempotency`)."""
LAYOUT_DAYS = 3
"""More than the day for which a process trusts its cache (`telemetry.ingest.layouts`), and the 12 h of the
resolution of `used_at`."""
Scope = Literal["site", "global", "fixed"]
"""Who may set the days: a site, only BACKSTAY_RETENTION, or nobody, because the program relies on them."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a rule: a row is removed once `age` is older than the rule's days.

    `retention.conditions` has further conditions. Rows that cascade from it go with it.
    """

    model: str
    """Django's label."""
    age: str
    """Column of the age, its own or that of a related row; rows in which it is NULL are kept."""
    site: str = ""
    """Lookup of the site; empty: rows have none."""
    batch: int = 1000
    """Most rows of one transaction; fewer if a row has many dependent rows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What one setting keeps, and for how many days."""

    name: str
    days: int
    text: str
    tables: tuple[Table, ...]
    scope: Scope = "site"
    least: int = 1
    """Fewest days that may be set."""


RULES = (
    Rule(
        "events",
        90,
        "events, except those of unresolved incidents",
        (Table("telemetry.Event", "at", "site"),),
    ),
    Rule(
        "incidents",
        400,
        "incidents since they were resolved, with transitions, comments and evidence; at least as long as"
        " their events and effects",
        (Table("alerts.Incident", "resolved_at", "site", batch=200),),
    ),
    Rule(
        "notifications",
        90,
        "messages about incidents with their deliveries",
        (Table("alerts.Notification", "created_at", "site", batch=200),),
    ),
    Rule(
        "changes",
        730,
        "changes since they ended or were replaced, with plans, waves, approvals and history; never those in"
        " force on a node or needed to undo one",
        (
            Table("rollout.InputEdit", "at", "site"),
            Table("rollout.Change", "since", "site", batch=20),
        ),
    ),
    Rule(
        "path_history",
        400,
        "switches, outages and gaps of paths, and failovers compared with their predictions; the newest"
        " switch and outage of each path stay",
        (
            Table("policy.PathSwitch", "at", "path__policy__site"),
            Table("policy.PathOutage", "end", "path__policy__site"),
            Table("policy.PathGap", "end", "path__policy__site"),
            Table("policy.PredictionCheck", "started_at", "site"),
        ),
        least=8,
    ),
    Rule(
        "decisions",
        90,
        "decisions of checkers; the newest of each path stays",
        (Table("policy.Decision", "at", "path__policy__site"),),
    ),
    Rule(
        "circuit_history",
        3650,
        "replaced and removed versions of circuits; those in force stay",
        (Table("inventory.CircuitVersion", "until", "site"),),
    ),
    Rule(
        "drills",
        400,
        "ended drills, moves and holds; the newest drill of each policy stays",
        (
            Table("rollout.Drill", "since", "policy__site", batch=20),
            Table("rollout.Move", "since", "path__policy__site"),
            Table("policy.Hold", "until", "node__site"),
        ),
    ),
    Rule(
        "test_runs",
        400,
        "throughput runs with cells and reports, and deleted plans without runs; the runs with which a plan's"
        " next one is compared stay",
        (
            Table("throughput.TestRun", "ended_at", "plan__site", batch=20),
            Table("throughput.TestPlan", "removed_at", "site", batch=100),
        ),
    ),
    Rule(
        "ports",
        30,
        "ports that the site file does not declare, since their device last reported them; never those with a"
        " link or stored samples",
        (Table("inventory.Port", "use__used_at", "node__site", batch=500),),
        least=3,
    ),
    Rule(
        "exports",
        7,
        "exports of history since they ended, with their files",
        (Table("telemetry.Export", "ended_at", "site", batch=100),),
    ),
    Rule(
        "recordings",
        30,
        "recordings of devices since they were asked for",
        (Table("telemetry.DeviceRecording", "asked_at", "node__site", batch=20),),
    ),
    Rule("sessions", 1, "sessions since they expired", (Table("sessions.Session", "expire_date"),), "global"),
    Rule(
        "tokens",
        90,
        "API tokens and enrolment tokens since they expired, wallboards since they were revoked",
        (
            Table("accounts.ApiToken", "expires_at"),
            Table("accounts.EnrolmentToken", "expires_at"),
            Table("alerts.Wallboard", "revoked_at"),
        ),
        "global",
    ),
    Rule(
        "agents",
        400,
        "agents since they were revoked",
        (Table("accounts.Agent", "revoked_at", batch=100),),
        "global",
    ),
    Rule(
        "layouts",
        LAYOUT_DAYS,
        "sets of ports and of metrics since their last report; at least as long as the samples and roll-ups"
        " that have them",
        (
            Table("telemetry.PortLayout", "used_at", batch=200),
            Table("telemetry.MetricLayout", "used_at", batch=50),
        ),
        "fixed",
    ),
    Rule(
        "sign_in_counters",
        SIGN_IN_DAYS,
        "counts of failed sign-ins; sign-ins remove the older ones that no success keeps",
        (Table("accounts.SignInAttempts", "ends_at"),),
        "fixed",
    ),
    Rule(
        "idempotency_keys",
        IDEMPOTENCY_DAYS,
        "responses to requests with an Idempotency-Key",
        (Table("api.KeptAnswer", "at"),),
        "fixed",
    ),
)
BY_NAME: Mapping[str, Rule] = {rule.name: rule for rule in RULES}

_PER_OBJECT = "a bounded number of rows for each object, removed with it"
_BY_PEOPLE = "written by people, one row for each object that they keep"
ELSEWHERE: Mapping[str, str] = {
    "telemetry.ReportLedger": "removed after BACKSTAY_HOT_DAYS by telemetry.tasks.maintain_partitions",
    "telemetry.NeighbourClash": "removed by telemetry.tasks.maintain_partitions once settled",
    "accounts.AgentNonce": "an agent's are removed when it renews its credential",
    "rollout.PendingNodeReport": "removed when the change processes them",
    "alerts.EvaluationFailure": "removed when the part works again",
    "alerts.EvaluationMark": "one row for each site and group of rules",
    "telemetry.Alarm": "removed when the device clears them or restarts; limited for each device",
    "telemetry.AlarmClearing": "removed once no report of before it is accepted; limited for each device",
    "telemetry_samples": "daily partitions, dropped after BACKSTAY_HOT_DAYS",
    "telemetry_metrichistory": "daily partitions, dropped after BACKSTAY_HOT_DAYS",
    "telemetry_neighbourpast": "daily partitions, dropped after BACKSTAY_HOT_DAYS",
    **{
        f"telemetry_rollup_{level.name}": f"{level.period}ly partitions, dropped after the longest days of a"
        " site (BACKSTAY_ROLLUP_DAYS); rows of sites with fewer days are removed by retention.levels"
        for level in LEVELS
    },
    "telemetry_rolluplate": "removed once the hour is rolled up again",
    "telemetry_metricrollup_5m": "monthly partitions, dropped with those of telemetry_rollup_5m",
    "telemetry_metricrollup_1h": "monthly partitions, dropped with those of telemetry_rollup_1h",
    "telemetry_metricrollup_1d": "yearly partitions, dropped with those of telemetry_rollup_1d",
    "telemetry_metricrolluplate": "removed once the hour is rolled up again",
    "telemetry_tablechange": "the rows of a table are summed up every 10 s",
    "telemetry_newest": "one row for each source of a device; removed with its day, or the device",
    "telemetry.ArchiveDay": "removed with its files after BACKSTAY_ARCHIVE_DAYS by telemetry.archive",
    "telemetry.ArchivePart": "removed with its file after the site's days by telemetry.archive",
    "telemetry.ArchiveState": "one row",
    "alerts.PushDevice": "at most 10 of each person, removed with the person",
    "alerts.PushKey": "one row",
    "policy.CapacityResult": "one row for each site",
    "telemetry.ForecastRun": "one row for each site",
    "policy.CapacityFailure": "replaced by the next study; limited for each site",
    "inventory.ImportRecord": "one row for each site",
    "inventory.FabricRateChange": "one row each time that a person imports another usable rate",
    "django_migrations": "one row for each migration",
}
"""Models and tables that something else removes, or that cannot grow."""
BOUNDED: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "auth.Permission",
            "auth.Group",
            "contenttypes.ContentType",
            "accounts.User",
            "accounts.RoleGrant",
            "accounts.SavedView",
            "inventory.Site",
            "inventory.Fabric",
            "inventory.Node",
            "inventory.Circuit",
            "inventory.SharedRisk",
            "policy.FailoverPolicy",
            "policy.PolicyGateway",
            "policy.ArpPolicy",
            "alerts.CalendarFeed",
            "alerts.Channel",
            "alerts.MaintenanceTarget",
            "alerts.MaintenanceWindow",
            "alerts.NotificationRoute",
            "alerts.Schedule",
        ),
        _BY_PEOPLE,
    ),
    **dict.fromkeys(
        (
            "inventory.Link",
            "telemetry.LinkForecast",
            "telemetry.NodeState",
            "telemetry.ClockState",
            "telemetry.PortState",
            "telemetry.RollupMark",
            "telemetry.MetricRollupMark",
            "telemetry.Route",
            "telemetry.Neighbour",
            "telemetry.NeighbourWatch",
            "telemetry.NeighbourQuota",
            "telemetry.DaemonState",
            "telemetry.RoutingState",
            "telemetry.HostNetwork",
            "telemetry.ArpState",
            "telemetry.MetricSet",
            "telemetry.AdjacencySet",
            "telemetry.Wiring",
            "telemetry.ReporterLease",
            "telemetry.CircuitEvidence",
            "telemetry.ExtensionEvidence",
            "telemetry.JudgedSite",
            "policy.Path",
            "policy.PathRoute",
            "policy.RouteInputs",
            "rollout.Fence",
            "rollout.Intended",
            "rollout.Drift",
            "rollout.NodeManagement",
            "throughput.SiteLock",
            "alerts.SiteRule",
            "alerts.RuleOverride",
            "alerts.MetricLimit",
            "alerts.SiteRound",
            "alerts.Round",
            "retention.RetentionRun",
        ),
        _PER_OBJECT,
    ),
}
"""Models that no rule removes, and why."""


LEVEL_RULES: Mapping[str, LevelName] = {f"rollup_{level.name}": level.name for level in LEVELS}
"""Name in a site's `retention` -> level of roll-ups; the defaults are BACKSTAY_ROLLUP_DAYS."""
ARCHIVE_RULE = "archive"
"""Name in a site's `retention` of days in the archive; 0: for ever; the default is BACKSTAY_ARCHIVE_DAYS."""


def rollup_days(own: Mapping[str, int], defaults: Mapping[str, int], hot_days: int) -> dict[LevelName, int]:
    """Days of each level at a site with these days of its own.

    A coarser level is kept for at least as long as a finer one, also if the defaults changed since the site's
    days were checked.
    """
    found: dict[LevelName, int] = {}
    least = hot_days + 2
    for rule, level in LEVEL_RULES.items():
        least = found[level] = max(own.get(rule, defaults[level]), least)
    return found


def checked_at_site(days: Mapping[str, int], defaults: Mapping[str, int], hot_days: int) -> dict[str, int]:
    """The days of a site file, if they may be set; ValueError with what is expected."""
    named = {ARCHIVE_RULE, *LEVEL_RULES}
    found = checked({name: number for name, number in days.items() if name not in named}, ("site",), named)
    own = {name: number for name, number in days.items() if name in named}
    if not 0 <= own.get(ARCHIVE_RULE, 0) <= MOST_DAYS:
        raise ValueError(f"0 (for ever) to {MOST_DAYS} days of {ARCHIVE_RULE}")
    levels = [own.get(rule, defaults[level]) for rule, level in LEVEL_RULES.items()]
    if own.keys() - {ARCHIVE_RULE} and not hot_days + 2 <= levels[0] <= levels[1] <= levels[2] <= MOST_DAYS:
        text = ", ".join(f"{rule}: {number}" for rule, number in zip(LEVEL_RULES, levels, strict=True))
        raise ValueError(
            f"{hot_days + 2} to {MOST_DAYS} days, and a coarser level for at least as long, instead of {text}"
        )
    return found | own


def parse(parts: Collection[str]) -> dict[str, int]:
    """Rule -> days, from `events=30`, for an installation; ValueError with what is expected."""
    found: dict[str, int] = {}
    for part in parts:
        name, _, days = part.partition("=")
        if not days.isascii() or not days.isdigit():
            raise ValueError(f"a rule and its days, such as events=30, instead of {part}")
        found[name] = int(days)
    return checked(found, ("site", "global"))


def checked(
    days: Mapping[str, int], scopes: tuple[Scope, ...], others: Collection[str] = ()
) -> dict[str, int]:
    """The same, if each rule may be set there and has enough days; ValueError with what is expected.

    `others`: further names, which the caller checks.
    """
    known = {rule.name: rule for rule in RULES if rule.scope in scopes}
    for name, number in days.items():
        if name not in known:
            raise ValueError(f"one of {', '.join([*known, *sorted(others)])} instead of {name}")
        if not known[name].least <= number <= MOST_DAYS:
            raise ValueError(f"{known[name].least} to {MOST_DAYS} days of {name}")
    return dict(days)
