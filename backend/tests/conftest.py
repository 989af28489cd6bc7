"""The site, agent and time of the tests of the agent protocol."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from backstay.intake.site_files import import_text
from bench.agent_requests import enrolled
from bench.site import AgentIdentity, switch_site


@pytest.fixture
def site(db: None) -> str:
    import_text(switch_site("lab", devices=4, ports=2, agents=2), "lab.yaml", timezone.now())
    return "lab"


@pytest.fixture
def identity(site: str, client: Client) -> AgentIdentity:
    """The agent of mgmt0, which polls sw000 and sw002."""
    return enrolled(client, site, "mgmt0")


@pytest.fixture
def now() -> int:
    return int(timezone.now().timestamp() * 1e6) * 1000
