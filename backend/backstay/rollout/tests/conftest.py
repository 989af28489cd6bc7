"""Fixtures that several tests of changes use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_django import DjangoDbBlocker

from backstay.api.tests.world import kept
from backstay.rollout.tests.cluster import Cluster


@pytest.fixture
def cluster(db: None) -> Cluster:
    """Every node described, and every path reported."""
    return _reported()


@pytest.fixture(scope="module")
def reported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cluster]:
    """The same, made once per file, for files without a transactional test: their `cluster` is its copy."""
    with kept(django_db_blocker):
        yield _reported()


def _reported() -> Cluster:
    cluster = Cluster.make()
    cluster.world.describe()
    cluster.world.all_paths()
    return cluster
