"""Fixtures that several tests of policies use."""

from __future__ import annotations

import pytest

from backstay.api.tests.world import World


@pytest.fixture
def world(db: None) -> World:
    """Every node described, and every path reported."""
    world = World.make()
    world.describe()
    world.all_paths()
    return world
