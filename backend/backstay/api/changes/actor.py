"""The acting person of a request on changes, and a change as they see it."""

from datetime import datetime

from django.http import HttpRequest

from backstay.accounts.services import capped, role_at
from backstay.api.changes.present import ChangeNodes, detail_out
from backstay.api.changes.schemas import ChangeDetail
from backstay.api.http.auth import Lookup, WallboardScreen, principal, reader
from backstay.core.model.change import ENDED
from backstay.rollout.changes import node_progress, selectors
from backstay.rollout.changes.selectors import Actor, action_context

FIRST_NODES = 100
"""Nodes in a change's own answer."""
_whole_change = Lookup("change", selectors.change_detail)


def actor_at(request: HttpRequest, site: str) -> Actor:
    """The person with their role at the site."""
    who = principal(request)
    return Actor(who.user, capped(role_at(who.user, site), who.at_most))


def onlooker_at(request: HttpRequest, site: str) -> Actor:
    """As `actor_at`; a wallboard's screen is nobody and may do nothing."""
    who = reader(request)
    return Actor.nobody() if isinstance(who, WallboardScreen) else actor_at(request, site)


def detail(request: HttpRequest, change_id: int, now: datetime, *, plan: bool = True) -> ChangeDetail:
    """One change with its first nodes, and with or without its plan."""
    change = _whole_change(request, change_id)
    actor = actor_at(request, change.site.name)
    progress = node_progress.progress_of([change])[change.pk]
    found = selectors.newest_plan(change, document=plan)
    context = action_context(change, progress, found, actor, now, undo=True)
    failed = context.state in ENDED and context.state not in {"done", "superseded"}
    nodes = ChangeNodes(
        first=node_progress.first_nodes(change, progress, FIRST_NODES),
        progress=progress,
        restored=node_progress.restored(change) if failed else None,
    )
    return detail_out(change, nodes, found, context, now, with_plan=plan)
