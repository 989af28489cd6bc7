"""The acting person of a request on changes, and a change as they see it."""

from datetime import datetime

from django.http import HttpRequest

from backstay.accounts.services import capped, role_at
from backstay.api.changes.present import detail_out
from backstay.api.changes.schemas import ChangeDetail
from backstay.api.http.auth import Lookup, WallboardScreen, principal, reader
from backstay.rollout.changes import selectors
from backstay.rollout.changes.selectors import Actor, action_context

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
    """One change whole, or without its plan."""
    change = _whole_change(request, change_id)
    actor = actor_at(request, change.site.name)
    members = list(change.applications.all())
    found = selectors.newest_plan(change, document=plan, assignments=not members)
    context = action_context(change, members, found, actor, now, undo=True)
    shown = members or selectors.planned_nodes(change, found)
    return detail_out(change, members, found, context, now, shown=shown, with_plan=plan)
