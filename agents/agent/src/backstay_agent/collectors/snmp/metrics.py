"""Collector `snmp-metrics`: a device's metrics beyond traffic, by its profiles.

It uses its own session, so that a long table never delays the poll of the traffic counters. A profile that
fails is named in the outcome; the others are still read.
"""

from collections.abc import Sequence

from backstay_agent.collectors.base import NoAnswerError, Ran, UnusableError
from backstay_agent.collectors.snmp.profile_reader import ProfileReader
from backstay_agent.collectors.snmp.profiles import DeviceFacts, Profile, profiles_of
from backstay_agent.collectors.snmp.view import DeviceView, SnmpDeviceCollector
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.host.snmp.values import SnmpError, SnmpTimeoutError
from backstay_agent.report_sink import ReportSink
from backstay_wire import CollectorOutcome

_NO_TABLES = "the device has none of the tables that its profiles read"


class SnmpMetrics(SnmpDeviceCollector):
    """One device's profiles."""

    name = "snmp-metrics"
    limit_s = 120.0
    """Several tables, each of which may take 30 s."""

    def __init__(
        self,
        *,
        device: str,
        interval_s: float,
        session: SnmpSession,
        view: DeviceView,
        clock: Clock,
        emit: ReportSink,
    ) -> None:
        super().__init__(device=device, interval_s=interval_s, session=session, view=view, clock=clock)
        self._emit = emit
        self._device: DeviceFacts | None = None
        self._fitting: Sequence[Profile] = ()
        self._readers: dict[str, ProfileReader] = {}
        self._restarts = 0
        self._due_ns = 0
        """When a profile is next due, unless the device restarts before."""
        self._ran = Ran()

    async def collect(self) -> Ran:
        """Read every matching profile. Raises NoAnswerError and UnusableError."""
        device = self._view.device
        if device is None:
            return Ran(CollectorOutcome.NO_DATA, "the device has not been discovered yet")
        if device is not self._device:
            self._take_up(device)
        now, restarts = self._clock.monotonic_ns(), self._view.restarts
        if now < self._due_ns and restarts == self._restarts:
            return self._ran
        self._due_ns, self._restarts = 0, restarts
        await self._read(device, now)
        readers = self._readers.values()
        self._due_ns = min((reader.due_ns for reader in readers), default=0)
        if any(reader.has_rows for reader in readers):
            self._ran = Ran(detail=self._not_understood()[:1024])
        else:
            self._ran = Ran(CollectorOutcome.NO_DATA, _NO_TABLES)
        return self._ran

    def _not_understood(self) -> str:
        """`lldp: 3 neighbours on unlisted ports`, for every profile with such rows."""
        return "; ".join(
            f"{profile}: {count} {rows}"
            for profile, reader in self._readers.items()
            for rows, count in reader.not_understood.items()
        )

    def _take_up(self, device: DeviceFacts) -> None:
        """Select the profiles that fit the device's current state."""
        self._device, self._fitting, self._due_ns = device, profiles_of(device), 0
        self._readers = {
            profile.name: self._readers.get(profile.name) or self._reader(profile.name)
            for profile in self._fitting
        }
        self._readings.keep(set(self._readers))

    async def _read(self, device: DeviceFacts, now: int) -> None:
        """Read every profile that is due. Raises NoAnswerError, and UnusableError if some failed."""
        failed: list[str] = []
        for profile in self._fitting:
            reader = self._readers[profile.name]
            if not reader.is_due(now, self._restarts):
                continue
            try:
                await reader.read(profile, device, self._restarts)
            except SnmpTimeoutError as error:
                reader.missed = True
                raise NoAnswerError(f"{profile.name}: {error}") from error
            except SnmpError as error:
                reader.missed = True
                failed.append(f"{profile.name}: {error}")
        if failed:
            raise UnusableError("; ".join(failed)[:1024])

    def _reader(self, profile: str) -> ProfileReader:
        return ProfileReader(
            device=self.device,
            name=f"snmp-{profile}",
            readings=self._readings,
            session=self._session,
            clock=self._clock,
            emit=self._emit,
        )
