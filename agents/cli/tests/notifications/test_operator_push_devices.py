"""`backstay notify devices`: one's devices with push, what keeps messages away, and removal."""

from __future__ import annotations

from backstay.api.push.schemas import PushOut
from backstay_testing.cli.fake_server import AT, Run, World
from backstay_testing.cli.notifications import push_device


def test_devices_are_listed_with_their_state(run: Run) -> None:
    done = run("notify", "devices")
    assert done.code == 0
    assert "5 Firefox on Android push.example.org ok" in done.squeezed()


def test_failing_device_shows_its_reason_and_gives_exit_code_1(world: World, run: Run) -> None:
    world.answers["GET", "/push-devices"] = [push_device(failing_since=AT, failure="Refused.")]
    done = run("notify", "devices")
    assert done.code == 1
    assert "Refused." in done.out


def test_what_keeps_messages_away_is_named(world: World, run: Run) -> None:
    world.answers["GET", "/push-devices"] = []
    assert run("notify", "devices").out == "You have no device with push.\n"
    for allowed, text in ((True, "No notification route of argonne"), (False, "argonne does not allow push")):
        world.answers["GET", "/push"] = PushOut(
            site="argonne", is_allowed=allowed, is_routed=False, public_key=""
        )
        assert run("notify", "devices").out.startswith(text)


def test_device_is_removed_by_its_number(world: World, run: Run) -> None:
    assert run("notify", "devices", "5", "--remove").out == "Push is off on device 5.\n"
    assert world.made("DELETE", "/push-devices/5")
    assert run("notify", "devices", "--remove").code == 2
    assert run("notify", "devices", "6").code == 2
