"""Paths as they were at a past moment, for lists: decided, filtered and sorted in PostgreSQL.

Policies and the order of their gateways are those of today. The gateway in use follows from the switches,
and whether the target answered from the outages. History does not keep whether a standby could take over:
only an incident that was open says that one could not.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    DateTimeField,
    Exists,
    F,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from backstay.alerts.models import Incident
from backstay.alerts.selectors.incidents import SHOWN, unresolved_at
from backstay.core.diagnosis.faults.fault import FaultKind
from backstay.core.model.outage import OutageMeasure
from backstay.core.model.state import PAST_END_TO_END, PATH_STATES, PLACEMENTS
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, state_case
from backstay.policy.holds import was_held
from backstay.policy.models import Hold, PathGap, PathOutage, PathSwitch, PolicyGateway
from backstay.policy.path_history import reports_hold_until, with_history
from backstay.policy.path_states import PathRows, home_gateway, labelled_paths, searched

DEAD_STANDBY = (FaultKind.STANDBY_DEAD, "redundancy_lost")
"""Rules about paths whose standby could not take over."""


def labelled_paths_at(
    site: Site,
    at: datetime,
    *,
    policy: str | None = None,
    node: str | None = None,
    text: str | None = None,
) -> PathRows:
    """As `labelled_paths`, with `active_then`: the name of the gateway in use at the moment; empty: none."""
    later = PathSwitch.objects.filter(path=OuterRef("pk"), at__gt=at).order_by("at", "pk")
    before = Subquery(later.values("from_gateway")[:1])
    rows = labelled_paths(site, policy=policy, node=node)
    rows = rows.annotate(active_then=Coalesce(before, F("active_text"), output_field=CharField()))
    return searched(rows, text, "active_then") if text else rows


def paths_at(
    site: Site,
    at: datetime,
    present: datetime,
    *,
    policy: str | None = None,
    node: str | None = None,
    state: str | None = None,
    text: str | None = None,
) -> PathRows:
    """Rows of `labelled_paths_at` with the annotations of `path_states.paths`, as of `at`.

    `since_then`, `target_then` and `dead_since` are the columns of a path as they were: since when it used
    the gateway, whether its target answered, and since when it did not; NULL: not kept.
    """
    rows = labelled_paths_at(site, at, policy=policy, node=node, text=text).select_related("policy", "node")
    rows = _with_outages(_with_known(rows, site, at, present), at)
    rows = with_history(_with_placement(rows, at), site, at, past_since="since_then")
    rows = rows.annotate(end_to_end=state_case(PAST_END_TO_END), placement=state_case(PLACEMENTS))
    rows = rows.annotate(status=state_case(PATH_STATES))
    return rows if state is None else rows.filter(status=state)


def _with_known(rows: PathRows, site: Site, at: datetime, present: datetime) -> PathRows:
    """Whether the node reported the path at the moment, and since when it used the gateway."""
    switches = PathSwitch.objects.filter(path=OuterRef("pk"), at__lte=at).order_by("-at", "-pk")
    gaps = PathGap.objects.filter(path=OuterRef("pk"), start__lt=at, end__gt=at)
    unchanged = Case(When(since__lte=at, then="since"), output_field=DateTimeField(null=True))
    rows = rows.alias(known_until=reports_hold_until(site, present))
    return rows.annotate(
        since_then=Coalesce(Subquery(switches.values("at")[:1]), unchanged),
        is_known=fact(Q(~Exists(gaps), observed_from__lte=at, known_until__gte=at)),
        has_route=fact(~Q(active_then="")),
    )


def _with_outages(rows: PathRows, at: datetime) -> PathRows:
    """Whether the target answered: it did outside outages, while its probes measured these."""
    outages = PathOutage.objects.filter(path=OuterRef("pk"))
    lasting = outages.filter(Q(end=None) | Q(end__gt=at), start__lte=at).order_by("-start", "-pk")
    probed = outages.filter(Q(start__gt=at) | Q(end__lte=at), measured_by=OutageMeasure.PROBES)
    rows = rows.annotate(
        has_target=fact(Q(policy__target__isnull=False, target_since__isnull=False)),
        dead_since=Subquery(lasting.values(whole=Coalesce("earlier_start", "start"))[:1]),
    )
    return rows.annotate(
        target_then=Case(
            When(has_target=False, then=None),
            When(Exists(lasting.exclude(measured_by=OutageMeasure.ROUTE)), then=Value(False)),
            When(target_since__lte=at, then="target_alive"),
            When(Exists(probed), then=Value(True)),
            output_field=BooleanField(null=True),
        ),
    )


def _with_placement(rows: PathRows, at: datetime) -> PathRows:
    """With the facts of `PLACEMENTS` and `PATH_STATES`."""
    home = PolicyGateway.objects.filter(policy=OuterRef("policy"), node=OuterRef("home_id"))
    standby = Incident.objects.filter(
        SHOWN, unresolved_at(at), rule__kind__in=DEAD_STANDBY, paths=OuterRef("pk")
    )
    rows = rows.alias(home_id=home_gateway()).alias(home_name=Subquery(home.values("node__name")))
    return rows.alias(
        is_held=Exists(Hold.objects.filter(was_held(at), node=OuterRef("node"))),
        is_on_fallback=fact(Q(home_id__isnull=False, has_route=True) & ~Q(active_then=F("home_name"))),
        has_dead_standby=Exists(standby),
        gateway_alive=Value(None, output_field=BooleanField(null=True)),
    )
