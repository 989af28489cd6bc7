"""What a page reads belongs to one point in time, whatever is written meanwhile."""

from __future__ import annotations

import threading

import pytest
from django.db import InternalError, connections

from backstay.api.tests.world import World
from backstay.inventory.read_transaction import read_transaction
from backstay.policy.models import Path


@pytest.mark.django_db(transaction=True)
def test_a_read_transaction_sees_one_point_in_time() -> None:
    world = World.make()
    world.all_paths()

    def elsewhere() -> None:
        try:
            Path.objects.filter(policy__site=world.site).update(active_text="atmgw")
        finally:
            connections.close_all()

    with read_transaction():
        before = set(Path.objects.values_list("active_text", flat=True))
        writer = threading.Thread(target=elsewhere)
        writer.start()
        writer.join(timeout=30)
        assert set(Path.objects.values_list("active_text", flat=True)) == before == {"grf1"}
    assert set(Path.objects.values_list("active_text", flat=True)) == {"atmgw"}


@pytest.mark.django_db(transaction=True)
def test_a_read_transaction_writes_nothing() -> None:
    with pytest.raises(InternalError, match="read-only"), read_transaction():
        Path.objects.update(active_text="atmgw")
