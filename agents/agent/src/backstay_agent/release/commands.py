"""The commands `backstay-agent release | stop-managing | resume`: they need neither agent nor backend."""

import asyncio
import os
import pwd
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn
from uuid import uuid4

import typer
from pydantic import ValidationError

from backstay_agent.config import StateDir
from backstay_agent.guard.store import Store
from backstay_agent.host import locks
from backstay_agent.release.baseline import BaselineFile
from backstay_agent.release.boot_text import ARP, find
from backstay_agent.release.record import ReleaseFile, ReleaseRecord, Scope, describe, merged
from backstay_agent.release.releaser import ReleaseOutcome, Releaser
from backstay_agent.status import read_status
from backstay_wire import Desired

DEFAULT_STATE = Path("/var/lib/backstay-agent")
DONE, INCOMPLETE, NOTHING_DONE = 0, 1, 2
"""Exit statuses. 1: management has stopped, but something named in the output is left to do."""
_ACKNOWLEDGED_S = 15.0
_POLL_S = 0.05
_STATUSES = (
    "Exit status: 0 all done; 1 management has stopped, but lines marked LEFT remain to be done; "
    "2 nothing was done."
)

State = Annotated[
    Path, typer.Option("--state", help="The agent's state folder.", envvar="BACKSTAY_AGENT_STATE")
]


def release(
    policy: Annotated[
        str | None, typer.Argument(help="Release this policy's prefixes only; default: all policies.")
    ] = None,
    state: State = DEFAULT_STATE,
) -> None:
    """Stop managing routes on this node.

    Restores the routes and boot files that were there before Backstay managed them. Needs no backend.
    """
    _run(state, "policies" if policy else "routing", policy)


release.__doc__ = f"{release.__doc__}\n\n    {_STATUSES}"


def stop_managing(
    state: State = DEFAULT_STATE,
    keep_arp: Annotated[
        bool,
        typer.Option(
            "--keep-arp",
            help="Leave ARP unchanged: on a fabric with ARP off, the other nodes do not answer ARP requests.",
        ),
    ] = False,
) -> None:
    """Stop managing routes and ARP on this node.

    Restores the settings that were there before Backstay managed them. Needs no backend.
    """
    _run(state, "everything", None, keep_arp=keep_arp)


stop_managing.__doc__ = f"{stop_managing.__doc__}\n\n    {_STATUSES}"


def resume(state: State = DEFAULT_STATE) -> None:
    """Let Backstay manage this node again.

    Installs nothing: the routes of a policy return with its next deployment. Exit status: 0 done, or nothing
    was released; 2 nothing was done.
    """
    _require(state)
    file = ReleaseFile(state)
    record = file.read()
    if record is None or record.resumed_ns is not None:
        typer.echo("nothing is released on this node")
        return
    file.write(record.model_copy(update={"resumed_ns": time.time_ns(), "resumed_by": _account()}))
    typer.echo("this node accepts changes again")
    typer.echo("routes and boot files were not changed: deploy the policies to install them")


def _run(state: Path, scope: Scope, policy: str | None, *, keep_arp: bool = False) -> None:
    _require(state)
    desired = _desired(state)
    if policy is not None:
        _require_policy(state, desired, policy)
    file = ReleaseFile(state)
    record = _record(state, file, scope, policy)
    try:
        file.write(record)
    except OSError as error:
        _fail(f"cannot write {file.path}: {error.strerror}")
    typer.echo(f"{describe(record)} by {record.by}: the agent no longer manages it")
    outcome = ReleaseOutcome()
    _wait_for_agent(state, file, record, outcome)
    baseline = BaselineFile(state).read()
    found = asyncio.run(Releaser(state, record, desired, baseline, keep_arp=keep_arp).run())
    _finish(file, record, ReleaseOutcome(found.done, [*outcome.left, *found.left]))


