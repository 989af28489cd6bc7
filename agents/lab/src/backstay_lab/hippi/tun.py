"""TUN devices (tun(4), the kernel's networking/tuntap): a host's end of its HIPPI channel pair."""

from __future__ import annotations

import fcntl
import os
import struct

from backstay_lab import netns
from backstay_lab.errors import LabError

IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
TUNSETIFF = 0x400454CA
TUNSETCARRIER = 0x400454E2


def open_tun(namespace: str, device: str) -> int:
    """A descriptor of a TUN device in a namespace, not blocking; the device is made if it is not there.

    A packet a read and a packet a write, no segmentation offload: each is one of at most the MTU. LabError
    when the process may not, for only root may open /dev/net/tun and set up devices.
    """
    request = struct.pack("16sH22x", device.encode(), IFF_TUN | IFF_NO_PI)

    def attach() -> int:
        descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.ioctl(descriptor, TUNSETIFF, request)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    try:
        return netns.inside(namespace, attach)
    except PermissionError as error:
        raise LabError(
            f"The HIPPI fabric may not open {device} in {namespace}: {error}.",
            "It needs TUN devices, and so root (CAP_NET_ADMIN and /dev/net/tun).",
        ) from error


def set_carrier(descriptor: int, up: bool) -> None:
    """Give or take the device's carrier."""
    fcntl.ioctl(descriptor, TUNSETCARRIER, struct.pack("I", up))
