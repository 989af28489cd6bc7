"""`agents list|enrol|revoke`: who reports to Backstay, and who may."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.errors import WRONG
from backstay_cli.lookup import AGENT
from backstay_cli.output import as_json, print_lines
from backstay_cli.resources import ListSpec, list_all
from backstay_cli.session import AsJson, Search, View, session
from backstay_cli.text import shown

AGENTS = ListSpec(
    "/agents",
    "agent",
    ("node", "state", "age_s", "version", "clock_offset_s", "spool_waiting"),
    ("spool_dropped", "reports_refused", "reports_sanitised", "sources", "revoked", "id"),
)
PROBLEMS = frozenset({"warning", "critical", "unknown"})


def list_agents(
    context: typer.Context, search: Search = None, view: View = None, json: AsJson = False
) -> None:
    """List the agents of a site: last contact, version, clock offset, reports that wait.

    Exit code 1: an agent is not reporting.
    """
    found = list_all(session(context), AGENTS, json=json, view=view, q=search)
    if any(item.get("state") in PROBLEMS and not item.get("revoked") for item in found):
        raise typer.Exit(WRONG)


def enrol(
    context: typer.Context,
    node: Annotated[
        str,
        typer.Argument(metavar="NODE", help="Node whose agent may enrol.", autocompletion=completion.nodes),
    ],
    json: AsJson = False,
) -> None:
    """Create a token with which the agent of a node enrols, once, within its time.

    The token is printed once. Hand it to the agent on the node: backstay-agent enrol.
    """
    run = session(context)
    run.node(node)
    answer = run.api.post("/enrolment-tokens", {"site": run.one_site(), "node": node})
    if json:
        as_json(answer)
        return
    print_lines(
        str(answer["token"]),
        f"Valid once for {shown(node)}, until {answer['expires_at']}. On the node:",
        f"BACKSTAY_TOKEN=TOKEN backstay-agent enrol --state /var/lib/backstay-agent --backend {run.api.url}",
    )


def revoke(
    context: typer.Context,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="Name or id of the agent.")],
    json: AsJson = False,
) -> None:
    """Revoke the access of an agent: it cannot report or fetch changes any more."""
    run = session(context)
    known = run.api.items("/agents", site=run.site)["items"]
    found = [item for item in known if agent in {item.get("id"), item.get("name"), item.get("node")}]
    found = [item for item in found if not item.get("revoked")] or found
    if not found:
        raise run.no_such(AGENT, agent)
    answer = run.api.post(f"/agents/{found[0]['id']}/revoke")
    if json:
        as_json(answer)
    else:
        print_lines(
            f"{answer['node']}: access revoked. To let it report again: backstay agents enrol {agent}"
        )