def _record(state: Path, file: ReleaseFile, scope: Scope, policy: str | None) -> ReleaseRecord:
    new = ReleaseRecord(
        id=str(uuid4()),
        at_ns=time.time_ns(),
        by=_account(),
        scope=scope,
        policies=(policy,) if policy else (),
        revision=Store(state, "agent").highest(),
        left=("the command has not finished",),
    )
    return merged(new, file.read())


def _finish(file: ReleaseFile, record: ReleaseRecord, outcome: ReleaseOutcome) -> None:
    for line in outcome.done:
        typer.echo(f"done  {line}")
    for line in outcome.left:
        typer.echo(f"LEFT  {line}")
    try:
        file.write(record.model_copy(update={"left": tuple(outcome.left)}))
    except OSError as error:
        typer.echo(f"LEFT  cannot write {file.path}: {error.strerror}")
        raise typer.Exit(INCOMPLETE) from None
    typer.echo(
        "this remains in effect after restarts and reboots,"
        " until `backstay-agent resume` or `manage again` in Backstay"
    )
    raise typer.Exit(INCOMPLETE if outcome.left else DONE)


def _wait_for_agent(state: Path, file: ReleaseFile, record: ReleaseRecord, outcome: ReleaseOutcome) -> None:
    """Wait until a running agent has let go: a switch in progress may take ten seconds."""
    end = time.monotonic() + _ACKNOWLEDGED_S
    while not locks.free(state / "lock"):
        if file.acknowledged(record):
            return
        if time.monotonic() > end:
            status = read_status(StateDir(state))
            pid = f"kill -9 {status.pid}" if status else "end it"
            outcome.left.append(
                f"the agent did not react within {_ACKNOWLEDGED_S:g} s: {pid}, then start it again"
            )
            return
        time.sleep(_POLL_S)


def _desired(state: Path) -> Desired | None:
    """The stored desired state; None if there is none that can be read."""
    try:
        return Desired.model_validate_json(StateDir(state).desired.read_bytes())
    except (OSError, ValidationError):
        return None


def _require_policy(state: Path, desired: Desired | None, policy: str) -> None:
    known = set(_policies(state, desired))
    if policy not in known:
        names = f"this node has {', '.join(sorted(known))}" if known else "this node has none"
        _fail(f"no policy {policy}: {names}")


def _policies(state: Path, desired: Desired | None) -> Iterable[str]:
    """Of the desired state, and of the blocks in the boot file."""
    if desired is not None and desired.routing is not None:
        yield from (route.policy for route in desired.routing.routes)
    engine = (desired.engine if desired else None) or BaselineFile(state).read().engine
    try:
        text = Path(engine.config).read_text("utf-8", "surrogateescape") if engine else ""
    except OSError:
        return
    yield from (block.policy for block in find(text) if block.policy != ARP)


def _require(state: Path) -> None:
    if os.geteuid() != 0:
        _fail("run it as root")
    if not state.is_dir():
        _fail(f"{state} does not exist: name the agent's state folder with --state")
    status = read_status(StateDir(state))
    if status is not None and status.running and _elsewhere(status.pid):
        _fail(
            "the agent runs in another network namespace: "
            f"nsenter --target {status.pid} --net backstay-agent ..."
        )


def _elsewhere(pid: int) -> bool:
    """Whether a living agent is in another network namespace than this process."""
    try:
        name = Path(f"/proc/{pid}/cmdline").read_bytes()
        return (
            b"backstay" in name
            and Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
        )
    except OSError:
        return False


def _account() -> str:
    """The account that runs the command; with sudo(8) the person's."""
    own = pwd.getpwuid(os.geteuid()).pw_name
    person = os.environ.get("SUDO_USER", "")
    return f"{own} ({person})" if person and person != own else own


def _fail(text: str) -> NoReturn:
    typer.echo(f"backstay-agent: {text}", err=True)
    raise typer.Exit(NOTHING_DONE)
