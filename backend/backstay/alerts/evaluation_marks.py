"""Groups of rules that a round leaves out, because nothing that they depend on changed since they were
evaluated.

A mark states on which inputs all rules of a group were evaluated, in the transaction that reconciled their
incidents. Each round reads the inputs' versions and compares. It evaluates a group that has no mark, whose
inputs differ, an incident of which still moves by itself, or which was not evaluated for `SWEEP`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from backstay.alerts.models import EvaluationMark, Incident, SiteRule
from backstay.alerts.rule import Rule
from backstay.alerts.rules import RULES
from backstay.alerts.selectors.evaluation_inputs import InputGroup, is_settled
from backstay.alerts.selectors.site_snapshot import SiteSnapshot
from backstay.core.model.progress import Phase
from backstay.inventory.models import Site

SWEEP = timedelta(seconds=60)
"""Every rule is evaluated at least this often."""
SETTLES = timedelta(seconds=60)
"""Time after a change for which its effects may follow by time alone: longer than what the search for faults
waits for (`core.diagnosis.faults`, 45 s at most)."""


def group_of(rule: Rule) -> InputGroup | None:
    """The group of rules with the same inputs; None: evaluated in every round."""
    return "faults" if rule.reads_faults else "samples" if rule.reads_samples else None


def whole_group(rules: Iterable[SiteRule]) -> InputGroup | None:
    """The group of which these are all rules."""
    kinds = {rule.kind for rule in rules}
    groups = {group_of(RULES[kind]) for kind in kinds}
    group = groups.pop() if len(groups) == 1 else None
    return group if group is None or kinds == _members(group) else None


def _members(group: InputGroup) -> set[str]:
    return {kind for kind, rule in RULES.items() if group_of(rule) == group}


def leave_out(mark: EvaluationMark | None, inputs: bytes, present: Sequence[Incident], now: datetime) -> bool:
    """Whether a group may be left out; then its incidents are seen as if it had been evaluated. `present`:
    its unresolved incidents."""
    if mark is None or bytes(mark.inputs) != inputs:
        return False
    is_due = not mark.evaluated_at <= now < mark.evaluated_at + SWEEP
    if is_due or now < mark.settled_at or not all(map(_is_steady, present)):
        return False
    found = [row.pk for row in present if row.last_seen >= mark.seen_at]
    if found:  # The others were undecided.
        Incident.objects.filter(pk__in=found).update(last_seen=now)
        mark.seen_at = now
        mark.save(update_fields=["seen_at"])
    return True


def _is_steady(incident: Incident) -> bool:
    """Whether an incident, and what it says, stays as it is until the inputs change."""
    is_shown = incident.phase != Phase.PENDING and incident.quiet_since is None
    return is_shown and RULES[incident.rule.kind].is_steady


def find(site: Site, group: InputGroup) -> EvaluationMark | None:
    return EvaluationMark.objects.filter(site=site, group=group).first()


def store(
    mark: EvaluationMark | None,
    group: InputGroup,
    inputs: bytes,
    snapshot: SiteSnapshot,
    rules: Sequence[SiteRule],
) -> None:
    """Record that all rules of a group were evaluated; `mark`: the one before."""
    now = snapshot.now
    if is_settled(group, snapshot):
        settled_at = now
    elif mark is not None and bytes(mark.inputs) == inputs:
        settled_at = mark.settled_at
    else:
        settled_at = now + SETTLES + _longest_wait(snapshot, rules)
    values = {"inputs": inputs, "evaluated_at": now, "seen_at": now, "settled_at": settled_at}
    EvaluationMark.objects.update_or_create(site=snapshot.site, group=group, defaults=values)


def _longest_wait(snapshot: SiteSnapshot, rules: Sequence[SiteRule]) -> timedelta:
    """The largest `after_s` that applies to any object, of rules that wait without a pending finding."""
    found: list[Mapping[str, object]] = []
    for rule in rules:
        if not RULES[rule.kind].waits_unseen:
            continue
        overrides = snapshot.rule_overrides.get(rule.pk, ())
        found += [RULES[rule.kind].defaults, rule.parameters, *(item.parameters for item in overrides)]
    return timedelta(seconds=max((float(str(values.get("after_s", 0))) for values in found), default=0.0))


def forget(site: Site, rules: Collection[SiteRule]) -> None:
    """Rules are evaluated alone: the next round evaluates their whole groups."""
    groups = {group for rule in rules if (group := group_of(RULES[rule.kind])) is not None}
    if groups:
        EvaluationMark.objects.filter(site=site, group__in=groups).delete()
