"""Keeps an unprivileged lab's user and mount namespaces open.

It mounts an empty /run/netns in its mount namespace, prints `ready`, and sleeps until it is terminated or
its state folder is gone.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from backstay_lab.programs import run

CHECK_S = 2.0


def main() -> None:
    """`python -m ...namespace_holder STATE`, started by unshare(1) as root of a user namespace."""
    state = Path(sys.argv[1])
    folder = Path("/run/netns")
    if folder.is_dir():
        run(["mount", "-t", "tmpfs", "backstay-lab", str(folder)])
    else:
        run(["mount", "-t", "tmpfs", "backstay-lab", "/run"])
        folder.mkdir()
    print("ready", flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.chdir("/")
    while state.is_dir():
        time.sleep(CHECK_S)


if __name__ == "__main__":
    main()
