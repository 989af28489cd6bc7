"""`backstay-lab`: the lab's commands. Each prints its result, or the error and the next step."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from backstay_lab import engines, faults_cli, injection_cli, lifecycle, programs, sites, status, traffic
from backstay_lab.errors import LabError
from backstay_lab.faults_cli import NodeName
from backstay_lab.hippi import cli as hippi
from backstay_lab.network import netns, privilege
from backstay_lab.reboot import boot_id_file
from backstay_lab.reboot import reboot as reboot_node
from backstay_lab.state import Run, StateFolder, write_private
from backstay_lab.verify.cli import verify

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(hippi.app, name="hippi")
app.command()(verify)
for name, verb in (faults_cli.VERBS | injection_cli.VERBS).items():
    app.command(name)(verb)

Site = Annotated[str, typer.Argument(metavar="SITE", help="A site of the lab, for example argonne.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def options(
    context: typer.Context,
    state: Annotated[
        Path, typer.Option(envvar="BACKSTAY_LAB_STATE", help="State folder of this lab.")
    ] = Path(".backstay/lab"),
    id: Annotated[  # noqa: A002 - it is the option's name
        str | None,
        typer.Option(envvar="BACKSTAY_LAB_ID", help="Namespace ID; default: derived from --state."),
    ] = None,
) -> None:
    """Build sites from network namespaces, and break them.

    Each state folder is one lab.
    """
    folder = StateFolder(state, id)
    context.obj = folder
    programs.add_sbin_to_path()
    programs.require()
    verb = context.invoked_subcommand
    privilege.enter(folder, sys.argv[1:], start=verb == "up", alone=verb == "down")


@app.command()
def up(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    site: Site,
    nodes: Annotated[
        int | None, typer.Option(help="Number of compute nodes; default: set by the site.")
    ] = None,
    rate_scale: Annotated[
        float | None,
        typer.Option(help="Rates on the wire as a fraction of the real ones; default: set by the site."),
    ] = None,
    bfd_ms: Annotated[
        int | None,
        typer.Option(
            min=10,
            max=10_000,
            help="BFD interval, ms; three lost packets mean down; default: set by the site.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=NUMBER", help="Setting of the site; repeatable."),
    ] = None,
    backend_port: Annotated[
        int, typer.Option(min=1, max=65535, help="Port of the backend on 127.0.0.1.")
    ] = 8000,
    site_file: Annotated[
        Path | None, typer.Option(help="Write the site file to this path (mode 600).")
    ] = None,
) -> None:
    """Build a site as network namespaces and start its daemons."""
    folder: StateFolder = context.obj
    with folder.lock():
        lab = lifecycle.current(folder)
        if lab is not None:
            _print_already_running(lab, site, folder)
        else:
            began = time.monotonic()
            parameters = sites.parameters(
                site,
                nodes=nodes,
                rate_scale=rate_scale,
                bfd_ms=bfd_ms,
                settings=_chosen(site, settings or []),
            )
            if not 0.001 <= parameters.rate_scale <= 10:
                raise LabError(
                    f"A rate scale of {parameters.rate_scale:g} is out of range.", "Choose 0.001 to 10."
                )
            lab = lifecycle.up(folder, site, parameters, backend_port, datetime.now(UTC))
            plan = lab.plan()
            typer.echo(
                f"{site} is up: {len(plan.nodes)} nodes, {len(plan.links)} links, {len(lab.daemons)} daemons,"
                f" rates x {parameters.rate_scale:g}, in {time.monotonic() - began:.1f} s."
            )
        if site_file is not None:
            write_private(site_file, lifecycle.write_site_file(folder, lab))
            typer.echo(f"The site file is {site_file}.")


def _chosen(site: str, settings: list[str]) -> dict[str, float]:
    """The chosen engines; by default BIRD replaces FRR where FRR cannot run."""
    found = _numbers(settings)
    if "frr" in sites.known(site).defaults.settings and "frr" not in found and not engines.frr_runs():
        typer.echo("FRR is not installed or cannot run here: its nodes run BIRD.")
        found["frr"] = 0.0
    return found


def _numbers(settings: list[str]) -> dict[str, float]:
    """`NAME=NUMBER` by name."""
    found = {}
    for text in settings:
        name, _, number = text.partition("=")
        try:
            found[name] = float(number)
        except ValueError as error:
            raise LabError(f"--set {text} is not NAME=NUMBER.", "Example: --set hold_ms=10.") from error
    return found


def _print_already_running(lab: Run, site: str, folder: StateFolder) -> None:
    if not lab.ready:
        raise LabError(
            f"An earlier `up {lab.site}` did not finish.",
            f"Run `backstay-lab down {lab.site}`, then try again.",
        )
    if lab.site != site:
        raise LabError(
            f"{lab.site} is already running in {folder.path}.", f"Run `backstay-lab down {lab.site}` first."
        )
    typer.echo(f"{lab.site} is already running (since {lab.up_since}, {lab.parameters.nodes} compute nodes).")


@app.command("sites")
def list_sites() -> None:
    """List the sites."""
    typer.echo("\n".join(sites.SITES))


@app.command()
def down(context: typer.Context, site: Site) -> None:
    """Stop a site and remove all its traces except logs.

    Removes its processes, namespaces and files.
    """
    folder: StateFolder = context.obj
    with folder.lock():
        lifecycle.refuse_other_site(folder, site)
        there = lifecycle.down(folder)
    typer.echo(f"{site} is down; logs are kept in {folder.logs}." if there else f"{site} was not up.")


@app.command("status")
def show_status(
    context: typer.Context,
    site: Annotated[str | None, typer.Argument(metavar="[SITE]", help="Default: the running site.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show every node, link, daemon and fault."""
    folder: StateFolder = context.obj
    report = status.status(folder, folder.require(site))
    typer.echo(json.dumps(report, indent=1) if as_json else "\n".join(status.table(report)))
    for problem in status.problems(report):
        typer.echo(f"Problem: {problem}.", err=True)


