"""Paths with their states, for lists: filtered and sorted in PostgreSQL."""

from __future__ import annotations

from datetime import datetime

from django.db.models import (
    BigIntegerField,
    BooleanField,
    Case,
    CharField,
    Exists,
    ExpressionWrapper,
    F,
    Func,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Concat

from backstay.core.model.progress import OPEN_HOLDS
from backstay.core.model.state import END_TO_END, PATH_STATES, PLACEMENTS
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, state_case
from backstay.policy.models import Hold, Path, PolicyGateway
from backstay.policy.path_history import with_history
from backstay.policy.state_facts import end_to_end_facts

_UNASSIGNED = Q(policy__stripe__isnull=False) & (Q(order__isnull=True) | Q(order=[]))
"""A stripe has not given the path its gateways."""


def paths(
    site: Site,
    now: datetime,
    *,
    policy: str | None = None,
    node: str | None = None,
    state: str | None = None,
    text: str | None = None,
) -> QuerySet[Path]:
    """Rows of `labelled_paths` with `status`, `end_to_end`, `placement`, and the fields of `PathHistory`."""
    rows = labelled_paths(site, policy=policy, node=node, text=text).select_related("policy", "node")
    rows = with_history(_with_facts(rows, site, now), site, now)
    rows = rows.annotate(end_to_end=state_case(END_TO_END), placement=state_case(PLACEMENTS))
    rows = rows.annotate(status=state_case(PATH_STATES))
    return rows if state is None else rows.filter(status=state)


def labelled_paths(
    site: Site, *, policy: str | None = None, node: str | None = None, text: str | None = None
) -> QuerySet[Path]:
    """A site's paths with `label`; `text` looks into labels, policies and active gateways."""
    label = Concat("node__name", Value(" to "), "policy__prefix")
    rows = Path.objects.filter(policy__site=site).annotate(label=label)
    rows = rows if policy is None else rows.filter(policy__name=policy)
    rows = rows if node is None else rows.filter(node__name=node)
    if text:
        texts = ("label", Value(" "), "policy__name", Value(" "), "active_text")
        rows = rows.alias(searched=Concat(*texts, output_field=TextField())).filter(searched__icontains=text)
    return rows


def _with_facts(rows: QuerySet[Path], site: Site, now: datetime) -> QuerySet[Path]:
    """With the facts of a path's states, as `PathState.facts` computes them for one path."""
    place = Func(
        OuterRef("order"), F("node_id"), function="array_position", output_field=IntegerField(null=True)
    )
    alive, forwards = _reported("alive"), _reported("forwards")
    gateways = PolicyGateway.objects.filter(policy=OuterRef("policy")).alias(place=place)
    own = gateways.filter(place__isnull=False)
    others = gateways.exclude(node__name=OuterRef("active_text"))
    target_alive = ExpressionWrapper(OuterRef("target_alive"), output_field=BooleanField(null=True))
    dead = others.alias(alive=alive, forwards=forwards, is_target_alive=target_alive).filter(
        Q(alive="false") | Q(forwards="false", is_target_alive=True)
    )
    first = gateways.order_by(F("place").asc(nulls_last=True), "order").values("node")[:1]
    return rows.alias(
        home_id=Case(
            When(_UNASSIGNED, then=None),
            default=Subquery(first),
            output_field=BigIntegerField(null=True),
        ),
        **end_to_end_facts(site, now),
        is_held=Exists(Hold.objects.filter(node=OuterRef("node"), state__in=OPEN_HOLDS)),
        is_on_fallback=fact(
            Q(home_id__isnull=False) & ~Q(active_text="") & (Q(active__isnull=True) | ~Q(active=F("home_id")))
        ),
        has_dead_standby=Case(
            When(Exists(own), then=Exists(dead.filter(place__isnull=False))),
            default=Exists(dead),
            output_field=BooleanField(),
        ),
    )


def _reported(fact: str) -> Func:
    """A fact that the node reported of a policy's gateway: `true`, `false` or null."""
    return Func(
        OuterRef("liveness"),
        F("node__name"),
        Value(fact),
        function="jsonb_extract_path_text",
        output_field=CharField(null=True),
    )
