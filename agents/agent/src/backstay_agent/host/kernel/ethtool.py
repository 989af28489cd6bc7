"""A port's speed from its driver, by ioctl so that it is the port of *this* network namespace.

`/sys/class/net` shows the namespace that mounted it, which need not be ours.
Authority: linux/ethtool.h `struct ethtool_cmd` (ETHTOOL_GSET, open to every user).
"""

import array
import fcntl
import socket
import struct

_SIOCETHTOOL = 0x8946
_ETHTOOL_GSET = 0x00000001
_COMMAND_OCTETS = 44
_SPEED_LOW = 12
_SPEED_HIGH = 28
_UNKNOWN = (0, 0xFFFF, 0xFFFFFFFF)


def control_socket() -> socket.socket:
    """A socket for the requests, in the network namespace of this process."""
    return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)


def port_speed(control: socket.socket, name: str) -> int:
    """Speed of port `name` in bit/s, 0 when the driver has none or the port is gone.

    `control` is any AF_INET datagram socket of the namespace.
    """
    command = array.array("B", struct.pack("I", _ETHTOOL_GSET) + bytes(_COMMAND_OCTETS - 4))
    request = struct.pack("16sP", name.encode(), command.buffer_info()[0])
    try:
        fcntl.ioctl(control, _SIOCETHTOOL, request)
    except OSError:
        return 0
    (low,) = struct.unpack_from("H", command, _SPEED_LOW)
    (high,) = struct.unpack_from("H", command, _SPEED_HIGH)
    megabits = high << 16 | low
    return 0 if megabits in _UNKNOWN else megabits * 1_000_000
