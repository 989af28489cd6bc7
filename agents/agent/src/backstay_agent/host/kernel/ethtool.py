"""A port's speed from its driver, by ioctl so that it is the port of *this* network namespace, and the
counters of Mellanox adapters, by the program ethtool.

`/sys/class/net` shows the namespace that mounted it, which need not be ours.
Authority: linux/ethtool.h `struct ethtool_cmd` (ETHTOOL_GSET, open to every user).
"""

import array
import fcntl
import shutil
import socket
import struct
from pathlib import Path

from backstay_agent.host import programs

_SIOCETHTOOL = 0x8946
_ETHTOOL_GSET = 0x00000001
_COMMAND_OCTETS = 44
_SPEED_LOW = 12
_SPEED_HIGH = 28
_UNKNOWN = (0, 0xFFFF, 0xFFFFFFFF)
_PORTS = Path("/sys/class/net")
_MLX5 = "mlx5_core"
_MLX5_DRIVER = Path("/sys/bus/pci/drivers") / _MLX5
_PROGRAM = "ethtool"
_ASK_S = 5.0


class NoStatisticsError(Exception):
    """ethtool cannot read the counters of this port."""


def has_mlx5() -> bool:
    """Whether the driver mlx5 is loaded and ethtool is installed."""
    return _MLX5_DRIVER.is_dir() and shutil.which(_PROGRAM) is not None


def mlx5_ports(root: Path = _PORTS) -> list[str]:
    """Names of the ports of that driver; empty without sysfs."""
    try:
        drivers = {port.name: (port / "device" / "driver").resolve().name for port in root.iterdir()}
    except OSError:
        return []
    return sorted(name for name, driver in drivers.items() if driver == _MLX5)


async def statistics(name: str) -> str:
    """The output of `ethtool -S NAME`. Raises NoStatisticsError, TimeoutError."""
    try:
        ended = await programs.run((_PROGRAM, "-S", name), timeout_s=_ASK_S)
    except programs.NoProgramError as error:
        raise NoStatisticsError(str(error)) from error
    if ended.status != 0:
        raise NoStatisticsError((ended.err or ended.out).strip()[:200] or f"status {ended.status}")
    return ended.out


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
