"""Which rows of a table are kept although they are old: open, current, or needed by others that are kept.

A condition is true for rows that may go. It receives the cutoff: rows whose age is before it have expired.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from math import inf

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    F,
    Func,
    Model,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)

from backstay.alerts.models import Incident
from backstay.core.model.change import ENDED
from backstay.core.model.progress import OPEN_HOLDS, OPEN_RUNS, Phase
from backstay.inventory.models import Node
from backstay.policy.models import Decision, PathOutage, PathSwitch
from backstay.rollout import models as rollout
from backstay.rollout.models import Application, Change, Drill, InputEdit, Intended, PlanRecord
from backstay.telemetry import partitions
from backstay.telemetry.models import Event, MetricLayout, MetricSet, NewestSample, PortLayout
from backstay.telemetry.rollups import partitions as rollup_partitions
from backstay.telemetry.states.metrics import MAX_LAYOUT_BYTES, MAX_LAYOUTS
from backstay.throughput.models import TestRun
from backstay.throughput.verdicts import PAST

Condition = Callable[[datetime], Q]
BRIEF = timedelta(days=2)
"""More than the resolution of `used_at`."""
ENDED_DRILLS = ("refused", "passed", "failed", "cancelled")


def _event(cutoff: datetime) -> Q:
    unresolved = Incident.objects.filter(~Q(phase=Phase.RESOLVED), pk=OuterRef("incident_id"))
    return Q(~Exists(unresolved))


def _incident(cutoff: datetime) -> Q:
    """Effects go before their cause and events before their incident: what is kept names no removed one."""
    effects = Incident.objects.filter(cause=OuterRef("pk"))
    events = Event.objects.filter(incident_id=OuterRef("pk"))
    return Q(phase=Phase.RESOLVED) & ~Exists(effects) & ~Exists(events)


def _input_edit(cutoff: datetime) -> Q:
    """An edit makes its writer an author until a later plan was carried out (`changes.selectors.authors`)."""
    later = PlanRecord.objects.filter(change__state="done", made_at__gt=OuterRef("at"))
    of_policy = Q(policy=None) | Exists(later.filter(change__policies=OuterRef("policy")))
    of_arp = Q(arp_policy=None) | Exists(later.filter(change__arp_policies=OuterRef("arp_policy")))
    return Q(Exists(later.filter(change__site=OuterRef("site")))) & of_policy & of_arp


def _change(cutoff: datetime) -> Q:
    """Ended, in force on no node, and no later undo depends on it.

    A node's confirmed changes form a stack (`changes.undo`). It is removed from the bottom only, so that the
    stack above any change that is kept stays whole.
    """
    needed = Application.objects.filter(change=OuterRef("pk"), state="confirmed").exclude(_replaced(cutoff))
    undone_by = Change.objects.filter(undoes=OuterRef("pk")).exclude(state__in=ENDED)
    plans = PlanRecord.objects.filter(change=OuterRef(OuterRef("pk")), made_at__gt=OuterRef("at"))
    edits = InputEdit.objects.filter(Exists(plans), site=OuterRef("site"))
    whole = Q(policy=None, arp_policy=None)
    of_policy = Q(policy__changes=OuterRef("pk")) | Q(arp_policy__changes=OuterRef("pk"))
    in_force = Intended.objects.filter(change=OuterRef("pk"))
    of_edits = ~Q(state="done") | Q(~Exists(edits.filter(whole | of_policy)))
    return Q(~Exists(in_force), ~Exists(undone_by), ~Exists(needed), state__in=ENDED) & of_edits


def _replaced(cutoff: datetime) -> Q:
    """Of a confirmed application: the oldest of its node, and not in force since the cutoff."""
    mine = Application.objects.filter(node=OuterRef("node"), state="confirmed")
    below = mine.filter(change__revision__lt=OuterRef("change__revision"))
    above = mine.filter(change__revision__gt=OuterRef("change__revision"), change__since__lt=cutoff)
    undo = Application.objects.filter(
        node=OuterRef("node"), state="confirmed", change__undoes=OuterRef("change")
    )
    lasting = above.exclude(change__kind="undo").exclude(Exists(undo))
    undone = above.filter(change__undoes=OuterRef("change"))
    is_undo = Q(change__kind="undo")
    is_replaced = Q(Exists(above), is_undo) | Q(Exists(lasting)) | Q(Exists(undone), ~is_undo)
    return Q(~Exists(below)) & is_replaced


def _newer(rows: QuerySet[Model], age: str, of: str) -> Exists:
    """Whether the same object has a newer row, by time and then by id."""
    later = Q(**{f"{age}__gt": OuterRef(age)}) | Q(**{age: OuterRef(age)}, pk__gt=OuterRef("pk"))
    return Exists(rows.filter(later, **{of: OuterRef(of)}))


def _outage(cutoff: datetime) -> Q:
    """Rows of an outage over restarts of its agent go from the last one on: `outages` joins those left."""
    rows = PathOutage.objects.all()
    continues = rows.filter(
        path=OuterRef("path"), start__gt=OuterRef("start"), earlier_start__lte=OuterRef("start")
    )
    return Q(_newer(rows, "start", "path"), ~Exists(continues))


def _drill(cutoff: datetime) -> Q:
    ended = Drill.objects.filter(state__in=ENDED_DRILLS)
    newer = ended.filter(policy=OuterRef("policy"), pk__gt=OuterRef("pk"))
    return Q(Exists(newer), state__in=ENDED_DRILLS)


def _test_run(cutoff: datetime) -> Q:
    """A plan's newest run stays, and the newest done ones, with which `verdicts` compares the next."""
    later = TestRun.objects.filter(plan=OuterRef("plan"), pk__gt=OuterRef("pk")).order_by("pk")
    compared = Q(pk__lt=Subquery(_done().values("pk")[PAST - 1 : PAST]))
    of_plan = Q(Exists(later)) & (~Q(state="done") | compared)
    return ~Q(state__in=OPEN_RUNS) & (Q(plan__removed_at__isnull=False) | of_plan)


