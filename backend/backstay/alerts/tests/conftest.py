"""Fixtures that several tests of incidents use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from backstay.alerts import services
from backstay.alerts.selectors import cadence
from backstay.api.tests.world import World, kept


@pytest.fixture
def world(evaluated: World, db: None) -> World:
    """Every node described, with paths and one sample, evaluated once: as if no other test had run."""
    cadence.forget()
    return evaluated.copy()


@pytest.fixture(scope="module")
def evaluated(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Of a file without a transactional test: its rows stay until the file's end."""
    with kept(django_db_blocker):
        yield _evaluated()


@pytest.fixture
def own_world(db: None) -> World:
    """A world of the test alone, for files with a transactional test."""
    return _evaluated()


def _evaluated() -> World:
    world = World.make()
    world.describe()
    world.all_paths()
    world.sample()
    services.run_round(world.now)
    return world
