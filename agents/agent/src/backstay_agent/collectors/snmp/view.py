"""Facts from the poll of one device that its profiles need."""

from collections.abc import Sequence

from backstay_agent.collectors.snmp.profiles.profile import Device
from backstay_agent.parsers.ifmib import Oid
from backstay_wire import PortState


class DeviceView:
    """One device as its collector sees it; the profiles' collector reads it."""

    def __init__(self) -> None:
        self.device: Device | None = None
        """None until the device has been discovered."""
        self.restarts = 0
        """Number of restarts of the device since the agent started."""

    def discovered(self, object_id: Oid, ports: Sequence[PortState]) -> None:
        """Record a discovery; `device` stays the same object while the device is unchanged."""
        device = Device(object_id, tuple(ports))
        if device != self.device:
            self.device = device
