"""Fixtures that several tests of policies use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import World, kept


@pytest.fixture
def world(reported: World, db: None) -> World:
    """Every node described, and every path reported: as if no other test had run."""
    return reported.copy()


@pytest.fixture(scope="module")
def reported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """Of a file without a transactional test: its rows stay until the file's end."""
    with kept(django_db_blocker):
        world = World.make()
        world.describe()
        world.all_paths()
        yield world
