"""The farm of simulated devices: farm.c, compiled for this run, as a process of its own."""

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

_SOURCE = Path(__file__).with_name("farm.c")


class NoCompilerError(Exception):
    """There is no C compiler to build the farm with."""


@contextlib.contextmanager
def farm(folder: Path, first_port: int, devices: int, ports: int) -> Iterator[int]:
    """Devices on 127.0.0.1 from UDP `first_port` on, until the block ends; gives the farm's process id.

    Raises NoCompilerError, OSError and subprocess.SubprocessError.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise NoCompilerError("no C compiler: install gcc")
    program = folder / "farm"
    subprocess.run([compiler, "-O2", "-o", str(program), str(_SOURCE)], check=True, timeout=60)
    process = subprocess.Popen(
        [str(program), str(first_port), str(devices), str(ports)], stdout=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != b"ready\n":
            raise OSError("the farm did not start: its UDP ports are taken")
        yield process.pid
    finally:
        process.kill()
        process.wait()
