"""A worker outlives its Redis: it connects again, however the connection was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from kombu import Connection
from kombu.common import ignore_errors

from config.celery import app
from tests.test_flow_live import start_redis


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = str(tmp_path_factory.mktemp("r") / "queue.sock")
    server = start_redis(path)
    yield f"redis+socket://{path}"
    server.kill()
    server.wait(10)


def test_channel_of_a_lost_connection_can_be_closed(broker: str) -> None:
    """What the worker does after it has lost the connection, with a task that it has not acknowledged."""
    with Connection(broker, transport_options=app.conf.broker_transport_options) as connection:
        queue = connection.SimpleQueue("tasks")
        queue.put("round")
        queue.get(timeout=5)
        channel: Any = queue.channel
        channel._disconnect_pools()
        channel.connection.client = None
        ignore_errors(connection, channel.close)
    with Connection(broker) as again, again.SimpleQueue("tasks") as tasks:
        tasks.put("next round")
        assert tasks.get(timeout=5).payload == "next round"


def test_a_task_goes_to_one_queue_only(broker: str) -> None:
    """Rounds never reach the queue of deliveries, which a worker of its own serves, nor the reverse."""
    with Connection(broker) as connection:
        for queue in app.amqp.queues.values():
            queue(connection.channel()).declare()
        for task, own in (
            ("backstay.alerts.tasks.notify", "celery"),
            ("backstay.alerts.tasks.deliver", "deliveries"),
        ):
            app.send_task(task, connection=connection)
            sizes = {name: connection.default_channel.client.llen(name) for name in ("celery", "deliveries")}
            assert sizes == {"celery": 0, "deliveries": 0} | {own: 1}
            connection.default_channel.client.delete("celery", "deliveries")
