"""A storm of traps and syslog lines of one device, sent evenly over UDP, with other alarms hidden in it."""

import socket
import time
from dataclasses import dataclass

from backstay_agent.host.snmp import ber, message
from backstay_agent.host.snmp.values import Oid
from backstay_testing.snmp_responder import Asked, Content, reply, text

COMMUNITY = "traps"
PER_SECOND = 1_000
_STEP = 20
"""Datagrams between two looks at the clock."""
_TRAP_OID: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0)
_UPTIME: Oid = (1, 3, 6, 1, 2, 1, 1, 3, 0)
_IF_NAME: Oid = (1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 1, 3)
_LINK_DOWN: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5, 3)
_LINK_UP: Oid = (1, 3, 6, 1, 6, 3, 1, 1, 5, 4)
PORTS = 8
"""The storm is about so many ports."""


def _trap(oid: Oid, port: str) -> bytes:
    asked = Asked(1, message.TRAP, COMMUNITY.encode(), 0, 0, ())
    named: Content = (ber.OBJECT, ber.encode_oid(oid))
    ticks: Content = (ber.TICKS, b"\x64")
    return reply(asked, [(_UPTIME, ticks), (_TRAP_OID, named), (_IF_NAME, text(port))], kind=message.TRAP)


HIDDEN: list[tuple[str, str]] = [
    ("link_down", "gh010"),
    ("gated_down", ""),
    ("link_down", "gh020"),
    ("link_up", "gh020"),
    ("link_down", "gh030"),
]
"""Names and subjects of the notices in the storm, in order: gh020 ends cleared."""
_KINDS = {"link_down": _LINK_DOWN, "link_up": _LINK_UP}
_GATED = b"<11>Oct 14 13:37:00 grf1 gated[12]: terminated"
_LINES = [
    b"<187>Oct 14 01:02:03 grf1 Interface ga%03d, changed state to down" % port for port in range(PORTS)
]
_TRAPS = [_trap(_LINK_DOWN, f"ga{port:03}") for port in range(PORTS)]


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where an agent receives, and the device's address from which it expects notices."""

    trap_port: int
    syslog_port: int
    device: str = "127.0.0.1"

    def storm(self, seconds: float, *, per_second: int = PER_SECOND) -> int:
        """Send for so long, half of it to each port; the number of datagrams."""
        total = round(seconds * per_second)
        hidden = {total * (number + 1) // (len(HIDDEN) + 1): kind for number, kind in enumerate(HIDDEN)}
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind((self.device, 0))
            start = time.monotonic()
            for number in range(total):
                if number in hidden:
                    self._hide(sender, hidden[number])
                self._send(sender, number)
                if number % _STEP == 0:
                    time.sleep(max(0.0, start + number / per_second - time.monotonic()))
        return total + len(hidden)

    def flood(self, count: int) -> None:
        """Send so many syslog lines at once."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind((self.device, 0))
            for number in range(count):
                sender.sendto(_LINES[number % PORTS], ("127.0.0.1", self.syslog_port))

    def _send(self, sender: socket.socket, number: int) -> None:
        if number % 2:
            sender.sendto(_LINES[number // 2 % PORTS], ("127.0.0.1", self.syslog_port))
        else:
            sender.sendto(_TRAPS[number // 2 % PORTS], ("127.0.0.1", self.trap_port))

    def _hide(self, sender: socket.socket, kind: tuple[str, str]) -> None:
        name, subject = kind
        if name in _KINDS:
            sender.sendto(_trap(_KINDS[name], subject), ("127.0.0.1", self.trap_port))
        else:
            sender.sendto(_GATED, ("127.0.0.1", self.syslog_port))
