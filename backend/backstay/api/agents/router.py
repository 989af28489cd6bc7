"""Agents: how they are heard, letting new ones in and shutting old ones out."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts import agents as services
from backstay.accounts.models import Agent, Role
from backstay.api.agents.present import agent_out
from backstay.api.agents.schemas import AgentOut, EnrolmentTokenIn, EnrolmentTokenOut
from backstay.api.http.auth import found, principal, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import ListQuery, Text, age_key
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import NotFound
from backstay.inventory.models import Node, Site
from backstay.live import publish

router = Router(tags=["agents"])
SORTS: dict[str, Callable[[AgentOut], Any]] = {
    "name": lambda agent: agent.name,
    "node": lambda agent: agent.node,
    "state": lambda agent: agent.state,
    "since": lambda agent: agent.since,
    "version": lambda agent: agent.version,
    "clock_offset": lambda agent: agent.clock_offset_s,
    "spool_dropped": lambda agent: agent.spool_dropped,
    "spool_waiting": lambda agent: agent.spool_waiting,
}


@router.get("/agents", response={200: Page[AgentOut], **READ}, operation_id="list_agents")
def list_agents(request: HttpRequest, query: Query[ListQuery]) -> Page[AgentOut]:
    """A site's agents, revoked ones included."""
    row = site_of(request, query.site)
    wanted = (query.q or "").casefold()
    rows = [agent for agent in Agent.objects.filter(site=row.name) if wanted in agent.node.casefold()]
    items = _out(row, rows)
    heard = {str(agent.pk): agent.last_reported_at for agent in rows}
    keys = {**SORTS, "age": lambda agent: age_key(heard[agent.id])}
    return query.page(items, keys, lambda item: item.id, "name")


@router.post("/agents/{id}/revoke", response={200: AgentOut, **WRITE}, operation_id="revoke_agent")
@idempotent
def revoke_agent(request: HttpRequest, id: Text) -> AgentOut:  # noqa: A002  (the path's own word)
    """Shut an agent out, within a minute and for good. Needs admin at its site."""
    agent = found(Agent.objects.filter(pk=_uuid(id)).first(), "agent")
    site = see(request, found(Site.objects.filter(name=agent.site).first(), "agent"), "agent")
    principal(request).require(site.name, Role.ADMIN)
    services.revoke(agent.pk, timezone.now())
    publish.changed(site.name, {"agents"})
    agent.refresh_from_db()
    return _out(site, [agent])[0]


@router.post(
    "/enrolment-tokens", response={201: EnrolmentTokenOut, **WRITE}, operation_id="create_enrolment_token"
)
@idempotent
def create_enrolment_token(request: HttpRequest, body: EnrolmentTokenIn) -> Status[EnrolmentTokenOut]:
    """A token that lets one agent enrol once for this node within 15 minutes. Needs admin at the site."""
    site = site_of(request, body.site)
    who = principal(request)
    who.require(site.name, Role.ADMIN)
    if not Node.objects.filter(site=site, name=body.node).exists():
        raise NotFound(f"{site.name} has no node {body.node!r}: names are those of the site file.")
    token, expires_at = services.create_enrolment_token(site.name, body.node, who.user, timezone.now())
    return Status(201, EnrolmentTokenOut(token=token, node=body.node, expires_at=expires_at))


def _uuid(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise NotFound("There is no such agent, or it was removed.") from None


def _out(site: Site, agents: list[Agent]) -> list[AgentOut]:
    watched: dict[UUID, list[Node]] = {}
    for node in Node.objects.filter(site=site, watcher__agent__in=agents).select_related("watcher"):
        assert node.watcher is not None
        assert node.watcher.agent_id is not None
        watched.setdefault(node.watcher.agent_id, []).append(node)
    now = timezone.now()
    return [agent_out(agent, watched.get(agent.pk, []), now, site.interval_s) for agent in agents]