@app.command()
def reboot(context: typer.Context, node: NodeName) -> None:
    """Reboot a node from its files; unsaved state is lost."""
    folder: StateFolder = context.obj
    with folder.lock():
        lab = folder.require()
        place = lab.plan().node(node)
        made = reboot_node(folder, lab, place)
    shown = ", ".join(f"{prefix} via {gateway}" for prefix, gateway in made.routes.items()) or "no routes"
    typer.echo(f"{node}: booted from its files ({shown}); ended {made.ended} processes.")
    for line in made.trouble:
        typer.echo(f"{node}: {line}")
    typer.echo("A supervisor such as the demo's restarts the agent; otherwise start it again.")


@app.command("traffic")
def send_traffic(  # noqa: PLR0917 - typer turns parameters into options
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SRC", help="Sending node.")],
    target: Annotated[str, typer.Argument(metavar="DST", help="Receiving node.")],
    mbps: Annotated[float, typer.Option(help="Offered rate of all streams on the wire, Mb/s.")],
    seconds: Annotated[float, typer.Option(max=3600, help="Duration, seconds.")],
    streams: Annotated[int, typer.Option(help="Number of parallel TCP streams.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Send TCP load between two nodes; print the received rate."""
    folder: StateFolder = context.obj
    lab = folder.require()
    load = traffic.TrafficLoad(source, target, mbps, seconds, streams)
    outcome = traffic.generate(lab.plan(), lab.names, load)
    if as_json:
        typer.echo(json.dumps(asdict(outcome)))
    else:
        typer.echo(
            f"{source} to {target}: {outcome.achieved_mbps:.2f} of {mbps:g} Mb/s offered arrived"
            f" in {outcome.seconds:.1f} s over {streams} stream(s), {outcome.retransmits} segments resent."
        )


@app.command("site-file")
def show_site_file(
    context: typer.Context,
    site: Site,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file (mode 600) instead of the terminal.")
    ] = None,
) -> None:
    """Print the site file of the running site.

    It contains the SNMP credentials.
    """
    folder: StateFolder = context.obj
    text = lifecycle.write_site_file(folder, folder.require(site))
    if output is None:
        typer.echo(text, nl=False)
    else:
        write_private(output, text)
        typer.echo(f"The site file is {output}.")


@app.command("exec", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run_inside(context: typer.Context, node: NodeName) -> None:
    """Run a command inside a node.

    Example: backstay-lab exec sp01 -- ip route
    """
    folder: StateFolder = context.obj
    lab = folder.require()
    plan = lab.plan()
    place = plan.node(node)
    if not context.args:
        raise LabError("No command was given.", f"Example: backstay-lab exec {node} -- ip route")
    if not plan.in_namespace(place):
        raise LabError(
            f"{node} is simulated by {place.simulated_by} and has no namespace.", "Name a node that is not."
        )
    environment = dict(os.environ) | {"BACKSTAY_BOOT_ID_FILE": str(boot_id_file(folder, node))}
    for service in plan.services:
        environment |= service.node_environment(folder.running(lab, service.name), place)
    argv = [*netns.enter(lab.names.node(node)), *context.args]
    os.execvpe(argv[0], argv, environment)  # noqa: S606 - the command asked for takes this one's place


def main() -> None:
    """The console script's entry point."""
    # On SIGTERM, `up` undoes its steps and `traffic` ends its server.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        app()
    except LabError as error:
        typer.echo(f"{error.cause}\n{error.next_step}", err=True)
        raise SystemExit(1) from None
    except PermissionError as error:
        typer.echo(f"{error}\nRun as the user that owns the lab.", err=True)
        raise SystemExit(1) from None
