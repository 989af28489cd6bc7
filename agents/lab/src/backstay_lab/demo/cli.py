"""`backstay-demo`: up, down, status. `make demo` and `make demo-stop` call it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from backstay_lab import public_api as api
from backstay_lab.demo import agents, background, network, ports, record, sessions
from backstay_lab.demo.agents import ApiAccess
from backstay_lab.demo.children import Children
from backstay_lab.demo.errors import DemoError, Interrupted
from backstay_lab.demo.files import read_json
from backstay_lab.demo.layout import Layout, find_checkout
from backstay_lab.demo.progress import Progress, already_running_text, ready_text
from backstay_lab.demo.record import BusyError, Record
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.site_dirs import SiteDirs, places, sites_of
from backstay_lab.demo.steps import run
from backstay_lab.demo.supervisor import Supervisor, publish

_TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$")


def select_sites(places: Sequence[SiteDirs], names: Sequence[str]) -> list[SiteDirs]:
    """The named sites, all when no name is given; DemoError for one that is not running."""
    by_name = {place.site: place for place in places}
    for site in names:
        if site not in by_name:
            raise DemoError(
                f"The demo runs {', '.join(by_name)}, not {site}. Name one of them, or stop the demo first."
            )
    return [by_name[site] for site in names] or list(places)


def verify_sites(places: Sequence[SiteDirs], seconds: float | None, echo: Callable[[str], None]) -> int:
    """Verify the sites, repeat their output, end with `N passed, N failed`; the exit status."""
    passed = failed = 0
    for place in places:
        last = ""
        arguments = ["--demo", str(place.layout.demo_file)]
        arguments += [] if seconds is None else ["--seconds", f"{seconds:g}"]
        program = network.lab(place, "verify", "verify", *arguments)
        with subprocess.Popen(program.argv, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                last = line.rstrip()
                if not _TOTAL.match(last):
                    echo(last)
        good, bad = totals(last, place.site)
        passed, failed = passed + good, failed + bad
        echo(f"{place.site}: {good} of {good + bad} passed")
    echo(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def totals(line: str, site: str) -> tuple[int, int]:
    """(passed, failed) of a verification's last line; DemoError when it did not complete."""
    found = _TOTAL.match(line)
    if found is None:
        raise DemoError(f"The verification of {site} did not complete; see its output above.")
    return int(found[1]), int(found[2])


app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Run a demo of Backstay on a lab. `make demo` and `make demo-stop` call this program.",
    pretty_exceptions_enable=False,
)
DEFAULT_PORT = 8080
STOP_S = 25.0
COMMAND_S = 30.0
AWAY_S = 120.0
"""Seconds that a simultaneously started backend may take."""

SiteOption = Annotated[str, typer.Option(help="Sites of the lab, separated by commas; or all.")]
Data = Annotated[Path, typer.Option(help="The demo's data folder.")]


def _layout(data: Path) -> Layout:
    return Layout(data.resolve(), find_checkout())


@app.command()
def up(
    data: Data = Path(".backstay"),
    site: SiteOption = "argonne",
    port: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            help=f"Web port; default: that of the last run, otherwise {DEFAULT_PORT} or the next free one.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Number of compute nodes; default: set by the site.")
    ] = None,
    rates: Annotated[
        float | None,
        typer.Option(
            min=0.001,
            max=10,
            help="Rates on the wire as a fraction of the real ones; default: set by the site.",
        ),
    ] = None,
    *,
    detach: Annotated[
        bool, typer.Option("--detach", help="Return when the demo is ready; it continues in the background.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", hidden=True, help="Do not print passwords.")] = False,
) -> None:
    """Start databases, backend, lab and agents.

    Reports when the map shows live data.
    """
    layout = _layout(data)
    layout.prepare()
    stopping = Stopping()
    stopping.listen()
    if record.is_held(layout.lock_file):
        typer.echo(already_running_text(layout, record.load(layout)))
    elif detach:
        arguments = ["--data", str(layout.data), "--site", site, "--quiet"]
        arguments += ["--port", str(port)] if port else []
        arguments += ["--nodes", str(nodes)] if nodes else []
        arguments += ["--rates", str(rates)] if rates else []
        raise SystemExit(_up_detached(layout, arguments, stopping))
    else:
        announce = _print_nothing if quiet else _print_ready
        options = StartOptions(site, port, network.Scale(nodes, rates), announce)
        raise SystemExit(_up(layout, options, stopping))


def _up_detached(layout: Layout, arguments: list[str], stopping: Stopping) -> int:
    child = background.start(layout, arguments)
    status = background.follow(layout, child, sys.stderr, stopping)
    if status is None:
        _print_ready(layout)
        return 0
    return status


def _print_ready(layout: Layout) -> None:
    typer.echo(ready_text(read_json(layout.demo_file) or {}))


def _print_nothing(_layout: Layout) -> None:
    """Replaces the ready message in the background: a log must not contain a password."""


@dataclass(frozen=True, slots=True)
class StartOptions:
    """The options of a start, and the callback when it is ready."""

    site: str
    port: int | None
    scale: network.Scale
    announce: Callable[[Layout], None]


def _up(layout: Layout, options: StartOptions, stopping: Stopping) -> int:
    progress = Progress(sys.stderr, time.monotonic)
    try:
        with record.hold(layout.lock_file):
            if left := record.load(layout):
                background.sweep(layout, left, progress)
            return _supervise(layout, options, stopping, progress)
    except BusyError:
        typer.echo(already_running_text(layout, record.load(layout)))
        return 0
    except (DemoError, api.ApiError) as error:
        progress.report("failed", str(error))
        return 1


