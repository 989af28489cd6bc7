"""This host's name, description, uptime and time zone."""

import platform
import socket
import time
from datetime import timedelta


def hostname() -> str:
    """The kernel's host name (uname(2))."""
    return socket.gethostname()


def description() -> str:
    """Kernel name, release and machine."""
    return f"{platform.system()} {platform.release()} {platform.machine()}"


def uptime_s() -> float:
    """Seconds since the host booted, including suspended time (CLOCK_BOOTTIME)."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def utc_offset() -> timedelta:
    """This host's offset from UTC, including summer time."""
    return timedelta(seconds=time.localtime().tm_gmtoff)
