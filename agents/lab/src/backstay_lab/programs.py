"""Runs the lab's programs, and names the Debian packages of missing ones."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from backstay_lab.errors import LabError

PACKAGES = {
    "ip": "iproute2",
    "tc": "iproute2",
    "nft": "nftables",
    "bird": "bird2",
    "birdc": "bird2",
    "snmpd": "snmpd",
    "snmpset": "snmp",
    "iperf3": "iperf3",
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "sysctl": "procps",
}
"""Program to Debian package."""

TIMEOUT_S = 20.0


def add_sbin_to_path() -> None:
    """An unprivileged user's PATH often lacks the folders of ip, nft, bird and snmpd."""
    parts = os.environ.get("PATH", os.defpath).split(os.pathsep)
    extra = [folder for folder in ("/usr/local/sbin", "/usr/sbin", "/sbin") if folder not in parts]
    os.environ["PATH"] = os.pathsep.join(parts + extra)


def require(packages_of: Mapping[str, str] = PACKAGES) -> None:
    """LabError lists the packages of all missing programs."""
    missing = sorted(program for program in packages_of if shutil.which(program) is None)
    if missing:
        packages = " ".join(sorted({packages_of[program] for program in missing}))
        raise LabError(
            f"These programs are missing: {', '.join(missing)}.",
            f"Install them: apt-get install --no-install-recommends {packages}",
        )


def run(argv: Sequence[str], *, text: str | None = None, timeout: float = TIMEOUT_S) -> str:
    """The program's standard output; LabError with its own message when it fails or takes too long.

    `text` goes to its standard input.
    """
    try:
        done = subprocess.run(argv, input=text, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired as error:
        raise LabError(
            f"{argv[0]} did not finish within {timeout:g} s.", f"Command: {' '.join(argv)}"
        ) from error
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip() or "no error output").splitlines()
        raise LabError(
            f"{argv[0]} failed (status {done.returncode}): {'; '.join(lines[:3])}",
            f"Command: {' '.join(argv)}",
        )
    return done.stdout
