"""gdc and gated in one small program, for tests of the actuator alone: it supports only `default gateway A
preference N ;`, installs the best route whose port is up as a kernel route, and dumps like release 3. It
needs no daemon; the lab's stand-in is the more complete one.

`python -m backstay_testing.fake_gdc FOLDER COMMAND`
"""

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

_STATIC = re.compile(r"default gateway (\S+) preference (\d+) ;")
_KNOWN = re.compile(r"(static \{|\} ;|#.*|default gateway \d+\.\d+\.\d+\.\d+ preference \d+ ;|)")
_HEAD = (
    "\n\t+ = Active Route, - = Last Active, * = Both\n\n\n\tRouting table for inet (2):\n"
    "\t\tDestinations: 1\tRoutes: 2\n\t\tHolddown: 0\tDelete: 0\tHidden: 0\n\n"
    "\tdefault        \tmask default        \n\t\t\tentries 2\tannounce 1\n\n"
)


def _statics(conf: Path) -> list[tuple[int, str]]:
    return sorted((int(preference), gateway) for gateway, preference in _STATIC.findall(conf.read_text()))


def _check(conf: Path) -> int:
    bad = [line for line in conf.read_text().splitlines() if not _KNOWN.fullmatch(line.strip())]
    for line in bad:
        print(f"parse error at: {line}")
    return 1 if bad else 0


def _reconfig(conf: Path) -> int:
    for _, gateway in _statics(conf):
        argv = ["ip", "route", "replace", "default", "via", gateway, "proto", "gated"]
        if subprocess.run(argv, check=False, capture_output=True).returncode == 0:
            return 0
    return 0


def _dump(folder: Path, conf: Path) -> int:
    routes = [
        f"\t\t{'*' if place == 0 else ''}Static\tPreference: {preference:3d}\n"
        f"\t\t\tNextHop: {gateway:<15}\n\t\t\tState: <Int {'Active ' if place == 0 else ''}Gateway>\n\n"
        for place, (preference, gateway) in enumerate(_statics(conf))
    ]
    (folder / "gated_dump").write_text(_HEAD + "".join(routes))
    return 0


def _shift(*files: Path) -> int:
    """Each file replaces the next."""
    for old, new in reversed(list(pairwise(files))):
        if old.exists():
            old.rename(new)
    return 0


def main() -> int:
    """Returns gdc's exit status."""
    folder, command = Path(sys.argv[1]), sys.argv[2]
    conf = folder / "gated.conf"
    new, old, older = (Path(f"{conf}{ending}") for ending in ("+", "-", "--"))
    commands: dict[str, Callable[[], int]] = {
        "running": lambda: 0,
        "start": lambda: 0,
        "checknew": lambda: _check(new),
        "newconf": lambda: _shift(new, conf, old, older),
        "backout": lambda: _shift(older, old, conf, new),
        "reconfig": lambda: _check(conf) or _reconfig(conf),
        "dump": lambda: _dump(folder, conf),
    }
    return commands[command]()


if __name__ == "__main__":
    raise SystemExit(main())
