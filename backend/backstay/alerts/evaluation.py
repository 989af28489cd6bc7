"""From findings to incidents: evaluates the rules of one site and reconciles its incidents with the findings.

Idempotent: evaluating the same snapshot twice changes nothing the second time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from django.db import OperationalError
from django.db.models import Q
from psycopg import errors

from backstay.alerts import budget, evaluation_marks, failures, flapping, flips, incidents
from backstay.alerts.models import Incident, SiteRound, SiteRule
from backstay.alerts.rule import Finding, Present, RuleResult, Severity
from backstay.alerts.rule_settings import evaluate_with_overrides
from backstay.alerts.rules import OF_EVALUATION, RULES
from backstay.alerts.selectors.evaluation_inputs import InputGroup, digest_of
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.alerts.windows.coverage import NOTHING_COVERED, Concern, Coverage, coverage
from backstay.core.alerting.root_causes import (
    EFFECTS,
    Trouble,
    explain,
    group_severities,
    ready,
    remains,
)
from backstay.core.model.progress import Phase
from backstay.inventory.models import Node, Site
from backstay.live import publish
from backstay.rollout.selectors import is_changing

log = logging.getLogger(__name__)

TRANSACTION_S = 0.5
"""After this the site is released between two rules, so that a person or a batch need not wait."""
TRIGGERED_WAIT_S = 1.0
ROOT_CAUSES = "root_causes"
"""The part of an evaluation that follows the rules."""
UNRESOLVED = ~Q(phase=Phase.RESOLVED)
MIN_TOLERANCE = timedelta(seconds=60)
TOLERANCE_INTERVALS = 4
"""How much earlier than its root cause an effect may be noticed."""
LINKED_FOR = timedelta(seconds=60)  # longer than AFTERMATH, so that rounds see its end
"""Time after its resolution in which an incident may still get its root cause, or be one."""


def evaluate_rules(site: Site, kinds: Iterable[str], now: datetime) -> None:
    """Evaluate these kinds of rules at a site, in short transactions, then link root causes.

    All rules about faults read one snapshot in one transaction, so that they agree. Each rule has a savepoint
    and a time of its own: one that fails or takes too long is recorded, and left out until its `retry_at`.
    """
    known = failures.failing(site)
    left_out = {part for part, row in known.items() if row.retry_at > now}
    _run(site, now, _units(site, set(kinds) - left_out), known)


def evaluate_round(site: Site, now: datetime) -> list[str]:
    """Evaluate all rules of a site; the kinds for which no time was left.

    Those of the previous round begin; the rules about the evaluation itself come last and always.
    """
    known = failures.failing(site)
    left_out = {part for part, row in known.items() if row.retry_at > now}
    first = SiteRound.objects.filter(site=site).values_list("postponed", flat=True).first() or ()
    units = _units(site, RULES.keys() - left_out - OF_EVALUATION, first)
    postponed = _run(site, now, units, known, is_round=True)
    _run(site, now, _units(site, OF_EVALUATION), {})
    return postponed


def evaluate_triggered(site: Site, kinds: Iterable[str], now: datetime) -> None:
    """Evaluate rules after a batch, in the ingest: without those that fail, which only rounds try again.

    It waits only briefly for a site that is being evaluated; the next round sees the batch.
    """
    known = failures.failing(site)
    wanted = set(kinds) - known.keys()
    waiting = {kind for kind in wanted if RULES[kind].waits_for_changes}
    if waiting and is_changing(site):
        wanted -= waiting
    if not wanted:
        return
    try:
        _run(site, now, _units(site, wanted), known, TRIGGERED_WAIT_S)
    except OperationalError as problem:
        if not isinstance(problem.__cause__, errors.LockNotAvailable):
            raise
        log.info("site %s is being evaluated; the next round sees the batch", site.name)


def _run(
    site: Site,
    now: datetime,
    units: Sequence[list[SiteRule]],
    known: Mapping[str, object],
    wait_s: float = incidents.LOCK_WAIT_S,
    *,
    is_round: bool = False,
) -> list[str]:
    """Evaluate units while there is time; the kinds that are left.

    All rules share a snapshot, which reads nothing before the site is locked. A round leaves out groups of
    rules whose inputs did not change (`evaluation_marks`).
    """
    paused = coverage(site, now, "pauses_rules")
    progress = _Progress(site, budget.Stopwatch(budget.ROUND_S), known, is_round, paused)
    waiting, snapshot = list(units), SiteSnapshot(site, now)
    while waiting and progress.has_time():
        with incidents.exclusive(site, wait_s):
            held, is_released = budget.Stopwatch(TRANSACTION_S), False
            if progress.has_begun and any(RULES[unit[0].kind].reads_faults for unit in waiting):
                snapshot = SiteSnapshot(site, now)  # A batch may have evaluated a newer state meanwhile.
            progress.has_begun, present = True, _present(site, waiting)
            while waiting and not is_released and progress.has_time():
                if rest := _evaluate_unit(progress, waiting.pop(0), snapshot, present):
                    waiting.insert(0, rest)
                is_released = held.left <= 0  # At least one unit, however slow the reads are.
            if progress.has_moved:
                # In the same transaction: no page reads a root cause and its effects side by side.
                progress.attempt(ROOT_CAUSES, partial(link_causes, snapshot))
                progress.has_moved = ROOT_CAUSES in progress.failed
    if progress.has_moved or ROOT_CAUSES in known or _has_ended_lately(site, now):
        with incidents.exclusive(site, wait_s):
            progress.attempt(ROOT_CAUSES, partial(link_causes, snapshot))
    failures.record(site, now, progress.failed, progress.worked, known)
    return [rule.kind for unit in waiting for rule in unit]


@dataclass(slots=True)
class _Progress:
    """Of one evaluation of a site."""

    site: Site
    watch: budget.Stopwatch
    known: Mapping[str, object]
    """Parts that failed before."""
    is_round: bool
    paused: Coverage = NOTHING_COVERED
    """Objects in maintenance, about which no incident opens."""
    has_begun: bool = False
    has_moved: bool = False
    """Whether an incident opened, waits, was resolved, or affects other objects."""
    failed: dict[str, str] = field(default_factory=dict)
    """Part -> reason."""
    worked: list[str] = field(default_factory=list)

    def has_time(self) -> bool:
        return self.watch.left >= budget.RULE_S

    def attempt(self, part: str, work: Callable[[], object]) -> None:
        reason = failures.attempt(self.site, part, work, budget.RULE_S)
        if reason is None:
            self.worked.append(part)
        else:
            self.failed[part] = reason


def _present(site: Site, units: Sequence[list[SiteRule]]) -> dict[int, dict[str, Incident]]:
    """Rule id -> fingerprint -> unresolved incident; one query. A rule changes only its own incidents."""
    present: dict[int, dict[str, Incident]] = {rule.pk: {} for unit in units for rule in unit}
    rows = Incident.objects.filter(UNRESOLVED, site=site, rule__in=present).select_related("site", "rule")
    for incident in rows:
        present[incident.rule_id][incident.fingerprint] = incident
    return present


def _evaluate_unit(
    progress: _Progress,
    rules: list[SiteRule],
    snapshot: SiteSnapshot,
    present: Mapping[int, dict[str, Incident]],
) -> list[SiteRule]:
    """Evaluate rules on one snapshot, unless nothing changed for them; those for which no time was left."""
    site, group = progress.site, evaluation_marks.whole_group(rules) if progress.is_round else None
    mark = evaluation_marks.find(site, group) if group is not None else None
    inputs = None if group is None else _inputs(site, group, snapshot, rules)
    if inputs is not None and not progress.known.keys() & {rule.kind for rule in rules}:
        incidents_of = [row for rule in rules for row in present[rule.pk].values()]
        if evaluation_marks.leave_out(mark, inputs, incidents_of, snapshot.now):
            return []
    rest = _evaluate_rules(progress, rules, snapshot, present)
    if group is None or inputs is None or rest or progress.failed.keys() & {rule.kind for rule in rules}:
        evaluation_marks.forget(site, rules)
    else:
        evaluation_marks.store(mark, group, inputs, snapshot, rules)
    return rest


def _inputs(site: Site, group: InputGroup, snapshot: SiteSnapshot, rules: list[SiteRule]) -> bytes | None:
    """The digest of a group's inputs; None if they cannot be read: then the rules themselves fail."""
    found: list[bytes] = []
    failures.attempt(
        site, f"inputs of {group}", lambda: found.append(digest_of(group, snapshot, rules)), budget.RULE_S
    )
    return found[0] if found else None


