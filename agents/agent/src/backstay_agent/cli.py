"""The command line: `backstay-agent enrol | run | guard | status | hold | read | record | release |
stop-managing`."""

from __future__ import annotations

import asyncio
import fcntl
import gc
import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from backstay_agent import __version__, hold_command, logs
from backstay_agent.config import MIB, ConfigError, Settings, StateDir, find_allowed_paths, find_token
from backstay_agent.host.clock import HostClock
from backstay_agent.host.files import set_aside, usable_dir
from backstay_agent.offline_parse import command as reading
from backstay_agent.recording import command as recording
from backstay_agent.release import commands as break_glass
from backstay_agent.release.record import ReleaseFile
from backstay_agent.status import as_json, as_lines, management_lines, read_status
from backstay_agent.uplink.errors import BackendError

if TYPE_CHECKING:
    from backstay_agent.host.forkserver import ForkServer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

State = Annotated[
    Path,
    typer.Option(
        "--state", help="Folder of the agent's key, identity and spool; created with mode 700 if missing."
    ),
]
Backend = Annotated[
    str | None,
    typer.Option("--backend", help="Base URL of the backend, e.g. https://backstay.example, for enrolment."),
]
Token = Annotated[
    str | None, typer.Option("--token", help="One-time enrolment token; visible in the process list.")
]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", help="File that contains the token; default: BACKSTAY_TOKEN.")
]
CaFile = Annotated[
    Path | None,
    typer.Option("--ca-file", help="PEM bundle of the backend's private CA; default: public CAs."),
]
LogLevel = Annotated[str, typer.Option("--log-level", help="Log level: DEBUG, INFO, WARNING or ERROR.")]


@app.command()
def enrol(
    state: State,
    backend: Backend = None,
    token: Token = None,
    token_file: TokenFile = None,
    ca_file: CaFile = None,
) -> None:
    """Exchange a one-time token for this host's identity."""
    from backstay_agent.state_repair import enrol_here

    logs.configure()
    try:
        settings = Settings(
            StateDir(state), backend=backend, token=find_token(token, token_file), ca_file=ca_file
        )
        identity = asyncio.run(enrol_here(settings, patient=False, clock=HostClock()))
    except (ConfigError, BackendError, OSError) as error:
        _fail(error)
    typer.echo(f"enrolled as agent {identity.agent} on node {identity.node} of site {identity.site}")


@app.command()
def run(  # noqa: PLR0917 - a command's parameters are its options
    state: State,
    backend: Backend = None,
    token: Token = None,
    token_file: TokenFile = None,
    ca_file: CaFile = None,
    spool_mib: Annotated[int, typer.Option(min=1, help="Disk space for unsent reports, MiB.")] = 256,
    controller_loss_s: Annotated[
        float,
        typer.Option(
            min=0,
            help="Revert a confirmed change if no controller answers within this many seconds; 0: never.",
        ),
    ] = 600.0,
    allow_path: Annotated[
        list[Path] | None,
        typer.Option(help="Additional folder in which assignments may name files and programs; repeatable."),
    ] = None,
    log_level: LogLevel = "INFO",
) -> None:
    """Run the agent until it receives SIGTERM or SIGINT.

    Enrols it first if necessary.
    """
    from backstay_agent.guard import forkserver

    logs.configure(log_level.upper())
    try:
        guards = forkserver.fork(state.absolute())
        settings = Settings(
            StateDir(state),
            backend=backend,
            token=find_token(token, token_file),
            ca_file=ca_file,
            spool_quota=spool_mib * MIB,
            allowed_paths=find_allowed_paths(allow_path),
            controller_loss_s=controller_loss_s,
        )
        usable_dir(state)
        if (state / "lock").is_dir():
            set_aside(state / "lock")
        with (state / "lock").open("a") as lock:
            _take_lock(lock.fileno(), state)
            asyncio.run(_run(settings, guards))
    except (ConfigError, BackendError, OSError) as error:
        _fail(error)


@app.command()
def guard(
    state: State,
    log_level: LogLevel = "INFO",
) -> None:
    """Guard changes; restore the node if they are not confirmed.

    The agent starts this command itself.
    """
    from backstay_agent.guard.process import Guard

    logs.configure(log_level.upper())
    if not asyncio.run(Guard(state).run()):
        typer.echo("another guard watches this folder")


@app.command()
def status(
    state: State,
    as_json_: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the agent's last status.

    Lists the backlog, the last contact with the backend, and the sources with their outcomes.
    """
    found = read_status(StateDir(state))
    if found is None:
        _fail(ConfigError(f"no agent has run with the state folder {state}"))
    alive = found.running and _is_running(found.pid)
    shown = found.model_copy(update={"running": alive})
    if as_json_:
        typer.echo(json.dumps(as_json(shown)))
        return
    for line in as_lines(shown, HostClock().wall_ns()):
        typer.echo(line)
    for line in management_lines(ReleaseFile(state).read()):
        typer.echo(line)


app.command("hold")(hold_command.command)
app.command("read")(reading.command)
app.command("record")(recording.command)
app.command("release")(break_glass.release)
app.command("stop-managing")(break_glass.stop_managing)
app.command("resume")(break_glass.resume)


async def _run(settings: Settings, guards: ForkServer) -> None:
    from backstay_agent.agent import run_agent

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    # Imported objects live for ever, so the collector can skip them. Objects created at each tick are freed
    # by their reference count, and rarer cycle collection touches less cold memory.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    await run_agent(settings, stop, guards)


def _take_lock(handle: int, state: Path) -> None:
    """Lock the state folder: two agents on one spool would send each other's reports. Raises ConfigError."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(f"another agent runs with the state folder {state}") from None


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _fail(error: Exception) -> NoReturn:
    typer.echo(f"backstay-agent: {error}", err=True)
    raise typer.Exit(1)


def main() -> None:
    """Entry point."""
    app()


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False) -> None:
    """Collect reports on this host and apply route and ARP changes."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


if __name__ == "__main__":
    main()
