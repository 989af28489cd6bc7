"""Fixtures that several tests of incidents use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.api.tests.world import World, kept


@pytest.fixture
def world(db: None) -> World:
    """Every node described, with paths and one sample, evaluated once."""
    return _evaluated()


@pytest.fixture(scope="module")
def evaluated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """The same, made once per file, for files without a transactional test: their `world` is its copy."""
    with kept(django_db_blocker):
        yield _evaluated()


def _evaluated() -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample()
    services.run_round(world.now)
    return world