def _evaluate_rules(
    progress: _Progress,
    rules: list[SiteRule],
    snapshot: SiteSnapshot,
    present: Mapping[int, dict[str, Incident]],
) -> list[SiteRule]:
    def evaluate(rule: SiteRule) -> None:
        progress.has_moved |= _evaluate(rule, snapshot, present[rule.pk], progress.paused)

    for done, rule in enumerate(rules):
        if not progress.has_time():
            return rules[done:]
        rule.site = progress.site
        progress.attempt(rule.kind, partial(evaluate, rule))
    return []


def _units(site: Site, kinds: Collection[str], first: Collection[str] = ()) -> list[list[SiteRule]]:
    """Rules that share their inputs, those about faults first; `first`: kinds that go before all others."""
    order = {kind: place for place, kind in enumerate(RULES)}
    rows = [rule for rule in SiteRule.objects.filter(site=site, kind__in=kinds) if rule.kind in RULES]
    known = sorted(rows, key=lambda rule: order[rule.kind])
    groups: dict[str, list[SiteRule]] = {}
    for rule in known:
        groups.setdefault(evaluation_marks.group_of(RULES[rule.kind]) or rule.kind, []).append(rule)
    units = sorted(groups.values(), key=lambda unit: not RULES[unit[0].kind].reads_faults)
    return sorted(units, key=lambda unit: not any(rule.kind in first for rule in unit))


