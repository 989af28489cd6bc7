"""Records one device: reads it as its collectors do, anonymises what it returned, and replays the result."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from backstay_agent import __version__
from backstay_agent.collectors.snmp.device_reading import DeviceReading, read_device
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.session import open_session
from backstay_agent.host.snmp.values import SnmpError
from backstay_agent.recording.anonymiser import Anonymised, Kept, anonymise
from backstay_agent.recording.replay import DEVICE, INTERVAL, replay, structure
from backstay_agent.recording.session import RecordingLimits, RecordingSession
from backstay_agent.recording.snmprec import Header, Record, write
from backstay_wire import SnmpSource, SnmpV2c

FORMAT = "1"


@dataclass(frozen=True, slots=True)
class RawRecording:
    """What a device returned, with its names and addresses: never written."""

    records: Sequence[Record]
    reading: DeviceReading
    incomplete: Sequence[str]
    at_ns: int
    duration_s: float


@dataclass(frozen=True, slots=True)
class Recording:
    """An anonymised recording."""

    data: bytes
    anonymised: Anonymised
    differences: Sequence[str]
    """Groups of values that the replay reads otherwise than the device was read."""


async def record(
    source: SnmpSource, limits: RecordingLimits, clock: Clock, local_offset: timedelta
) -> RawRecording:
    """Read the device within the limits.

    Raises SnmpTimeoutError and SnmpError if it does not answer its first requests.
    """
    session = RecordingSession(
        lambda poll_limits, observe: open_session(source, poll_limits, observe), limits, clock
    )
    at_ns, began_ns = clock.wall_ns(), clock.monotonic_ns()
    try:
        reading = await read_device(
            session, clock, device=DEVICE, interval_s=source.interval_s, local_offset=local_offset
        )
    finally:
        session.close()
    if not session.records:
        raise SnmpError("the device returned none of the requested objects")
    return RawRecording(
        records=sorted(session.records.values()),
        reading=reading,
        incomplete=session.incomplete,
        at_ns=at_ns,
        duration_s=(clock.monotonic_ns() - began_ns) / 1e9,
    )


def publish(
    raw: RawRecording, source: SnmpSource, random: Random, *, keep: Collection[Kept], replace: Iterable[str]
) -> Recording:
    """The recording without the site's names and addresses; `replace` are further texts to be replaced.

    Raises AnonymiseError.
    """
    secrets = [*replace, source.device, *_credentials(source)]
    anonymised = anonymise(raw.records, random, keep=keep, secrets=secrets)
    before = structure(raw.reading)
    after = structure(replay(anonymised.records, source.interval_s))
    return Recording(
        data=write(_header(raw, source, anonymised, keep), anonymised.records),
        anonymised=anonymised,
        differences=[name for name, value in before.items() if after[name] != value],
    )


def _credentials(source: SnmpSource) -> list[str]:
    """No collector requests an object that has one; if a text has it nevertheless, it is replaced."""
    access = source.access
    if isinstance(access, SnmpV2c):
        return [access.community.get_secret_value()]
    return [access.user, access.auth_key.get_secret_value(), access.priv_key.get_secret_value()]


def _header(raw: RawRecording, source: SnmpSource, anonymised: Anonymised, keep: Collection[Kept]) -> Header:
    tables = raw.reading.tables
    return {
        "backstay recording": [FORMAT],
        "tool": [f"backstay-agent {__version__}"],
        "recorded": [datetime.fromtimestamp(raw.at_ns / 1e9, UTC).isoformat(timespec="seconds")],
        "SNMP version": [source.access.version],
        INTERVAL: [f"{source.interval_s:g}"],
        "objects": [str(len(anonymised.records))],
        "replaced": [replaced(anonymised)],
        "kept": [", ".join(sorted(keep)) or "nothing"],
        "asked": [
            f"{table.table} ({collector}), {table.columns} columns, {table.rows} rows"
            for collector, table in tables
        ],
        "incomplete": list(raw.incomplete),
    }


def replaced(anonymised: Anonymised) -> str:
    """`3 names, 12 addresses, 5 MAC addresses`."""
    return f"{anonymised.names} names, {anonymised.addresses} addresses, {anonymised.macs} MAC addresses"
