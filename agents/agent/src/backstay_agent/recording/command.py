"""`backstay-agent record`: records an SNMP device of this agent for a report, anonymised.

The device's address and credentials come from the agent's last desired state and stay on the host.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from pydantic import ValidationError

from backstay_agent.config import MIB, StateDir
from backstay_agent.host.clock import HostClock
from backstay_agent.host.files import atomic_write
from backstay_agent.host.machine import utc_offset
from backstay_wire import Desired, SnmpSource

if TYPE_CHECKING:
    from backstay_agent.recording.anonymiser import Kept
    from backstay_agent.recording.recorder import RawRecording, Recording

_INCOMPLETE, _FAILED = 1, 2
_KEEP: dict[str, "Kept"] = {"names": "names", "addresses": "addresses"}
_LISTED = 20


class RecordError(Exception):
    """The device cannot be recorded; the message has the reason and the remedy."""


def command(  # noqa: PLR0917 - a command's parameters are its options
    device: Annotated[str, typer.Argument(metavar="DEVICE", help="Name of a device that this agent polls.")],
    state: Annotated[Path, typer.Option("--state", help="The agent's state folder.")],
    output: Annotated[Path, typer.Option("--output", help="File to write; it must not exist.")],
    keep: Annotated[
        str, typer.Option("--keep", metavar="LIST", help="Do not replace: names, addresses, or both (a,b).")
    ] = "",
    replace: Annotated[
        list[str] | None, typer.Option("--replace", metavar="TEXT", help="Replace this too; repeatable.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="Longest time for reading.")] = 120.0,
    objects: Annotated[int, typer.Option(min=1, max=1_000_000, help="Most objects.")] = 200_000,
    size_mib: Annotated[int, typer.Option("--mib", min=1, max=15, help="Most MiB.")] = 15,
) -> None:
    """Record what an SNMP device returns to its collectors, without names and addresses.

    The file can be attached to a report: backstay-agent read shows how it is read. Exit status: 0 recorded;
    1 recorded, but not whole, or its replay differs; 2 not recorded.
    """
    from backstay_agent.host.snmp.values import SnmpError, SnmpTimeoutError
    from backstay_agent.recording.anonymiser import AnonymiseError
    from backstay_agent.recording.recorder import publish, record
    from backstay_agent.recording.session import RecordingLimits

    limits = RecordingLimits(seconds, objects, size_mib * MIB)
    try:
        kept = _kept(keep)
        if output.exists():
            raise RecordError(f"{output} exists: remove it, or name another file")
        source = find_source(StateDir(state), device)
        raw = asyncio.run(record(source, limits, HostClock(), utc_offset()))
        recording = publish(raw, source, SystemRandom(), keep=kept, replace=replace or [])
        atomic_write(output, recording.data)
    except (RecordError, AnonymiseError, SnmpError, SnmpTimeoutError) as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename or output}: {error.strerror or error}")
    typer.echo("\n".join(_summary(output, raw, recording, kept)))
    raise typer.Exit(_INCOMPLETE if raw.incomplete or recording.differences else 0)


def find_source(state: StateDir, device: str) -> SnmpSource:
    """The device's source in the agent's last desired state. Raises RecordError."""
    try:
        desired = Desired.model_validate_json(state.desired.read_bytes())
    except FileNotFoundError:
        raise RecordError(f"no assignments in {state.root}: has the agent run with this --state?") from None
    except OSError as error:
        raise RecordError(f"{state.desired}: {error.strerror}; run this as the agent's user") from error
    except ValidationError:
        raise RecordError(f"{state.desired} is damaged or of another version: restart the agent") from None
    of_device = [source for source in desired.sources if getattr(source, "device", None) == device]
    for source in of_device:
        if isinstance(source, SnmpSource):
            return source
    if of_device:
        kinds = ", ".join(sorted(source.kind for source in of_device))
        raise RecordError(
            f"{device} is read by {kinds}: only SNMP devices can be recorded; see docs/agent.md"
        )
    names = sorted(source.device for source in desired.sources if isinstance(source, SnmpSource))
    raise RecordError(f"this agent does not poll {device!r}. It polls: {_listed(names)}")


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _LISTED
    return ", ".join([*names[:_LISTED], *([f"and {rest} more"] if rest > 0 else [])]) or "no SNMP device"


def _kept(text: str) -> list["Kept"]:
    """Raises RecordError."""
    named = [part for part in text.split(",") if part]
    unknown = [part for part in named if part not in _KEEP]
    if unknown:
        raise RecordError(f"--keep {unknown[0]}: use names, addresses, or names,addresses")
    return [_KEEP[part] for part in named]


def _summary(output: Path, raw: "RawRecording", recording: "Recording", kept: Sequence["Kept"]) -> list[str]:
    from backstay_agent.recording.recorder import replaced
    from backstay_agent.recording.replay import not_understood

    reading, anonymised = raw.reading, recording.anonymised
    lines = [
        f"{output}: {len(anonymised.records):,} objects, {len(recording.data):,} bytes,"
        f" {raw.duration_s:.1f} s",
        f"read: {len(reading.inventory.ports)} ports, {len(reading.inventory.neighbours)} neighbours, "
        f"{len(reading.adjacencies)} adjacencies, {len(reading.forwarding)} forwarding entries, "
        f"{len(reading.metrics)} metrics",
        f"replaced: {replaced(anonymised)}{'; kept: ' + ', '.join(kept) if kept else ''}",
    ]
    lines += [f"not understood: {len(not_understood(reading))}; see backstay-agent read"]
    lines += [f"incomplete: {what}" for what in raw.incomplete]
    lines += [f"the replay differs: {', '.join(recording.differences)}"] if recording.differences else []
    return [
        *lines,
        "Look through the file before you send it: names of ports and other texts of the device remain.",
    ]


def _fail(why: str) -> NoReturn:
    # Error messages may contain device text: print one line without control characters.
    shown = "".join(letter if letter.isprintable() else " " for letter in why)
    typer.echo(f"backstay-agent: {shown}", err=True)
    raise typer.Exit(_FAILED)