def choose_web_port(layout: Layout, requested: int | None) -> tuple[int, str]:
    """The requested port, else that of the last run, else the default or the next free one; and a remark."""
    wanted = requested or ports.kept(layout.ports_file) or DEFAULT_PORT
    chosen = ports.choose(wanted, insist=requested is not None, free=ports.is_free, holder=ports.holder)
    ports.keep(layout.ports_file, chosen[0])
    return chosen


def _supervise(layout: Layout, options: StartOptions, stopping: Stopping, progress: Progress) -> int:
    web_port, remark = choose_web_port(layout, options.port)
    if remark:
        progress.report("web", remark)
    names = sites_of(options.site, lambda: _every_site(layout, stopping))
    if options.scale != network.AS_IT_IS and len(names) > 1:
        raise DemoError(f"Nodes and rates apply to one site, but {len(names)} are named: name one.")
    run_record = Record(sessions.identify("supervisor", os.getpid()), names)
    run_record.save(layout)

    def keep(children: dict[str, sessions.ChildSession]) -> None:
        run_record.children = children
        run_record.save(layout)

    children = Children(str(layout.data), keep)
    supervisor = Supervisor(layout, progress, stopping, run_record, children, options.scale)
    try:
        publish(layout, supervisor.start(web_port, ports.any_free()), run_record)
        progress.report("ready", f"address, user and password are in {layout.demo_file}")
        options.announce(layout)
        supervisor.watch()
    except Interrupted:
        progress.report("stopping", f"{stopping.requested} while starting")
        return 128 + signal.SIGINT
    except (DemoError, api.ApiError) as error:
        # Printed before the cleanup, which takes a few seconds.
        progress.report("failed", str(error))
        return 1
    finally:
        supervisor.stop()
    return 0


def _every_site(layout: Layout, stopping: Stopping) -> list[str]:
    """The lab's site names, by its command line."""
    return run(network.sites(layout), str(layout.data), stopping, COMMAND_S).split()


@app.command("agents")
def run_agents(
    web: Annotated[str, typer.Option(help="The backend's web address, http://HOST:PORT.")],
    token_file: Annotated[Path, typer.Option(help="File that contains an administrator's API token.")],
    data: Data = Path(".backstay"),
    site: SiteOption = "argonne",
) -> None:
    """Run the agents of a separately started lab.

    Stays in the foreground; docker-compose.yml uses it.
    """
    layout = Layout(data.resolve(), Path())
    layout.prepare()
    stopping, progress = Stopping(), Progress(sys.stderr, time.monotonic)
    stopping.listen()
    children = Children(str(layout.data), lambda _: None)
    try:
        if not stopping.wait(lambda: token_file.exists() and api.listens(web), AWAY_S):
            raise DemoError(
                f"{web} or {token_file} is not available after {AWAY_S:g} s. Start the backend first."
            )
        access = ApiAccess(web, token_file.read_text().strip())
        for place in places(layout, sites_of(site, lambda: _every_site(layout, stopping))):
            progress.report("site", agents.import_site(place, access))
            progress.report("agents", ", ".join(agents.start(place, access, children, stopping)))
        children.watch(progress.report, stopping)
    except Interrupted:
        pass
    finally:
        children.end(children.names(), grace_s=6)


@app.command()
def verify(
    data: Data = Path(".backstay"),
    site: Annotated[str, typer.Option(help="Sites, as for up; default: all running sites.")] = "",
    seconds: Annotated[
        float | None, typer.Option(help="Observation time per site, seconds; default: 24.")
    ] = None,
) -> None:
    """Compare the values of the API with those of its sources.

    Starts a demo, and stops it afterwards, if none is running.
    """
    layout = _layout(data)
    stopping = Stopping()
    started = not record.is_held(layout.lock_file)
    if started:
        layout.prepare()
        stopping.listen()
        if status := _up_detached(
            layout, ["--data", str(layout.data), "--site", site or "argonne", "--quiet"], stopping
        ):
            raise SystemExit(status)
    try:
        running = record.load(layout)
        if running is None or running.phase != "ready":
            raise DemoError("The demo is not ready yet: try again when it is.")
        names = sites_of(site, lambda: _every_site(layout, stopping)) if site else []
        selected = select_sites(places(layout, running.sites), names)
        raise SystemExit(verify_sites(selected, seconds, typer.echo))
    finally:
        if started:
            down(data)


@app.command()
def down(data: Data = Path(".backstay")) -> None:
    """Stop the demo and clean up, including after a crash."""
    layout = _layout(data)
    progress = Progress(sys.stderr, time.monotonic)
    running = record.load(layout)
    if running is None:
        typer.echo(f"No demo is running in {layout.data}.")
        return
    if record.is_held(layout.lock_file):
        sessions.ask_and_wait(running.supervisor, STOP_S)
    if left := record.load(layout):
        with record.hold(layout.lock_file):
            background.sweep(layout, left, progress)
    typer.echo(f"The demo in {layout.data} is stopped; its data are kept.")


@app.command()
def status(data: Data = Path(".backstay")) -> None:
    """Show the processes of the running demo.

    Exit status 1: no demo is running.
    """
    layout = _layout(data)
    running = record.load(layout)
    if running is None or not record.is_held(layout.lock_file):
        typer.echo(f"No demo is running in {layout.data}.")
        raise SystemExit(1)
    typer.echo(already_running_text(layout, running))
    for name, child in running.children.items():
        typer.echo(
            f"  {name:<16} process {child.pid}, {'running' if sessions.alive(child) else 'not running'}"
        )


def main() -> None:
    """The console script's entry point."""
    try:
        app()
    except (DemoError, api.ApiError) as error:
        typer.echo(str(error), err=True)
        raise SystemExit(1) from None
