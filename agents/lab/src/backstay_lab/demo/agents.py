"""The lab's agents: enrolled by one-time tokens, and started inside their nodes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from backstay_lab import public_api as api
from backstay_lab.demo import network
from backstay_lab.demo.children import Children
from backstay_lab.demo.files import write_private
from backstay_lab.demo.shutdown import Stopping
from backstay_lab.demo.site_dirs import SiteDirs
from backstay_lab.demo.steps import run

COMMAND_S = 60.0
MANY = 64
"""From this many agents on, they run at a lower priority, to leave a small machine usable."""
AT_ONCE = 4
"""Agents enrolled at the same time: each needs a second of processor time to start."""
ADMITTED_S = 30.0
"""Seconds to wait for one of them; a slower one does not delay the others."""


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """The public API's address and an administrator's token."""

    url: str
    token: str

    def get(self, path: str, site: str) -> list[dict[str, object]]:
        """All items of a site's list."""
        return api.every_item(f"{self.url}/api/v1/{path}?site={site}", self.token)


def start(place: SiteDirs, access: ApiAccess, children: Children, stopping: Stopping) -> list[str]:
    """Start the site's agents; the names of their nodes."""
    place.prepare()
    output = run(network.status(place), str(place.layout.data), stopping, COMMAND_S)
    nodes = network.agents(network.parse_status(output))
    known = {agent["node"] for agent in access.get("agents", place.site) if not agent["revoked"]}
    niceness = network.AGENT_NICENESS if len(nodes) < MANY else network.CROWDED_NICENESS
    admitted: list[str] = []
    for node in nodes:
        stopping.check()
        if node not in known or not place.identity(node).exists():
            admitted = wait_for_room(place, admitted, stopping)
            admit(place, access, node)
            admitted.append(node)
        children.start(network.agent(place, node, niceness))
    return nodes


def wait_for_room(place: SiteDirs, admitted: Sequence[str], stopping: Stopping) -> list[str]:
    """Wait until few agents hold an unused token; those that still do.

    All at once would overload the backend, and a late answer costs an agent its one-time token.
    """

    def waiting() -> list[str]:
        return [node for node in admitted if not place.identity(node).exists()]

    stopping.wait(lambda: len(waiting()) < AT_ONCE, ADMITTED_S)
    return waiting()


def admit(place: SiteDirs, access: ApiAccess, node: str) -> None:
    """Give an agent a one-time token and a clean state folder.

    An identity from a deleted database would be useless, because the backend does not know it.
    """
    shutil.rmtree(place.agent(node), ignore_errors=True)
    body = {"site": place.site, "node": node}
    answer = api.call(f"{access.url}/api/v1/enrolment-tokens", token=access.token, body=body)
    write_private(place.enrolment_file(node), answer["token"])


def import_site(place: SiteDirs, access: ApiAccess) -> str:
    """Send the lab's site file to the backend; the counts of the import as text."""
    body = {"text": place.site_file.read_text(), "name": place.site_file.name}
    report = api.call(
        f"{access.url}/api/v1/site-files", token=access.token, body=body, timeout_s=api.IMPORT_S
    )
    counts = ", ".join(f"{report[key]} {key}" for key in ("created", "changed", "removed", "unchanged"))
    return f"{report['site']}: {counts}"
