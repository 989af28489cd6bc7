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
from django.db.models.functions import Coalesce, Concat
from django.db.models.lookups import Exact, IsNull

from backstay.core.model.progress import OPEN_HOLDS
from backstay.core.model.state import END_TO_END, PATH_STATES, PLACEMENTS
from backstay.inventory.models import Site
from backstay.inventory.state_sql import fact, state_case
from backstay.policy.models import Hold, Path, PolicyGateway
from backstay.policy.path_history import with_history
from backstay.policy.state_facts import end_to_end_facts

PathRows = QuerySet[Path]
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
    return searched(rows, text, "active_text") if text else rows


def searched(rows: PathRows, text: str, active: str) -> PathRows:
    """Those with `text` in the label, policy or gateway in use; `active`: column of its name."""
    texts = ("label", Value(" "), "policy__name", Value(" "), active)
    return rows.alias(searched=Concat(*texts, output_field=TextField())).filter(searched__icontains=text)


def gateways_of_path() -> QuerySet[PolicyGateway]:
    """Gateways of an outer path, with their `place` in the path's own order; NULL: not in it."""
    place = Func(
        OuterRef("order"), F("node_id"), function="array_position", output_field=IntegerField(null=True)
    )
    return PolicyGateway.objects.filter(policy=OuterRef("policy")).alias(place=place)


def home_gateway() -> Case:
    """Node id of a path's preferred gateway; NULL while a stripe has not assigned one."""
    first = gateways_of_path().order_by(F("place").asc(nulls_last=True), "order").values("node")[:1]
    return Case(
        When(_UNASSIGNED, then=None), default=Subquery(first), output_field=BigIntegerField(null=True)
    )


def _with_facts(rows: QuerySet[Path], site: Site, now: datetime) -> QuerySet[Path]:
    """With the facts of a path's states, as `PathState.facts` computes them for one path."""
    alive, forwards, gateways = _reported("alive"), _reported("forwards"), gateways_of_path()
    own = gateways.filter(IsNull(F("place"), False))
    others = gateways.exclude(node__name=OuterRef("active_text"))
    target_alive = ExpressionWrapper(OuterRef("target_alive"), output_field=BooleanField(null=True))
    dead = others.alias(alive=alive, forwards=forwards, is_target_alive=target_alive).filter(
        Q(alive="false") | Q(forwards="false", is_target_alive=True)
    )
    return rows.alias(
        home_id=home_gateway(),
        **end_to_end_facts(site, now),
        is_held=Exists(Hold.objects.filter(node=OuterRef("node"), state__in=OPEN_HOLDS)),
        # One comparison: each mention of `home_id` is a search of its own.
        is_home=Coalesce(Exact(F("home_id"), Coalesce("active_id", Value(0))), Value(True)),
        is_on_fallback=fact(~Q(active_text="") & Q(is_home=False)),
        # Gateways are looked up one by one only where the node reports a failure of any.
        has_dead_standby=Case(
            When(~_reports_failure(), then=Value(False)),
            When(Exists(own), then=Exists(dead.filter(place__isnull=False))),
            default=Exists(dead),
            output_field=BooleanField(),
        ),
    )


def _reports_failure() -> Q:
    """Whether a gateway does not answer the node or forwards nothing, of all that the node has reported."""
    failed = Func(
        F("liveness"),
        Value("$.* ? (@.alive == false || @.forwards == false)"),
        template="jsonb_path_exists(%(expressions)s::jsonpath)",
        output_field=BooleanField(),
    )
    return Q(Exact(failed, Value(True)))


def _reported(fact: str) -> Func:
    """A fact that the node reported of a policy's gateway: `true`, `false` or null."""
    return Func(
        OuterRef("liveness"),
        F("node__name"),
        Value(fact),
        function="jsonb_extract_path_text",
        output_field=CharField(null=True),
    )
