"""Reports of a cut in random orders, through the real rules, rounds and outbox: one message, one root."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backstay.alerts import services
from backstay.alerts.models import Channel, Notification, NotificationRoute
from backstay.alerts.notify import outbox
from backstay.alerts.tests.test_root_causes import CUT
from backstay.alerts.tests.test_waiting_incidents import SPREAD_S, reports_of_a_cut, undone
from backstay.api.tests.world import World

pytestmark = pytest.mark.slow


@settings(
    deadline=None,
    max_examples=3,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_cut_is_one_message_in_any_order_of_its_reports(world: World, data: st.DataObject) -> None:
    channel = Channel.objects.get_or_create(
        site=world.site, name="ops", kind="webhook", defaults={"changed_at": world.now}
    )[0]
    steps = [{"after_s": 0, "channels": [channel.pk], "schedules": []}]
    NotificationRoute.objects.get_or_create(
        site=world.site, name="all", defaults={"steps": steps, "changed_at": world.now}
    )
    with undone(world):
        world.forward(1)
        world.down |= CUT
        for step in data.draw(st.permutations(reports_of_a_cut(world))):
            step()
            world.forward(SPREAD_S)
            services.run_round(world.now)
            outbox.notify_site(world.site, world.now)
        for _ in range(6):
            world.forward(4)
            world.sample()
            services.run_round(world.now)
            outbox.notify_site(world.site, world.now)
        (message,) = Notification.objects.all()
        (listed,) = message.content["incidents"]
        assert (message.reason, message.content["more"], listed["kind"]) == ("opened", 0, "gateway_isolated")
