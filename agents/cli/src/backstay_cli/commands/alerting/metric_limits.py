"""`limits`: limits on device metrics."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from backstay_cli.commands.alerting.rules import print_preview
from backstay_cli.errors import Usage
from backstay_cli.lookup import METRIC_LIMIT
from backstay_cli.models import MetricLimitOut, RulePreviewOut
from backstay_cli.output import as_json, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.resources import print_object
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import count, digits, length, seconds_of, shown

HEAD = ("name", "metric", "limit", "clears", "for", "severity", "applies to", "set by")
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the limit.")]
Metric = Annotated[
    str, typer.Argument(metavar="METRIC", help="Such as entity.temperature; see backstay metrics.")
]
Above = Annotated[float | None, typer.Option("--above", help="A value above it opens an incident.")]
Below = Annotated[float | None, typer.Option("--below", help="A value below it opens an incident.")]
Clear = Annotated[
    float | None, typer.Option("--clear", help="It resolves on the other side; default: the limit.")
]
ForTime = Annotated[str, typer.Option("--for", metavar="TIME", help="For so long, e.g. 1m.")]
Subject = Annotated[str, typer.Option("--subject", metavar="PATTERN", help="Ports or parts, e.g. temp*.")]
Role = Annotated[str, typer.Option("--role", help="Only nodes of this role.")]
Label = Annotated[list[str] | None, typer.Option("--label", metavar="NAME=VALUE", help="Only nodes with it.")]


def list_limits(context: typer.Context, json: AsJson = False) -> None:
    """List the limits on device metrics."""
    run = session(context)
    answer = run.api.items("/metric-limits", site=run.site)
    if json:
        as_json(answer)
        return
    known = read_all(MetricLimitOut, answer)
    if known:
        show(table(HEAD, [_row(item) for item in known]))
    print_lines(count(len(known), "metric limit"))


def _row(item: MetricLimitOut) -> tuple[Any, ...]:
    unit = f" {item.unit}" if item.unit else ""
    where = [item.subject, item.role, *(f"{name}={value}" for name, value in item.labels.items())]
    return (
        item.name,
        item.metric,
        f"{'above' if item.above else 'below'} {digits(item.raise_at)}{unit}",
        f"{digits(item.clear_at)}{unit}",
        length(item.for_s),
        state_label(item.severity, item.severity if item.enabled else "disabled"),
        ", ".join(part for part in where if part) or "all",
        "the site file" if item.origin == "file" else item.changed_by or "-",
    )


def set_limit(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    name: Name,
    metric: Metric,
    above: Above = None,
    below: Below = None,
    clear: Clear = None,
    for_time: ForTime = "1m",
    subject: Subject = "",
    role: Role = "",
    label: Label = None,
    severity: Annotated[str, typer.Option(help="warning or critical.")] = "warning",
    enabled: Annotated[bool, typer.Option("--enable/--disable", help="Whether it opens incidents.")] = True,
    preview: Annotated[
        bool,
        typer.Option("--preview", help="Show how often it would have opened an incident; store nothing."),
    ] = False,
    json: AsJson = False,
) -> None:
    """Create or replace a limit on a device metric. Of a counter it limits the growth per second."""
    if (above is None) == (below is None):
        raise Usage("Use either --above or --below.")
    run = session(context)
    raise_at = above if above is not None else below
    body = {
        "site": run.one_site(),
        "name": name,
        "metric": metric,
        "subject": subject,
        "role": role,
        "labels": dict(_label(text) for text in label or []),
        "above": above is not None,
        "raise_at": raise_at,
        "clear_at": raise_at if clear is None else clear,
        "for_s": seconds_of(for_time),
        "severity": severity,
        "enabled": enabled,
    }
    if preview:
        answer = run.api.post("/metric-limits/preview", body)
    else:
        known = _find(run, name)
        path = "/metric-limits" if known is None else f"/metric-limits/{known.id}"
        answer = run.api.post(path, body) if known is None else run.api.put(path, body)
    if json:
        as_json(answer)
    elif preview:
        print_preview(read(RulePreviewOut, answer))
    else:
        print_lines(f"{name}: stored")


def show_limit(context: typer.Context, name: Name, json: AsJson = False) -> None:
    """Show one limit with all its settings."""
    run = session(context)
    print_object(run.api.get(f"/metric-limits/{_known(run, name).id}"), json=json)


def remove_limit(context: typer.Context, name: Name) -> None:
    """Delete a limit; its incidents resolve."""
    run = session(context)
    run.api.delete(f"/metric-limits/{_known(run, name).id}")
    print_lines(f"{name}: deleted")


def _known(run: Session, name: str) -> MetricLimitOut:
    found = _find(run, name)
    if found is None:
        raise run.no_such(METRIC_LIMIT, name)
    return found


def _find(run: Session, name: str) -> MetricLimitOut | None:
    known = read_all(MetricLimitOut, run.api.items("/metric-limits", site=run.one_site(), q=name))
    return next((item for item in known if item.name == name), None)


def _label(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator:
        raise Usage(f"{shown(text)} is no label: write NAME=VALUE, such as rack=a1.")
    return name, value
