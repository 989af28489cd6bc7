"""`rules`: alert rules of a site, their overrides for parts of it, previews, and what applies to a port."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from rich.text import Text

from backstay_cli.errors import Usage
from backstay_cli.models import (
    EffectiveRuleOut,
    RuleFileOut,
    RuleOut,
    RuleOverrideOut,
    RulePreviewOut,
    UnmeasuredOut,
)
from backstay_cli.output import as_json, heading, print_lines, show, state_label, table
from backstay_cli.reading import read, read_all
from backstay_cli.session import AsJson, Session, session
from backstay_cli.text import count, digits, percent, shown

HEAD = ("rule", "title", "enabled", "severity", "parameters", "overrides", "open")
Kind = Annotated[
    str, typer.Argument(metavar="RULE", help="Name of the rule, as backstay rules list shows it.")
]
OfFabric = Annotated[str | None, typer.Option("--fabric", help="Only for this fabric.")]
OfRole = Annotated[str | None, typer.Option("--role", help="Only for nodes of this role.")]
OfLabel = Annotated[str | None, typer.Option("--label", metavar="NAME=VALUE", help="Only for nodes with it.")]
OfPort = Annotated[str | None, typer.Option("--port", metavar="NODE:PORT", help="Only for this port.")]
Values = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME=NUMBER]...", help="Parameters, such as raise_at=0.8.")
]
Enabled = Annotated[bool | None, typer.Option("--enable/--disable", help="Whether it opens incidents.")]
SeverityOption = Annotated[
    str | None,
    typer.Option("--severity", metavar="SEVERITY", help="Of all its incidents: warning or critical."),
]


def list_rules(
    context: typer.Context,
    group: Annotated[str | None, typer.Option(help="Only this group: load, errors, paths, ...")] = None,
    json: AsJson = False,
) -> None:
    """List the alert rules with their settings at the site."""
    run = session(context)
    answer = run.api.items("/rules", site=run.site, group=group)
    if json:
        as_json(answer)
        return
    rules = read_all(RuleOut, answer)
    for title in dict.fromkeys(rule.group_title for rule in rules):
        show(table(HEAD, [_row(rule) for rule in rules if rule.group_title == title], title=title))
        print_lines("")


def _row(rule: RuleOut) -> Sequence[str | Text]:
    values = ", ".join(f"{item.name}={_value(item.value, item.unit)}" for item in rule.parameters)
    return (
        rule.kind,
        rule.name,
        "yes" if rule.enabled else "no",
        state_label(rule.severity),
        values or "-",
        str(rule.overrides or "-"),
        str(rule.open_incidents or "-"),
    )


def _value(value: float | bool | str, unit: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    return percent(value) if unit == "share" else f"{digits(value)}{f' {unit}' if unit else ''}"


def show_rule(context: typer.Context, kind: Kind, json: AsJson = False) -> None:
    """Show one rule: its parameters with bounds, and its overrides, the most specific first."""
    run = session(context)
    answer = run.api.get(f"/rules/{_path(kind)}", site=run.site)
    if json:
        as_json(answer)
        return
    rule = read(RuleOut, answer)
    overrides = read_all(RuleOverrideOut, run.api.items(f"/rules/{_path(kind)}/overrides", site=run.site))
    print_lines(heading(f"{rule.name} ({rule.kind})"), rule.summary)
    state = "enabled" if rule.enabled else "disabled"
    print_lines(
        f"{state}, {rule.severity}; {count(rule.open_incidents, 'open incident')}. Runbook: {rule.runbook}"
    )
    if rule.parameters:
        rows = [
            (
                item.name,
                _value(item.value, item.unit),
                _value(item.default, item.unit),
                f"{digits(item.minimum)} to {digits(item.maximum)}",
                item.help,
            )
            for item in rule.parameters
        ]
        show(table(("parameter", "at the site", "default", "bounds", "meaning"), rows))
    if overrides:
        print_lines("", heading("Overrides"))
        show(table(("for", "settings", "set by"), [_override_row(item) for item in overrides]))


def _override_row(item: RuleOverrideOut) -> Sequence[str]:
    parts = [] if item.enabled is None else ["enabled" if item.enabled else "disabled"]
    parts += [item.severity] if item.severity else []
    parts += [f"{name}={digits(value)}" for name, value in item.parameters.items()]
    return item.name, ", ".join(parts), "the site file" if item.origin == "file" else item.changed_by or "-"


def set_rule(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Kind,
    values: Values = None,
    fabric: OfFabric = None,
    role: OfRole = None,
    label: OfLabel = None,
    port: OfPort = None,
    enabled: Enabled = None,
    severity: SeverityOption = None,
    json: AsJson = False,
) -> None:
    """Change a rule for the site, or for one fabric, role, label or port. Other settings stay.

    The most specific setting wins: port, label, role, fabric, site.
    """
    run = session(context)
    scope, match = _scope(fabric, role, label, port)
    body = _merged(run, kind, (scope, match), _settings(values or [], enabled, severity))
    if scope == "site":
        answer = run.api.put(f"/rules/{_path(kind)}", body)
    else:
        answer = run.api.post(f"/rules/{_path(kind)}/overrides", body | {"scope": scope, "match": match})
    if json:
        as_json(answer)
    else:
        print_lines(f"{kind}: changed for {'the site' if scope == 'site' else f'{scope} {match}'}")


def reset_rule(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Kind,
    fabric: OfFabric = None,
    role: OfRole = None,
    label: OfLabel = None,
    port: OfPort = None,
) -> None:
    """Return a rule to its defaults at the site, or delete its override for a part of the site."""
    run = session(context)
    scope, match = _scope(fabric, role, label, port)
    if scope == "site":
        run.api.put(f"/rules/{_path(kind)}", {"site": run.one_site()})
        print_lines(f"{kind}: defaults at the site")
        return
    found = _override(run, kind, scope, match)
    if found is None:
        raise Usage(
            f"{shown(kind)} has no override for {shown(f'{scope} {match}')}: see backstay rules show."
        )
    run.api.delete(f"/rule-overrides/{found.id}")
    print_lines(f"{kind}: override for {scope} {match} deleted")


def preview(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    kind: Kind,
    values: Values = None,
    fabric: OfFabric = None,
    role: OfRole = None,
    label: OfLabel = None,
    port: OfPort = None,
    json: AsJson = False,
) -> None:
    """Show how often a rule would have opened an incident in the last 7 days. Changes nothing."""
    run = session(context)
    scope, match = _scope(fabric, role, label, port)
    body = _merged(run, kind, (scope, match), _settings(values or [], None, None))
    answer = run.api.post(f"/rules/{_path(kind)}/preview", body | {"scope": scope, "match": match})
    if json:
        as_json(answer)
    else:
        print_preview(read(RulePreviewOut, answer))


def print_preview(found: RulePreviewOut) -> None:
    """The result of a preview."""
    print_lines(
        f"Would have opened {count(found.incidents, 'incident')} from {found.start:%Y-%m-%d %H:%M} to"
        f" {found.end:%Y-%m-%d %H:%M} UTC; {found.read} of {count(found.objects, 'object')} have values."
    )
    if found.worst:
        show(table(("object", "incidents"), [(item.name, str(item.incidents)) for item in found.worst]))
    print_lines(*found.notes)


def unmeasured(context: typer.Context, kind: Kind, json: AsJson = False) -> None:
    """List objects whose capacity or value the rule does not know: it never alarms for them."""
    run = session(context)
    answer = run.api.items(f"/rules/{_path(kind)}/unmeasured", site=run.site)
    if json:
        as_json(answer)
        return
    known = read_all(UnmeasuredOut, answer)
    if known:
        show(table(("object", "reason"), [(item.name, item.reason) for item in known]))
    print_lines(count(len(known), "object"))


def port_rules(
    context: typer.Context,
    port: Annotated[str, typer.Argument(metavar="NODE:PORT", help="A port, such as grf1:ga030.")],
    json: AsJson = False,
) -> None:
    """Show the effective settings of a port, of every rule, and where each comes from."""
    run = session(context)
    answer = run.api.items(f"/ports/{run.port(port)}/rules")
    if json:
        as_json(answer)
        return
    rows = [
        (rule.kind, item.name, _value(item.value, item.unit), item.source, "; ".join(item.ties) or "-")
        for rule in read_all(EffectiveRuleOut, answer)
        for item in rule.settings
    ]
    show(table(("rule", "setting", "value", "from", "ties that lose"), rows))


def export(context: typer.Context, json: AsJson = False) -> None:
    """Print everything that is set, as the sections `rules` and `metric_limits` of the site file."""
    run = session(context)
    answer = run.api.get("/rule-file", site=run.site)
    if json:
        as_json(answer)
    else:
        print_lines(*read(RuleFileOut, answer).text.splitlines())


def _path(kind: str) -> str:
    """A kind in a path: only letters and underscores, so that nothing else is asked for."""
    if not kind.replace("_", "").isalnum():
        raise Usage(f"{shown(kind)} is no rule: see backstay rules list.")
    return kind


def _scope(fabric: str | None, role: str | None, label: str | None, port: str | None) -> tuple[str, str]:
    given = {"fabric": fabric, "role": role, "label": label, "port": port}
    known = [(scope, match) for scope, match in given.items() if match is not None]
    if len(known) > 1:
        raise Usage("Use at most one of --fabric, --role, --label and --port.")
    return known[0] if known else ("site", "")


def _settings(values: list[str], enabled: bool | None, severity: str | None) -> dict[str, Any]:
    parameters = {}
    for text in values:
        name, _, number = text.partition("=")
        try:
            parameters[name] = float(number)
        except ValueError:
            raise Usage(f"{shown(text)} is no parameter: write NAME=NUMBER, such as raise_at=0.8.") from None
    return {"enabled": enabled, "severity": severity, "parameters": parameters}


def _override(run: Session, kind: str, scope: str, match: str) -> RuleOverrideOut | None:
    known = read_all(RuleOverrideOut, run.api.items(f"/rules/{_path(kind)}/overrides", site=run.one_site()))
    return next((item for item in known if (item.scope, item.match) == (scope, match)), None)


def _merged(run: Session, kind: str, of: tuple[str, str], given: dict[str, Any]) -> dict[str, Any]:
    """The stored settings with the given ones: the API replaces them as a whole."""
    stored: dict[str, Any] = {"enabled": None, "severity": None, "parameters": {}}
    if of[0] == "site":
        rule = read(RuleOut, run.api.get(f"/rules/{_path(kind)}", site=run.one_site()))
        stored = {
            "enabled": rule.enabled,
            "severity": rule.severity if rule.has_own_severity else None,
            "parameters": {item.name: item.value for item in rule.parameters if item.value != item.default},
        }
    elif (found := _override(run, kind, *of)) is not None:
        stored = {"enabled": found.enabled, "severity": found.severity, "parameters": dict(found.parameters)}
    merged = {
        name: given[name] if given[name] is not None else stored[name] for name in ("enabled", "severity")
    }
    return {"site": run.one_site(), **merged, "parameters": stored["parameters"] | given["parameters"]}
