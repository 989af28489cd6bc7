"""Verifying a running demo, site by site, by the lab's own verb; the totals of all sites together."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence

from backstay_lab.demo import network
from backstay_lab.demo.errors import DemoError
from backstay_lab.demo.place import Place

_TOTAL = re.compile(r"^(\d+) passed, (\d+) failed$")


def chosen(places: Sequence[Place], wish: Sequence[str]) -> list[Place]:
    """The places of the sites that are meant, all when none is; DemoError for one that does not run."""
    by_name = {place.site: place for place in places}
    for site in wish:
        if site not in by_name:
            raise DemoError(
                f"The demo runs {', '.join(by_name)}, not {site}. Name one of them, or stop it first."
            )
    return [by_name[site] for site in wish] or list(places)


def verify(places: Sequence[Place], seconds: float | None, say: Callable[[str], None]) -> int:
    """Verify each site, pass on what is said, end with `N passed, N failed`. Returns the exit status."""
    passed = failed = 0
    for place in places:
        last = ""
        arguments = ["--demo", str(place.layout.demo_file)]
        arguments += [] if seconds is None else ["--seconds", f"{seconds:g}"]
        program = network.lab(place, "verify", "verify", *arguments)
        with subprocess.Popen(program.argv, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout or ():
                last = line.rstrip()
                if not _TOTAL.match(last):
                    say(last)
        good, bad = totals(last, place.site)
        passed, failed = passed + good, failed + bad
        say(f"{place.site}: {good} of {good + bad} passed")
    say(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def totals(line: str, site: str) -> tuple[int, int]:
    """(passed, failed) of a verification's last line; DemoError when it did not come to its end."""
    found = _TOTAL.match(line)
    if found is None:
        raise DemoError(f"The verification of {site} did not come to its end; its words are above.")
    return int(found[1]), int(found[2])
