"""Fixtures that several tests of incidents use."""

from __future__ import annotations

import pytest

from backstay.alerts import services
from backstay.api.tests.world import World


@pytest.fixture
def world(db: None) -> World:
    """Every node described, with paths and one sample, evaluated once."""
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample()
    services.run_round(world.now)
    return world
