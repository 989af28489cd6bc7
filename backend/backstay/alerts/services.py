"""Writes: rules of a site, evaluation after a batch and in rounds, and what people do with incidents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.db import connection, transaction
from django.db.models import F, QuerySet

from backstay.accounts.models import User
from backstay.accounts.services import role_at
from backstay.alerts import flips, incidents
from backstay.alerts.evaluation_triggers import evaluations
from backstay.alerts.flips import Transition
from backstay.alerts.incidents import Who
from backstay.alerts.models import Incident, Round, SiteRule
from backstay.alerts.rounds import run_site_round
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.incidents import Selection, selection
from backstay.alerts.selectors.listening_window import ROUND
from backstay.core.errors import Conflict, Invalid, Refused
from backstay.core.formatting import duration
from backstay.core.model.event_kinds import EventKind
from backstay.core.model.progress import Phase
from backstay.core.thresholds import ROUND_S
from backstay.inventory.models import Site
from backstay.telemetry.facts import Facts

DISPATCH = "dispatch"
"""Name of the row with the time at which the rounds were sent."""
_CLAIM = """
INSERT INTO alerts_round AS known (name, finished_at, took_ms) VALUES (%(name)s, clock_timestamp(), 0)
ON CONFLICT (name) DO UPDATE SET finished_at = EXCLUDED.finished_at
WHERE known.finished_at NOT BETWEEN EXCLUDED.finished_at - %(pause_s)s * interval '1 second'
    AND EXCLUDED.finished_at + %(pause_s)s * interval '1 second'
"""


def ensure_rules(site: Site) -> None:
    """Create the site's missing rules; changed thresholds stay."""
    SiteRule.objects.bulk_create(default_rules(SiteRule, site), ignore_conflicts=True)


def default_rules(model: type[SiteRule], site: Site) -> list[SiteRule]:
    """A row for every rule without overrides; `model` may be the one of a migration."""
    return [model(site=site, kind=rule.kind, enabled=rule.enabled) for rule in RULES.values()]


def on_facts(facts: Facts, *, waits: bool = True) -> None:
    """Evaluate the rules that a batch triggers, once it commits; `waits`: in the thread that commits.

    It runs outside the ingest transaction, so that a report never waits for an evaluation or is lost with
    it. If the evaluation fails, the next round repeats it. Batches that arrive while the site is being
    evaluated share one evaluation that follows.
    """
    kinds = [rule.kind for rule in RULES.values() if rule.triggers is not None and rule.triggers(facts)]
    if kinds:
        site_id = facts.site_id
        transaction.on_commit(lambda: evaluations.trigger(site_id, kinds, waits=waits), robust=True)


