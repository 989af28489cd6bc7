"""One point in time for everything that a page reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def read_transaction() -> Iterator[None]:
    """Every read inside sees one database snapshot: REPEATABLE READ, READ ONLY.

    The snapshot is taken by the first read. Inside another transaction, that transaction's isolation applies.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
