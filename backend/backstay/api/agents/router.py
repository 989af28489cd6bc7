"""Agents: their state, enrolment and revocation."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router, Status

from backstay.accounts import agents as services
from backstay.accounts import selectors
from backstay.api.agents.present import agent_out
from backstay.api.agents.schemas import AgentOut, EnrolmentTokenIn, EnrolmentTokenOut
from backstay.api.http.auth import found, require_admin, see, site_of
from backstay.api.http.idempotency import idempotent
from backstay.api.http.list_query import Column, ListQuery, Text
from backstay.api.http.schemas import READ, WRITE, Page
from backstay.core.errors import NotFound
from backstay.inventory import selectors as inventory
from backstay.live import publish

if TYPE_CHECKING:
    from backstay.accounts.models import Agent
    from backstay.inventory.models import Site

router = Router(tags=["agents"])
SORTS = {
    "name": Column("node", natural=True),
    "node": Column("node", natural=True),
    "state": Column("status"),
    "since": Column("enrolled_at"),
    "version": Column("version", natural=True),
    "clock_offset": Column("clock_offset_ms", nullable=True),
    "spool_dropped": Column("spool_dropped"),
    "reports_refused": Column("reports_refused"),
    "reports_sanitised": Column("reports_sanitised"),
    "spool_waiting": Column("spool_waiting"),
    "age": Column("last_reported_at", backwards=True, nullable=True),
}


@router.get("/agents", response={200: Page[AgentOut], **READ}, operation_id="list_agents")
def list_agents(request: HttpRequest, query: Query[ListQuery]) -> Page[AgentOut]:
    """A site's agents, including revoked ones."""
    site, now = site_of(request, query.site), timezone.now()
    shown, following = query.rows(inventory.agents(site, now, query.q), SORTS, "name")
    return Page(items=_agents_out(site, shown, now), next=following)


@router.post("/agents/{id}/revoke", response={200: AgentOut, **WRITE}, operation_id="revoke_agent")
@idempotent
def revoke_agent(request: HttpRequest, id: Text) -> AgentOut:  # noqa: A002  (the name in the path)
    """Revoke an agent's access; takes effect within a minute. Needs admin at its site."""
    agent = found(selectors.agent(id), "agent")
    site = see(request, found(inventory.site_named(agent.site), "agent"), "agent")
    require_admin(request, site)
    services.revoke(agent.pk, timezone.now())
    publish.changed(site.name, {"agents"})
    return _agents_out(site, [found(selectors.agent(id), "agent")], timezone.now())[0]


@router.post(
    "/enrolment-tokens", response={201: EnrolmentTokenOut, **WRITE}, operation_id="create_enrolment_token"
)
@idempotent
def create_enrolment_token(request: HttpRequest, body: EnrolmentTokenIn) -> Status[EnrolmentTokenOut]:
    """A one-time token, valid for 15 minutes, that enrols one agent on this node. Needs admin at the site."""
    site = site_of(request, body.site)
    person = require_admin(request, site)
    if not inventory.has_node(site, body.node):
        raise NotFound(f"{site.name} has no node {body.node!r}: names are those of the site file.")
    token, expires_at = services.create_enrolment_token(site.name, body.node, person, timezone.now())
    return Status(201, EnrolmentTokenOut(token=token, node=body.node, expires_at=expires_at))


def _agents_out(site: "Site", agents: "list[Agent]", now: datetime) -> list[AgentOut]:
    """Agents of one site with the nodes that they collect from."""
    collected = inventory.collected_nodes(site, agents)
    return [agent_out(agent, collected.get(agent.pk, []), now, site.interval_s) for agent in agents]
