"""`backstay`: the composition root. Commands, common options, and the mapping of errors to exit codes."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import typer

from backstay_cli import __version__, completion
from backstay_cli.command_groups import EARLIER, NOUNS, NounGroup
from backstay_cli.commands import (
    changes,
    clear_release,
    drills,
    exports,
    holds,
    maintenance,
    metrics,
    network,
    paths,
    plans,
    sign_in,
    status,
)
from backstay_cli.commands.alerting import metric_limits, rules
from backstay_cli.commands.incidents import actions
from backstay_cli.commands.inventory import fabrics, search, sites
from backstay_cli.commands.models import advice, capacity, forecast, hold_time, track_record
from backstay_cli.commands.throughput import new, runs
from backstay_cli.commands.throughput import plans as throughput_plans
from backstay_cli.errors import OperatorError
from backstay_cli.notifications import deliveries, devices, settings, wallboards
from backstay_cli.output import print_note
from backstay_cli.session import Session
from backstay_cli.views import ViewCommand, view, with_format

EXITS = (
    "Exit codes: 0 done; 1 a problem was found (drift, a blocked plan, a fault); 2 incorrect usage;"
    " 3 refused; 4 server unreachable; 5 rolled back, stopped or failed."
)
app = typer.Typer(
    name="backstay", no_args_is_help=True, pretty_exceptions_enable=False, epilog=EXITS, rich_markup_mode=None
)
VERBS: dict[str, Callable[..., None]] = {
    "sign-in": sign_in.sign_in,
    "sign-out": sign_in.sign_out,
    "status": status.status,
    "find": search.find,
    "route": network.route,
    "plan": plans.plan,
    "diff": plans.diff,
    "change": changes.change,
    "approve": changes.approve,
    "apply": changes.apply,
    "confirm": changes.confirm,
    "roll-back": changes.roll_back,
    "discard": changes.discard,
    "undo": changes.undo,
    "retire": changes.retire,
    "metrics": metrics.metrics,
    "manage-again": clear_release.manage_again,
    "move": paths.move,
    "hold": holds.hold,
    "hold-time": hold_time.hold_time,
    "n-1": capacity.n_1,
    "what-if": capacity.what_if,
    "advice": advice.advice,
    "track-record": track_record.track_record,
    "forecast": forecast.forecast,
    "drill": drills.drill,
    "export": exports.export,
    "acknowledge": actions.acknowledge,
    "snooze": actions.snooze,
    "assign": actions.assign,
    "comment": actions.comment,
    "topology": fabrics.topology,
    "storage": sites.storage,
    "health": sites.health,
    "whoami": sites.whoami,
}
TEST_VERBS: dict[str, Callable[..., None]] = {
    "plans": throughput_plans.plans,
    "plan": throughput_plans.plan,
    "grids": throughput_plans.grids,
    "new": new.new,
    "remove": throughput_plans.remove,
    "run": runs.run,
    "runs": runs.runs,
    "show": runs.show_run,
    "cancel": runs.cancel,
    "compare": runs.compare,
    "export": runs.export,
}
WINDOW_VERBS: dict[str, Callable[..., None]] = {
    "list": maintenance.windows,
    "show": maintenance.show_window,
    "new": maintenance.new,
    "change": maintenance.change,
    "end": maintenance.end,
    "remove": maintenance.remove,
    "import": maintenance.import_file,
    "feed": maintenance.feed,
    "feeds": maintenance.feeds,
}
RULE_VERBS: dict[str, Callable[..., None]] = {
    "list": rules.list_rules,
    "show": rules.show_rule,
    "set": rules.set_rule,
    "reset": rules.reset_rule,
    "preview": rules.preview,
    "unmeasured": rules.unmeasured,
    "port": rules.port_rules,
    "export": rules.export,
}
LIMIT_VERBS: dict[str, Callable[..., None]] = {
    "list": metric_limits.list_limits,
    "show": metric_limits.show_limit,
    "set": metric_limits.set_limit,
    "remove": metric_limits.remove_limit,
}
NOTIFY_VERBS: dict[str, Callable[..., None]] = {
    "channels": settings.channels,
    "routes": settings.routes,
    "schedules": settings.schedules,
    "people": settings.people,
    "save": settings.save,
    "deliveries": deliveries.deliveries,
    "devices": devices.devices,
}
WALLBOARD_VERBS: dict[str, Callable[..., None]] = {
    "list": wallboards.wallboards,
    "show": wallboards.show_wallboard,
    "new": wallboards.new,
    "change": wallboards.change,
    "renew": wallboards.renew,
    "revoke": wallboards.revoke,
}
GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "windows": ("Plan maintenance windows, and exchange them with calendars.", WINDOW_VERBS),
    "limits": ("Limits on device metrics.", LIMIT_VERBS),
    "rules": ("Alert rules: settings, overrides for parts of a site, and previews.", RULE_VERBS),
    "notify": ("Set who is notified of incidents, and show what was delivered.", NOTIFY_VERBS),
    "wallboards": ("Screens that show the site without a sign-in, by a secret link.", WALLBOARD_VERBS),
    "tests": ("Plan and run throughput tests, and show their results.", TEST_VERBS),
}
"""Command groups: `backstay tests run`."""


READS = {
    "": (
        "status",
        "find",
        "route",
        "diff",
        "change",
        "metrics",
        "hold-time",
        "n-1",
        "what-if",
        "advice",
        "track-record",
        "forecast",
        "topology",
        "storage",
        "health",
        "whoami",
    ),
    "tests": ("plans", "plan", "grids", "runs", "show", "compare"),
    "windows": ("list", "show", "feeds"),
    "limits": ("list", "show"),
    "rules": ("list", "show", "unmeasured", "port"),
    "notify": ("channels", "routes", "schedules", "people", "deliveries", "devices"),
    "wallboards": ("list", "show"),
}
"""Group -> its commands that read and can be repeated; those of nouns are marked there."""


def _add(to: typer.Typer, verbs: Mapping[str, Callable[..., None]], group: str = "") -> None:
    for name, verb in verbs.items():
        reads = name in READS.get(group, ())
        to.command(name, cls=ViewCommand)(view(verb) if reads else with_format(verb))


def _add_groups() -> None:
    for name, (about, verbs) in GROUPS.items():
        group = typer.Typer(no_args_is_help=True, help=about, rich_markup_mode=None)
        _add(group, verbs, name)
        app.add_typer(group, name=name)


def _add_nouns() -> None:
    for name, noun in NOUNS.items():
        group = typer.Typer(cls=NounGroup, help=noun.about, rich_markup_mode=None)
        for verb, command in noun.reads.items():
            group.command(verb, cls=ViewCommand)(view(command))
        _add(group, noun.acts, name)
        if noun.earlier is not None:
            group.command(EARLIER, cls=ViewCommand, hidden=True)(view(noun.earlier))
        app.add_typer(group, name=name)
        for alias in noun.aliases:
            app.add_typer(group, name=alias, hidden=True)


_add(app, VERBS)
_add_groups()
_add_nouns()


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    site: Annotated[
        str | None,
        typer.Option(
            envvar="BACKSTAY_SITE",
            help="Site to use; default: the stored site, otherwise the first one available.",
            autocompletion=completion.sites,
        ),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Monitor, plan and change the failover routing of a cluster.

    The server and the user are those of BACKSTAY_URL and BACKSTAY_TOKEN, or those stored by
    `backstay sign-in`.
    """
    context.obj = Session(site)


@functools.cache
def _command() -> Callable[..., object]:
    return typer.main.get_command(app)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point."""
    try:
        _command()(args=arguments, prog_name="backstay")
    except OperatorError as error:
        print_note(f"backstay: {error}")
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
