"""One device of the SNMP collectors: its session, and the facts from its poll that other collectors need."""

from collections.abc import Sequence

from backstay_agent.collectors.snmp.profiles.profile import DeviceFacts
from backstay_agent.collectors.snmp.table_readings import TableReadings
from backstay_agent.host.clock import Clock
from backstay_agent.host.snmp.interface import SnmpSession
from backstay_agent.parsers.ifmib import Oid
from backstay_wire import PortState, TableReading


class DeviceView:
    """One device as its collector sees it; the profiles' collector reads it."""

    def __init__(self) -> None:
        self.device: DeviceFacts | None = None
        """None until the device has been discovered."""
        self.restarts = 0
        """Number of restarts of the device since the agent started."""

    def discovered(self, object_id: Oid, ports: Sequence[PortState]) -> None:
        """Record a discovery; `device` stays the same object while the device is unchanged."""
        device = DeviceFacts(object_id, tuple(ports))
        if device != self.device:
            self.device = device


class SnmpDeviceCollector:
    """What the collectors of one device share; each has its own session."""

    def __init__(
        self, *, device: str, interval_s: float, session: SnmpSession, view: DeviceView, clock: Clock
    ) -> None:
        self.device = device
        self.interval_s = interval_s
        self._session = session
        self._view = view
        self._clock = clock
        self._readings = TableReadings(clock)

    def table_readings(self) -> Sequence[TableReading]:
        """The newest read of each table."""
        return self._readings.newest()

    async def start(self) -> None:
        """The first request opens the socket."""

    async def stop(self) -> None:
        """Close the socket."""
        self._session.close()
