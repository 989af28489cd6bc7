"""Run every command of docs/tour.md against a running demo; write a JUnit report with one case per section.

    python .ci/tour.py REPORT.xml

BACKSTAY_DEMO_JSON and BACKSTAY_LAB_STATE name the demo. A comment above a block of commands tunes its run:
`<!-- test: status 0 or 1 -->` lists the exit statuses that its commands may have,
`<!-- test: sleep 6 after the first line -->` waits like a reader,
`<!-- test: failback before -->` until no path has been on a fallback for 25 s, since that changes routes.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "docs" / "tour.md"
TIMEOUT_S = 420
_BLOCK = re.compile(
    r"^(?:<!-- test: (?P<hint>[^\n]*) -->\n)?```sh\n(?P<commands>.*?)^```", re.MULTILINE | re.DOTALL
)
_SECTION = re.compile(r"^#+ (.*)$", re.MULTILINE)
_PRELUDE = """\
failback() {
  local end=$((SECONDS + 180)) since=$SECONDS
  while [ $((SECONDS - since)) -lt 25 ] && [ $SECONDS -lt $end ]; do
    grep -q ', 0 on a fallback' <<< "$(backstay status || true)" || since=$SECONDS
    sleep 1
  done
}
set -uE -o pipefail
trap 'status=$?; case " $allowed " in *" $status "*) ;; *)echo "@failed $status $BASH_COMMAND" >&2;; esac' ERR
"""


@dataclass(frozen=True, slots=True)
class Block:
    """Commands of one section, their allowed exit statuses, and what to wait for before and within them."""

    section: str
    commands: str
    allowed: str = "0"
    before: str = ":"
    after_first_line_s: int = 0

    def script(self) -> str:
        """The block as bash, with a marker line that names its section."""
        first, _, rest = self.commands.partition("\n")
        return (
            f"echo '@section {self.section}'\nallowed='{self.allowed}'\n{self.before}\n"
            f"{first}\nsleep {self.after_first_line_s}\n{rest}"
        )


def blocks(text: str) -> Iterator[Block]:
    """The command blocks of a Markdown document, in order."""
    for match in _BLOCK.finditer(text):
        section = _SECTION.findall(text, 0, match.start())[-1]
        hint = match["hint"] or ""
        statuses = re.match(r"status (.*)", hint)
        before = re.match(r"(failback) before", hint)
        after = re.match(r"sleep (\d+) after", hint)
        yield Block(
            section,
            match["commands"],
            " ".join(re.findall(r"\d+", statuses[1])) if statuses else "0",
            before[1] if before else ":",
            int(after[1]) if after else 0,
        )


def run(script: str) -> str:
    """The output of bash; a run beyond the time limit counts as a failed command of the last section."""
    with subprocess.Popen(
        ["/bin/bash", "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        try:
            output, _ = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            output = f"{process.communicate()[0]}\n@failed - not finished after {TIMEOUT_S} s\n"
    return output


def report(output: str, sections: list[str]) -> ET.Element:
    """JUnit cases: a section fails if one of its commands failed or the run did not reach it."""
    parts = re.split(r"^@section (.*)\n", output, flags=re.MULTILINE)
    seen: dict[str, str] = {}
    for section, text in zip(parts[1::2], parts[2::2], strict=True):
        seen[section] = seen.get(section, "") + text
    suite = ET.Element("testsuite", name="tour")
    for section in dict.fromkeys(sections):
        case = ET.SubElement(suite, "testcase", classname="docs.tour", name=section)
        failures = re.findall(r"^@failed (.*)$", seen.get(section, "@failed - not reached"), re.MULTILINE)
        if failures:
            ET.SubElement(case, "failure", message="; ".join(failures)).text = seen.get(section, "")
    return suite


def main(path: str) -> int:
    """Returns 1 if a command failed."""
    tour = list(blocks(TOUR.read_text()))
    began = time.monotonic()
    output = run(_PRELUDE + "".join(block.script() for block in tour) + "\nexit 0\n")
    suite = report(output, [block.section for block in tour])
    ET.ElementTree(suite).write(path)
    failed = len(suite.findall("testcase/failure"))
    if failed:
        print(output)
    print(f"tour: {len(suite)} sections, {failed} failed ({time.monotonic() - began:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
