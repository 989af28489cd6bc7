"""`policies show|apply|export|preview`: one failover policy, and policies as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from backstay_cli import completion
from backstay_cli.commands.policy.spec_file import FAILOVER, apply_file, documents, merged, spec_of
from backstay_cli.formatting import as_yaml_text
from backstay_cli.output import as_json, heading, print_lines, show, table
from backstay_cli.resources import print_object
from backstay_cli.session import AsJson, Reason, Ticket, session
from backstay_cli.text import count, names, percent

Policy = Annotated[
    str,
    typer.Argument(
        metavar="POLICY", help="Name or number of the policy.", autocompletion=completion.policies
    ),
]
File = Annotated[
    Path,
    typer.Option("--file", "-f", metavar="FILE", help="Policies as YAML or JSON; - reads standard input."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the differences; store and plan nothing.")]
NoPlan = Annotated[bool, typer.Option("--no-plan", help="Store the policies without planning a change.")]


def show_policy(context: typer.Context, policy: Policy, json: AsJson = False) -> None:
    """Show one failover policy: members, gateways, detection, timers, deployment."""
    run = session(context)
    print_object(run.api.get(f"/failover-policies/{run.policy(policy).id}"), json=json)


def apply_policies(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    file: File,
    dry_run: DryRun = False,
    no_plan: NoPlan = False,
    reason: Reason = "",
    ticket: Ticket = "",
    json: AsJson = False,
) -> None:
    """Create or change the policies of a file, and plan the change that deploys them.

    No node is changed before somebody approves and applies the change. A second run changes nothing.
    Exit code 1: a failed check blocks the plan.
    """
    texts = {"reason": reason, "ticket": ticket}
    apply_file(session(context), FAILOVER, file, dry_run=dry_run, plan=not no_plan, json=json, texts=texts)


def export_policies(
    context: typer.Context,
    policies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[POLICY]...", help="Name or number; default: all.", autocompletion=completion.policies
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Print policies as a file for policies apply."""
    run = session(context)
    known: list[dict[str, Any]] = run.api.items("/failover-policies", site=run.one_site())["items"]
    chosen = {item.id for item in run.policies(policies)} if policies else {item["id"] for item in known}
    specs = [spec_of(FAILOVER, item) for item in known if item["id"] in chosen]
    if json:
        as_json(specs)
    else:
        print_lines(*"".join(map(as_yaml_text, specs)).splitlines())


def preview(context: typer.Context, file: File, json: AsJson = False) -> None:
    """Show which nodes the policies of a file match, and how a stripe divides them. Nothing is stored."""
    run = session(context)
    answers = []
    for document in documents(file):
        body = {"site": run.one_site(), **merged(FAILOVER, None, document)}
        group = {
            "site": body["site"],
            "nodes": body.get("nodes") or {},
            "gateways": body.get("gateways") or [],
        }
        answer = {"name": body.get("name"), "group": run.api.post("/failover-policies/group-preview", group)}
        if body.get("stripe"):
            answer["stripe"] = run.api.post("/failover-policies/stripe-preview", body)
        answers.append(answer)
    if json:
        as_json(answers)
        return
    for answer in answers:
        _print_preview(answer)


def _print_preview(answer: dict[str, Any]) -> None:
    group, stripe = answer["group"], answer.get("stripe")
    print_lines(heading(str(answer["name"] or "policy")))
    print_lines(f"{count(group['total'], 'node')}: {names(group['nodes'], 16) or 'none match'}")
    if group["not_managed_total"]:
        print_lines(f"Without an agent that manages routes: {names(group['not_managed'], 16)}")
    if stripe:
        rows = [(share["gateway"], str(len(share["nodes"]))) for share in stripe["shares"]]
        show(table(("gateway", "nodes"), rows))
        print_lines(f"Imbalance: {percent(stripe['imbalance']) or 'none'}")
