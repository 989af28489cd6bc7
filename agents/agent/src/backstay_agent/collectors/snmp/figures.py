"""Collector `snmp-figures`: what a device tells beyond traffic, by its profiles.

It has a session of its own, so that a long table never delays the poll of the traffic counters. A profile
that fails is named in the outcome; the others are read all the same.
"""

from collections.abc import Sequence

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.snmp.profile_reader import ProfileReader
from backstay_agent.collectors.snmp.profiles import Device, Profile, profiles_of
from backstay_agent.collectors.snmp.view import DeviceView
from backstay_agent.emit import Emit
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.values import Session, SnmpError, SnmpTimeoutError
from backstay_wire import CollectorOutcome


class SnmpFigures:
    """One device's profiles."""

    name = "snmp-figures"
    limit_s = 120.0
    """Some tables, each of which may take 30 s."""

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        session: Session,
        view: DeviceView,
        clock: Clock,
        emit: Emit,
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._session = session
        self._view = view
        self._clock = clock
        self._emit = emit
        self._device: Device | None = None
        self._fitting: Sequence[Profile] = ()
        self._readers: dict[str, ProfileReader] = {}

    async def start(self) -> None:
        """The first request opens the socket."""

    async def stop(self) -> None:
        """Close the socket."""
        self._session.close()

    async def collect(self) -> Ran:
        """Read every profile that fits. Raises NoAnswerError and UnusableError."""
        device = self._view.device
        if device is None:
            return Ran(CollectorOutcome.NO_DATA, "the device has not been discovered yet")
        if device is not self._device:
            self._device, self._fitting = device, profiles_of(device)
            self._readers = {
                profile.name: self._readers.get(profile.name) or self._reader(profile.name)
                for profile in self._fitting
            }
        now = self._clock.monotonic_ns()
        failed: list[str] = []
        for profile in self._fitting:
            reader = self._readers[profile.name]
            if not reader.is_due(now, self._view.restarts):
                continue
            try:
                await reader.read(profile, device, self._view.restarts)
            except SnmpTimeoutError as error:
                reader.missed = True
                raise NoAnswerError(f"{profile.name}: {error}") from error
            except SnmpError as error:
                reader.missed = True
                failed.append(f"{profile.name}: {error}")
        if failed:
            raise UnusableError("; ".join(failed)[:1024])
        if not any(reader.has_rows for reader in self._readers.values()):
            return Ran(CollectorOutcome.NO_DATA, "the device has none of the tables that its profiles read")
        return Ran()

    def _reader(self, profile: str) -> ProfileReader:
        return ProfileReader(
            device=self.device,
            name=f"snmp-{profile}",
            session=self._session,
            clock=self._clock,
            emit=self._emit,
        )