def _evaluate(rule: SiteRule, snapshot: SiteSnapshot, present: Present, paused: Coverage) -> bool:
    """Whether an incident opened, waits, was resolved, or affects other objects."""
    result = evaluate_with_overrides(RULES[rule.kind], rule, snapshot, present)
    return _reconcile(rule, result, present, snapshot.now, paused)


def _reconcile(rule: SiteRule, result: RuleResult, present: Present, now: datetime, paused: Coverage) -> bool:
    new: list[incidents.NewFinding] = []
    followed: list[tuple[Incident, Finding]] = []
    for finding in result.findings:
        incident = present.get(finding.fingerprint)
        if incident is None or (incident.phase == Phase.PENDING and not finding.is_pending):
            new.append((incident, finding))
        else:
            followed.append((incident, finding))
    kept = {finding.fingerprint for finding in result.findings} | result.undecided
    gone = [incident for fingerprint, incident in present.items() if fingerprint not in kept]

    def is_paused(finding: Finding) -> bool:
        return rule.kind not in OF_EVALUATION and paused.covers(_concern(rule.kind, finding))

    has_opened = incidents.raise_all(rule, new, now, is_paused if paused else lambda _: False)
    has_returned = flapping.come_back_all(rule.site, followed)
    has_changed = incidents.follow_all(rule, followed, now)
    incidents.drop_all([incident for incident in gone if incident.phase == Phase.PENDING])
    shown = [incident for incident in gone if incident.phase != Phase.PENDING]
    over, has_quietened = flapping.hold_back(rule, shown, now)
    has_resolved = incidents.resolve_all(rule.site, over, now)
    return has_opened or has_resolved or has_changed or has_returned or has_quietened


def _concern(kind: str, finding: Finding) -> Concern:
    links = () if finding.fault is None else finding.fault.links
    return Concern(RULES[kind].cause_rank, finding.node_id, finding.link_id, finding.path_ids, links)


def link_causes(snapshot: SiteSnapshot) -> None:
    """Set the root cause of every unresolved incident, and the severity of each root cause.

    An incident that waits for its root cause opens together with its link to it, so that no page, event or
    notification has it as a root of its own. An effect that outlasts its root cause keeps it. One that was
    resolved before its root cause was found gets it afterwards: both are one group of events. What is left of
    a root cause that has just ended is not critical, because nobody can do more about it than wait.
    """
    rows = _linkable(snapshot)
    watchers = dict(
        Node.objects.filter(site=snapshot.site, watcher__isnull=False).values_list("pk", "watcher_id")
    )
    tolerance = max(MIN_TOLERANCE, timedelta(seconds=TOLERANCE_INTERVALS * snapshot.site.interval_s))
    paths = _paths([row.pk for row in rows])
    troubles = [_trouble(snapshot, row, paths) for row in rows]
    waiting = {row.pk: row.found_at or snapshot.now for row in rows if row.is_waiting}
    if waiting:
        due = ready(troubles, waiting, watchers, tolerance, snapshot.now)
        known = [trouble for trouble in troubles if trouble.id in due or trouble.id not in waiting]
        effects = {key for key, cause in explain(known, watchers, tolerance).items() if cause is not None}
        ready_rows = [row for row in rows if row.pk in due]
        shown = incidents.show_waiting(snapshot.site, ready_rows, snapshot.now, effects)
        if any(row.pk not in waiting for row in shown):  # Opened again: the rows are others.
            rows = _linkable(snapshot)
            paths = _paths([row.pk for row in rows])
            troubles = [_trouble(snapshot, row, paths) for row in rows]
        hidden = waiting.keys() - {row.pk for row in shown}
        rows = [row for row in rows if row.pk not in hidden]
        troubles = [trouble for trouble in troubles if trouble.id not in hidden]
    unresolved = {row.pk: row for row in rows if row.phase != Phase.RESOLVED}
    causes = _without_chains(rows, explain(troubles, watchers, tolerance), unresolved)
    lasting = {key: causes[key] for key in unresolved if causes[key] in unresolved}
    severities = group_severities(
        lasting, _own_severities(unresolved, remains(troubles, causes, snapshot.now))
    )
    moved = [row for row in rows if row.cause_id != causes[row.pk] and _is_moved(row, causes, unresolved)]
    changed = [row for key, row in unresolved.items() if row.severity != severities[key]]
    for row in moved:
        row.cause_id = causes[row.pk]
    for row in changed:
        row.severity = severities[row.pk]
    Incident.objects.bulk_update(moved, ["cause"], batch_size=incidents.BATCH)
    Incident.objects.bulk_update(changed, ["severity"], batch_size=incidents.BATCH)
    flapping.reopen_worse(snapshot.site, snapshot.now)
    if moved or changed:
        publish.changed(snapshot.site.name, flips.NOUNS)


