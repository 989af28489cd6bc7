"""What the poll of one device has found out that its profiles need to know."""

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
        """How often the device restarted since the agent did."""

    def discovered(self, object_id: Oid, ports: Sequence[PortState]) -> None:
        """Note a discovery; `device` stays the same object while the device is as it was."""
        device = Device(object_id, tuple(ports))
        if device != self.device:
            self.device = device
