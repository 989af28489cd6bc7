"""`arp`: running ARP settings of fabrics, the address rule, and a change that deploys a fabric's policy."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli.commands.plans import propose, show_plan
from backstay_cli.commands.status import remind
from backstay_cli.errors import WRONG, Usage
from backstay_cli.lookup import FABRIC
from backstay_cli.models import ArpFabricOut, ArpRuleOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Reason, Session, Ticket, session
from backstay_cli.text import shown


def arp(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    fabric: Annotated[
        str | None, typer.Argument(metavar="[FABRIC]", help="Fabric to show; default: all.")
    ] = None,
    rule: Annotated[
        bool, typer.Option("--rule", help="Show each node's host part minus its switch node number.")
    ] = False,
    plan: Annotated[
        bool, typer.Option("--plan", help="Plan a change that deploys the fabric's policy.")
    ] = False,
    reason: Reason = "",
    ticket: Ticket = "",
    json: AsJson = False,
) -> None:
    """Show the ARP setting and policy of each fabric.

    Exit code 1: a fabric is mixed, the address rule is violated, or a check blocks the plan.
    """
    run = session(context)
    if (rule or plan) and fabric is None:
        raise Usage("Name the fabric: backstay arp sp-switch --rule")
    if rule and plan:
        raise Usage("Use either --rule or --plan, not both.")
    if rule:
        _rule(run, str(fabric), as_answer=json)
    elif plan:
        chosen = _policy(run, str(fabric))
        answer = propose(run, "arp", {"arp_policies": [chosen]}, reason=reason, ticket=ticket)
        show_plan(run, answer, as_answer=json)
    else:
        _fabrics(run, fabric, as_answer=json)


def list_fabrics(context: typer.Context, json: AsJson = False) -> None:
    """List the ARP setting and policy of each fabric.

    Exit code 1: a fabric is mixed.
    """
    _fabrics(session(context), None, as_answer=json)


def _known(run: Session, fabric: str | None) -> tuple[list[ArpFabricOut], object]:
    items = run.api.items("/arp-policies/fabrics", site=run.site)["items"]
    answer = [item for item in items if fabric is None or item.get("fabric") == fabric]
    if fabric is not None and not answer:
        raise run.no_such(FABRIC, fabric)
    return read_all(ArpFabricOut, {"items": answer}), answer


def _policy(run: Session, fabric: str) -> int:
    (known,), _ = _known(run, fabric)
    if known.policy is None:
        raise Usage(f"{shown(fabric)} has no ARP policy: create one with backstay arp apply -f FILE.")
    return known.policy.id


def _fabrics(run: Session, fabric: str | None, *, as_answer: bool) -> None:
    known, answer = _known(run, fabric)
    if as_answer:
        as_json(answer)
    else:
        rows = [
            (
                item.fabric,
                item.declared,
                "-" if item.policy is None else item.policy.mode,
                state_label(item.state, item.running),
                item.state_text,
                "" if item.policy is None else item.policy.state_text,
            )
            for item in known
        ]
        if rows:
            show(table(("fabric", "site file", "policy", "runs", "status", "policy status"), rows))
        else:
            print_lines("The site has no fabrics.")
        remind(run)
    if any(item.running == "mixed" for item in known):
        raise typer.Exit(WRONG)


def _rule(run: Session, fabric: str, *, as_answer: bool) -> None:
    answer = run.api.get("/arp-policies/rule", site=run.site, fabric=fabric)
    known = read(ArpRuleOut, answer)
    if as_answer:
        as_json(answer)
    else:
        rows = [
            (
                line.node,
                line.address or "-",
                _number(line.host_part),
                _number(line.switch_node_number),
                _number(line.difference),
                state_label("ok" if line.verdict == "obeys" else "critical", line.verdict.replace("_", " ")),
            )
            for line in known.lines
        ]
        if rows:
            heads = ("node", "address", "host part", "switch node number", "difference", "rule")
            show(table(heads, rows))
        print_lines(known.text)
        for line in known.lines:
            if line.verdict != "obeys":
                print_lines(line.text)
    if known.broken and known.applies:
        raise typer.Exit(WRONG)


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)
