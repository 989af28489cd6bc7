"""Network namespaces by system call: create, list, delete, and run a function inside.

Namespaces are bind mounts in /run/netns, as with iproute2 (ip-netns(8)), so `ip netns` lists them. `ip
netns add` is not used: it returns to its original namespace, which an unprivileged user namespace may not
do (setns(2)). A thread that enters a namespace and ends there need not return.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from backstay_lab.errors import LabError

FOLDER = Path("/run/netns")

_CLONE_NEWNET = 0x40000000
_MS_BIND, _MS_REC, _MS_SHARED = 0x1000, 0x4000, 0x100000
_MNT_DETACH = 2
_libc = ctypes.CDLL(None, use_errno=True)

T = TypeVar("T")


def _check(result: int, what: str) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), what)


def _in_own_thread(work: Callable[[], T]) -> T:
    """Run `work` in a new thread; return its value or raise its error."""
    value: list[T] = []
    error: list[BaseException] = []

    def body() -> None:
        try:
            value.append(work())
        except BaseException as caught:
            error.append(caught)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if error:
        raise error[0]
    return value[0]


def inside(name: str, work: Callable[[], T]) -> T:
    """Run `work` inside the namespace; sockets and /proc/sys/net files opened there belong to it."""

    def body() -> T:
        descriptor = os.open(FOLDER / name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _check(_libc.setns(descriptor, _CLONE_NEWNET), f"setns {name}")
        finally:
            os.close(descriptor)
        return work()

    return _in_own_thread(body)


def prepare_folder() -> None:
    """Make /run/netns a shared mount, as ip-netns(8) does, so that every mount namespace sees our entries."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    folder = os.fsencode(FOLDER)
    if _libc.mount(b"", folder, b"none", _MS_SHARED | _MS_REC, None) == 0:
        return
    _check(_libc.mount(folder, folder, b"none", _MS_BIND | _MS_REC, None), "bind /run/netns")
    _check(_libc.mount(b"", folder, b"none", _MS_SHARED | _MS_REC, None), "share /run/netns")


def create(names: Iterable[str]) -> None:
    """Create these namespaces; LabError when the kernel does not permit it."""
    try:
        prepare_folder()
        for name in names:
            _in_own_thread(lambda name=name: _create_here(name))  # type: ignore[misc]
    except PermissionError as error:
        raise LabError(
            f"The kernel does not permit this process to create network namespaces ({error}).",
            "Run as root, or in a container with the capabilities NET_ADMIN and SYS_ADMIN.",
        ) from error


def _create_here(name: str) -> None:
    _check(_libc.unshare(_CLONE_NEWNET), f"unshare {name}")
    path = FOLDER / name
    path.touch(mode=0o444)
    try:
        _check(
            _libc.mount(b"/proc/thread-self/ns/net", os.fsencode(path), b"none", _MS_BIND, None),
            f"bind {path}",
        )
    except OSError:
        path.unlink()
        raise


def delete(names: Iterable[str]) -> None:
    """Unmount these namespaces; the kernel deletes each when its last process ends."""
    for name in names:
        path = FOLDER / name
        _libc.umount2(os.fsencode(path), _MNT_DETACH)
        with contextlib.suppress(FileNotFoundError):
            path.unlink()


def enter(name: str) -> list[str]:
    """The command prefix that runs a program inside a namespace."""
    return ["ip", "netns", "exec", name]


def listed(prefix: str) -> list[str]:
    """Names of the namespaces with this prefix."""
    try:
        return sorted(entry.name for entry in FOLDER.iterdir() if entry.name.startswith(prefix))
    except FileNotFoundError:
        return []


def processes(names: Iterable[str]) -> list[int]:
    """IDs of the processes in one of these network namespaces."""
    identities = {(FOLDER / name).stat().st_ino for name in names}
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # ended meanwhile, or another user's
                if (entry / "ns" / "net").stat().st_ino in identities:
                    found.append(int(entry.name))
    return found
