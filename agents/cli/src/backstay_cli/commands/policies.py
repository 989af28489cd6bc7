"""`policies`: intended policies, and the outage time of each by day or month."""

from __future__ import annotations

from typing import Annotated

import typer

from backstay_cli import completion
from backstay_cli.commands.status import remind
from backstay_cli.errors import Usage
from backstay_cli.models import OutageTotalOut, PolicyOut, PolicyOutagesOut
from backstay_cli.output import as_json, print_lines, show, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import count, length, names, shown

BY = ("day", "month")


def policies(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    what: Annotated[
        str | None, typer.Argument(metavar="[outages", help="Show the outage time of a policy.")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Argument(
            metavar="POLICY]", help="Name or number of the policy.", autocompletion=completion.policies
        ),
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="PERIOD", help="With outages: period, day or month; default: day.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="With outages: start time, e.g. now-7d.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show failover policies, or the outage time of one.

    `policies outages POLICY` shows the outage time of a policy per day or month, in UTC.
    """
    run = session(context)
    if what is None:
        if by is not None or since is not None:
            raise Usage("--by and --since need a policy: backstay policies outages POLICY --by day")
        _list(run, as_answer=json)
        return
    if what != "outages" or policy is None:
        raise Usage("Write backstay policies, or backstay policies outages POLICY.")
    if by not in {None, *BY}:
        raise Usage(f"{shown(str(by))} is not a period: write --by day or --by month.")
    _outages(run, policy, by or "day", since, as_answer=json)


def _list(run: Session, *, as_answer: bool) -> None:
    answer = run.api.items("/failover-policies", site=run.site)
    known = read_all(PolicyOut, answer)
    if as_answer:
        as_json(answer)
        return
    rows = [
        (
            str(item.id),
            item.name,
            item.prefix,
            ", then ".join(item.gateways) if len(item.gateways) < 4 else names(item.gateways),
            names(item.nodes, 6),
            item.detection,
            item.origin,
            item.progress.text,
        )
        for item in known
    ]
    if rows:
        show(table(("id", "name", "prefix", "gateways", "nodes", "detection", "origin", "deployed"), rows))
    print_lines(count(len(known), "failover policy").replace("policys", "policies"))
    remind(run)


def _outages(run: Session, policy: str, by: str, since: str | None, *, as_answer: bool) -> None:
    found = run.policy(policy)
    answer = run.api.get(f"/failover-policies/{found.id}/outages", by=by, start=since)
    if as_answer:
        as_json(answer)
        return
    totals = read(PolicyOutagesOut, answer)
    show(table((f"{by} (UTC)", "outage time", "outages", "worst node", "observed"), map(_row, totals.items)))
    print_lines(f"{shown(found.name)}: {totals.text}, sum over its paths")


def _row(total: OutageTotalOut) -> tuple[str, ...]:
    observed = length(total.observed_s) if total.observed_s else "-"
    return f"{total.start:%Y-%m-%d}", total.text, str(total.outages), total.worst_text or "-", observed
