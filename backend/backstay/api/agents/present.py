"""Agents: last report and collected nodes."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from backstay.api.agents.schemas import AgentOut
from backstay.core.formatting import duration
from backstay.core.model.freshness import is_fresh
from backstay.core.model.state import AGENT_STATES, StateText, decide, seconds

if TYPE_CHECKING:
    from backstay.accounts.models import Agent
    from backstay.inventory.models import Node


def agent_out(agent: Agent, watched: list[Node], now: datetime, interval_s: float) -> AgentOut:
    """An agent with the nodes that it collects."""
    status = agent_state(agent, now, interval_s)
    return AgentOut(
        id=str(agent.pk),
        name=agent.node,
        node=agent.node,
        state=status.state,
        state_text=status.text,
        since=agent.enrolled_at,
        age_s=seconds(now, agent.last_reported_at),
        version=agent.version,
        clock_offset_s=None if agent.clock_offset_ms is None else round(agent.clock_offset_ms / 1000, 3),
        spool_waiting=agent.spool_waiting,
        spool_dropped=agent.spool_dropped,
        reports_refused=agent.reports_refused,
        reports_sanitised=agent.reports_sanitised,
        sources=[_source(agent, node, kind) for node in watched for kind in _kinds(node)],
        revoked=agent.revoked_at is not None,
        url="/settings/agents",
    )


def agent_state(agent: Agent, now: datetime, interval_s: float) -> StateText:
    """Whether it reports, and whether it dropped reports."""
    fresh = is_fresh(agent.last_reported_at, now, interval_s)
    facts = {
        "is_revoked": agent.revoked_at is not None,
        "is_fresh": fresh,
        "has_dropped": agent.spool_dropped > 0,
    }
    return StateText(decide(AGENT_STATES, facts).state, _text(agent, now, fresh=fresh))


def _text(agent: Agent, now: datetime, *, fresh: bool) -> str:
    if agent.revoked_at is not None:
        return "revoked"
    if agent.last_reported_at is None:
        return "enrolled, no report yet"
    age = duration(round((now - agent.last_reported_at).total_seconds()))
    if not fresh:
        return f"not reporting for {age}"
    lost = f"; {agent.spool_dropped} reports lost since enrolment" if agent.spool_dropped else ""
    return f"last seen {age} ago{lost}"


def _kinds(node: Node) -> list[str]:
    return [str(source.get("kind", "?")) for source in node.sources]


def _source(agent: Agent, node: Node, kind: str) -> str:
    return kind if node.name == agent.node else f"{kind} {node.name}"
