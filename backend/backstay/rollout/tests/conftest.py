"""Fixtures that several tests of changes use."""

from __future__ import annotations

import pytest

from backstay.rollout.tests.cluster import Cluster


@pytest.fixture
def cluster(db: None) -> Cluster:
    """Every node described, and every path reported."""
    cluster = Cluster.make()
    cluster.world.describe()
    cluster.world.all_paths()
    return cluster
