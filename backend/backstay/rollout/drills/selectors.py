"""Reads of drills."""

from __future__ import annotations

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest

from backstay.inventory.models import Site
from backstay.rollout.models import Drill, Move


def drills() -> QuerySet[Drill]:
    """With policy, site, author and the moves of each node."""
    return Drill.objects.select_related("policy__site", "author").prefetch_related("moves__path__node")


def drill(ident: int) -> Drill | None:
    return drills().filter(pk=ident).first()


def drills_of(
    site: Site, *, policy: str | None = None, state: str | None = None, text: str | None = None
) -> QuerySet[Drill]:
    """A site's drills; `text` looks into policies' names and reasons. Annotated for sorting."""
    measured = Move.objects.filter(drill=OuterRef("pk")).order_by().values("drill")
    worst = measured.annotate(worst=Greatest(Max("outage_out_ms"), Max("outage_back_ms")))
    rows = drills().filter(policy__site=site).annotate(worst_outage_ms=Subquery(worst.values("worst")))
    rows = rows.filter(policy__name=policy) if policy is not None else rows
    rows = rows.filter(state=state) if state is not None else rows
    return rows.filter(Q(policy__name__icontains=text) | Q(reason__icontains=text)) if text else rows
