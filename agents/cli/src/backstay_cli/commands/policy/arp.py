"""`arp policies|show|apply|delete|settings`: ARP policies of fabrics."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.commands.policy.failover import DryRun, File, NoPlan
from backstay_cli.commands.policy.spec_file import ARP, apply_file
from backstay_cli.errors import Usage
from backstay_cli.output import as_json, print_lines
from backstay_cli.resources import ListSpec, list_all, print_list, print_object
from backstay_cli.session import AsJson, Reason, Session, Ticket, session
from backstay_cli.text import shown

POLICIES = ListSpec(
    "/arp-policies",
    "ARP policy",
    ("fabric", "mode", "state", "managed", "confirmed", "outdated"),
    ("not_managed", "note", "id"),
    plural="ARP policies",
)
SETTINGS = ListSpec("/arp-policies/settings", "setting", ("name", "scope", "least", "greatest"))
Fabric = Annotated[str, typer.Argument(metavar="FABRIC", help="Fabric of the policy.")]


def list_policies(context: typer.Context, json: AsJson = False) -> None:
    """List ARP policies with their deployment."""
    list_all(session(context), POLICIES, json=json)


def show_policy(context: typer.Context, fabric: Fabric, json: AsJson = False) -> None:
    """Show the ARP policy of a fabric."""
    run = session(context)
    print_object(run.api.get(f"/arp-policies/{_ident(run, fabric)}"), json=json)


def apply_policies(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    file: File,
    dry_run: DryRun = False,
    no_plan: NoPlan = False,
    reason: Reason = "",
    ticket: Ticket = "",
    json: AsJson = False,
) -> None:
    """Create or change the ARP policies of a file, and plan the change that deploys them.

    A second run changes nothing. Exit code 1: a failed check blocks the plan.
    """
    texts = {"reason": reason, "ticket": ticket}
    apply_file(session(context), ARP, file, dry_run=dry_run, plan=not no_plan, json=json, texts=texts)


def delete_policy(context: typer.Context, fabric: Fabric) -> None:
    """Delete the ARP policy of a fabric; settings that were deployed stay as they are."""
    run = session(context)
    run.api.delete(f"/arp-policies/{_ident(run, fabric)}")
    print_lines(f"The ARP policy of {shown(fabric)} is deleted.")


def list_settings(context: typer.Context, json: AsJson = False) -> None:
    """List the settings that an ARP policy may have, with their bounds."""
    answer = session(context).api.get("/arp-policies/settings")
    if json:
        as_json(answer)
    else:
        print_list(SETTINGS, {"items": answer}, json=False)


def _ident(run: Session, fabric: str) -> int:
    known = run.api.items("/arp-policies", site=run.one_site())["items"]
    for item in known:
        if fabric in {item.get("fabric"), item.get("name"), str(item.get("id"))}:
            return int(item["id"])
    has = ", ".join(str(item.get("fabric")) for item in known) or "none yet"
    raise Usage(f"No ARP policy of a fabric named {shown(fabric)}; there are: {shown(has)}.")