def _linkable(snapshot: SiteSnapshot) -> list[Incident]:
    """Unresolved incidents, those that wait for their root cause, and those that were resolved lately."""
    lately = Q(phase=Phase.RESOLVED, resolved_at__gt=snapshot.now - LINKED_FOR)
    known = Incident.objects.filter(UNRESOLVED | lately, site=snapshot.site)
    known = known.exclude(phase=Phase.PENDING, is_waiting=False)
    return list(known.select_related("rule").order_by("pk"))


def _without_chains(
    rows: Sequence[Incident], causes: Mapping[int, int | None], unresolved: Collection[int]
) -> dict[int, int | None]:
    """The causes, where one that lasts as an effect of a root cause that has ended stands for that."""
    kept = {row.pk: row.cause_id for row in rows if row.cause_id and not _is_moved(row, causes, unresolved)}
    return {effect: cause if cause is None else kept.get(cause, cause) for effect, cause in causes.items()}


def _is_moved(row: Incident, causes: Mapping[int, int | None], unresolved: Collection[int]) -> bool:
    """Whether a row takes the cause that was found now: a resolved one only if it had none."""
    if row.phase == Phase.RESOLVED:
        return row.cause_id is None and causes[row.pk] is not None
    return causes[row.pk] is not None or row.cause_id in unresolved


def _own_severities(unresolved: Mapping[int, Incident], remaining: Collection[int]) -> dict[int, Severity]:
    return {
        key: "critical"
        if row.own_severity == "critical" and row.quiet_since is None and key not in remaining
        else "warning"
        for key, row in unresolved.items()
    }


def _has_ended_lately(site: Site, now: datetime) -> bool:
    """Whether the severity of an effect depends on how long ago its root cause ended."""
    return Incident.objects.filter(UNRESOLVED, site=site, cause__resolved_at__gt=now - LINKED_FOR).exists()


def _paths(rows: Collection[int]) -> dict[int, frozenset[int]]:
    """Incident id -> its paths; one query."""
    found: dict[int, set[int]] = {}
    known = Incident.paths.through.objects.filter(incident_id__in=rows) if rows else ()
    for item in known:
        found.setdefault(item.incident_id, set()).add(item.path_id)
    return {incident: frozenset(paths) for incident, paths in found.items()}


def _trouble(snapshot: SiteSnapshot, incident: Incident, paths: Mapping[int, frozenset[int]]) -> Trouble:
    """A cause covers every path that it ever broke: its effects may end a round later than they do in it."""
    rule = RULES[incident.rule.kind]
    scope, covers = rule.scope(snapshot, incident), rule.covers(snapshot, incident)
    mine = paths.get(incident.pk, frozenset())
    if rule.cause_rank in EFFECTS and mine:
        scope = replace(scope, paths=mine)
    elif rule.reads_faults:
        covers = replace(covers, paths=covers.paths | mine)
    return Trouble(
        id=incident.pk,
        name=f"{incident.fingerprint} {incident.pk}",
        rank=rule.cause_rank,
        since=incident.opened_at,
        scope=scope,
        covers=covers,
        until=incident.resolved_at or incident.quiet_since,
    )