def claim_dispatch() -> bool:
    """Whether this process may send the rounds: nobody did within half of their interval.

    By PostgreSQL's clock. So each host may run a beat, and a host that is lost takes no rounds with it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, {"name": DISPATCH, "pause_s": ROUND_S / 2})
        return bool(cursor.rowcount)


def dispatched_sites(now: datetime) -> list[int]:
    """Ids of the sites in use, the longest without a round first.

    Records until when all of them were evaluated: a row that grows old means a site, or all, are not.
    """
    longest = F("round__finished_at").asc(nulls_first=True)
    rows = Site.objects.filter(archived_at=None).order_by(longest, "pk")
    sites = list(rows.values_list("pk", "round__finished_at"))
    finished_at = min((at for _, at in sites if at is not None), default=now)
    Round.objects.update_or_create(name=ROUND, defaults={"finished_at": finished_at, "took_ms": 0.0})
    return [site for site, _ in sites]


def run_round(now: datetime) -> None:
    """Run one round over every site in this process."""
    for site in Site.objects.filter(pk__in=dispatched_sites(now)).order_by("pk"):
        run_site_round(site, now)


def acknowledge(incident: Incident, user: User, comment: str, now: datetime) -> Incident:
    """Acknowledge an open incident; raises `Conflict` if it is no longer open."""
    with incidents.exclusive(incident.site):
        if not incidents.acknowledge(incident, user.get_username(), user.pk, comment, now):
            incident.refresh_from_db()
            raise Conflict(f"The incident is {incident.get_phase_display().lower()}, not open.")
    return incident


MAX_SNOOZE = timedelta(days=30)
MOST_AT_ONCE = 10_000
"""Incidents that one bulk action may change."""
BulkAction = Literal["acknowledge", "snooze", "assign"]
_CURRENT = (Phase.OPEN, Phase.ACKNOWLEDGED)


@dataclass(frozen=True, slots=True)
class Bulk:
    """What to do with many incidents; fields of other actions are not read."""

    action: BulkAction
    comment: str = ""
    until: datetime | None = None
    """Of a snooze; None ends it."""
    owner: User | None = None
    """None: nobody."""


def snooze(incident: Incident, user: User, until: datetime | None, comment: str, now: datetime) -> None:
    """Mute an unresolved incident until then; None: no longer. Raises `Conflict` or `Invalid`."""
    _check_snooze(until, now)
    bulk = Bulk("snooze", comment, until=until)
    _one(incident, lambda rows: _snooze_all(incident.site, rows, bulk, _who(user), now))


def assign(incident: Incident, user: User, owner: User | None, comment: str, now: datetime) -> None:
    """Give an unresolved incident an owner; None: nobody. Raises `Conflict` or `Invalid`."""
    _check_owner(incident.site, owner)
    bulk = Bulk("assign", comment, owner=owner)
    _one(incident, lambda rows: _assign_all(incident.site, rows, bulk, _who(user), now))


def add_comment(incident: Incident, user: User, text: str, now: datetime) -> None:
    """Store a comment; also about a resolved incident."""
    name = user.get_username()
    with incidents.exclusive(incident.site):
        incidents.store_comments([incident], (name, user.pk), text, now)
        written = Transition(incident, incident.phase, f"{name}: {text}", "ok", name, text)
        flips.report(incident.site, EventKind.INCIDENT_COMMENTED, [written], now)


def change_all(
    site: Site, chosen: QuerySet[Incident], seen: Selection, bulk: Bulk, *, user: User, now: datetime
) -> tuple[int, int]:
    """Do the same with exactly the incidents that a person saw; how many changed, and how many did not.

    `chosen`: the person's filters. Raises `Conflict` if they select others now; resolved incidents, and for
    an acknowledgement those that are not open, do not change.
    """
    if bulk.action == "snooze":
        _check_snooze(bulk.until, now)
    if bulk.action == "assign":
        _check_owner(site, bulk.owner)
    with incidents.exclusive(site):
        ids = list(chosen.order_by().prefetch_related(None).values_list("pk", flat=True))
        if selection(ids) != seen:
            raise Conflict(
                f"The list has changed: it has {len(ids)} incidents now, you saw {seen.count}."
                " Nothing was done; check the list and try again."
            )
        if len(ids) > MOST_AT_ONCE:
            raise Refused(f"At most {MOST_AT_ONCE} incidents at once: use more filters.")
        phases = (Phase.OPEN,) if bulk.action == "acknowledge" else _CURRENT
        rows = incidents.unresolved(site, ids, *phases)
        if bulk.action == "acknowledge":
            incidents.acknowledge_all(site, rows, _who(user), bulk.comment, now)
        elif bulk.action == "snooze":
            _snooze_all(site, rows, bulk, _who(user), now)
        else:
            _assign_all(site, rows, bulk, _who(user), now)
    return len(rows), len(ids) - len(rows)


def _one(incident: Incident, change: Callable[[Sequence[Incident]], object]) -> None:
    with incidents.exclusive(incident.site):
        rows = incidents.unresolved(incident.site, [incident.pk], *_CURRENT)
        if not rows:
            raise Conflict("The incident is resolved: nothing to change.")
        change(rows)


def _snooze_all(site: Site, rows: Sequence[Incident], bulk: Bulk, who: Who, now: datetime) -> None:
    until, known = bulk.until, Incident.objects.filter(pk__in=[row.pk for row in rows])
    if until is None:
        known.update(snoozed_until=None, snoozed_by=None)
        what = "ended the snooze"
    else:
        known.update(snoozed_until=until, snoozed_by_id=who[1], seen_severity=F("severity"))
        what = f"snoozed for {duration((until - now).total_seconds())}"
    _report(site, rows, EventKind.INCIDENT_SNOOZED, (who, what, bulk.comment), now)


def _assign_all(site: Site, rows: Sequence[Incident], bulk: Bulk, who: Who, now: datetime) -> None:
    owner = bulk.owner
    Incident.objects.filter(pk__in=[row.pk for row in rows]).update(owner=owner)
    what = "removed the owner" if owner is None else f"assigned to {owner.get_username()}"
    _report(site, rows, EventKind.INCIDENT_ASSIGNED, (who, what, bulk.comment), now)


def _report(
    site: Site, rows: Sequence[Incident], kind: EventKind, done: tuple[Who, str, str], now: datetime
) -> None:
    """An event and the comment, for each; `done`: by whom, what, and the comment."""
    who, what, comment = done
    note = f" ({comment})" if comment else ""
    flips.report(
        site,
        kind,
        [Transition(row, row.phase, f"{who[0]} {what}: {row.title}{note}", "ok", who[0]) for row in rows],
        now,
    )
    incidents.store_comments(rows, who, comment, now)


def _who(user: User) -> Who:
    return user.get_username(), user.pk


def _check_snooze(until: datetime | None, now: datetime) -> None:
    if until is not None and not now < until <= now + MAX_SNOOZE:
        expected = f"expected a time within {MAX_SNOOZE.days} days from now"
        raise Invalid(f"The incident cannot be snoozed: {expected}.", fields={"until": expected})


def _check_owner(site: Site, owner: User | None) -> None:
    if owner is not None and (not owner.is_active or role_at(owner, site.name) is None):
        expected = f"expected a user with a role at {site.name}"
        raise Invalid(f"The incident cannot be assigned: {expected}.", fields={"owner": expected})
