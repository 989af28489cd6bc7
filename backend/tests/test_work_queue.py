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


def test_deliveries_have_a_queue_of_their_own() -> None:
    """Tasks that wait for foreign servers do not share workers with rounds, unless one serves both queues."""
    names = (
        "backstay.alerts.tasks.deliver",
        "backstay.alerts.tasks.notify",
        "backstay.alerts.tasks.evaluate",
    )
    queues = [app.amqp.router.route({}, name)["queue"] for name in names]
    found = [queue if isinstance(queue, str) else queue.name for queue in queues]
    assert found == ["deliveries", "celery", "celery"]
    keys = {queue.name: queue.routing_key for queue in app.amqp.queues.values()}
    assert keys == {"celery": "celery", "deliveries": "deliveries"}