def _done() -> QuerySet[TestRun]:
    return TestRun.objects.filter(plan=OuterRef("plan"), state="done").order_by("-pk")


def _port_layout(cutoff: datetime) -> Q:
    """No stored sample has it: the newest one is dropped with its day. Nor has a roll-up that is worth it."""
    newest = NewestSample.objects.filter(layout=OuterRef("pk"))
    return Q(~Exists(newest), used_at__lt=partitions.stored_from()) & _outside_roll_ups()


def _outside_roll_ups() -> Q:
    """No roll-up has the layout, or only one that is not worth it.

    A device whose ports change several times a day would fill the table within years, so that a layout of
    less than two days stays as long as 5-minute rows.
    """
    kept = rollup_partitions.kept_from()
    unused = Q(used_at__lt=_start(kept.values()))
    return unused | _brief(_start([kept.get("5m", inf)]))


def _brief(before: datetime) -> Q:
    return Q(used_at__lt=F("created_at") + BRIEF) & Q(used_at__lt=before)


def _start(starts: Collection[float]) -> datetime:
    """The first of these, Unix seconds; everything is before it if nothing is stored."""
    first = min(starts, default=inf)
    return datetime.max.replace(tzinfo=UTC) if first == inf else datetime.fromtimestamp(first, UTC)


def _metric_layout(cutoff: datetime) -> Q:
    """As of ports. A device whose metrics change all the time keeps brief ones only as long as samples."""
    newest = MetricSet.objects.filter(layout=OuterRef("pk"))
    size = _stored_size("metrics") + _stored_size("subjects")
    sizes = MetricLayout.objects.values("node").annotate(size=Sum(size), number=Count("pk"))
    crowded = sizes.filter(Q(size__gt=MAX_LAYOUT_BYTES // 4) | Q(number__gt=MAX_LAYOUTS // 4)).values("node")
    stored = partitions.stored_from()
    dispensable = _outside_roll_ups() | (_brief(stored) & Q(node__in=crowded))
    return Q(~Exists(newest), used_at__lt=stored) & dispensable


def _stored_size(column: str) -> Func:
    return Func(F(column), function="pg_column_size", output_field=BigIntegerField())


def _port(cutoff: datetime) -> Q:
    """Undeclared, without a link, and in no layout that samples may have.

    Roll-ups keep none: a device that invents names could fill the database.
    """
    newest = NewestSample.objects.filter(layout=OuterRef("pk"))
    of_samples = Q(used_at__gte=partitions.stored_from()) | Q(Exists(newest))
    layouts = PortLayout.objects.filter(of_samples, ports__contains=[OuterRef("pk")])
    return Q(~Exists(layouts), declared=False, link_as_a=None, link_as_b=None)


CONDITIONS: Mapping[str, Condition] = {
    "telemetry.Event": _event,
    "alerts.Incident": _incident,
    "rollout.InputEdit": _input_edit,
    "rollout.Change": _change,
    "policy.PathSwitch": lambda _: Q(_newer(PathSwitch.objects.all(), "at", "path")),
    "policy.PathOutage": _outage,
    "policy.Decision": lambda _: Q(_newer(Decision.objects.all(), "at", "path")),
    "rollout.Drill": _drill,
    "rollout.Move": lambda _: ~Q(state__in=rollout.OPEN) & Q(drill=None),
    "policy.Hold": lambda _: ~Q(state__in=OPEN_HOLDS),
    "throughput.TestRun": _test_run,
    "throughput.TestPlan": lambda _: Q(~Exists(TestRun.objects.filter(plan=OuterRef("pk")))),
    "telemetry.PortLayout": _port_layout,
    "telemetry.MetricLayout": _metric_layout,
    "inventory.Port": _port,
    "accounts.Agent": lambda _: Q(~Exists(Node.objects.filter(agent=OuterRef("pk")))),
    "accounts.SignInAttempts": lambda cutoff: Q(succeeded_at=None) | Q(succeeded_at__lt=cutoff),
}
"""By model; without one, age alone decides."""
