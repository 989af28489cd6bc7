"""`backstay manage-again`: an operator clears what was released on a node."""

from backstay_testing.cli.fake_server import Run, World


def test_a_release_is_cleared_and_the_next_step_named(world: World, run: Run) -> None:
    done = run("--site", "argonne", "manage-again", "sp01")
    assert done.code == 0
    assert "sp01 accepts changes again once its agent has reported." in done.out
    assert "backstay plan POLICY" in done.out
    assert (world.asked[-1].method, world.asked[-1].path) == ("POST", "/nodes/5/manage-again")


def test_an_unknown_node_is_a_usage_error(run: Run) -> None:
    done = run("--site", "argonne", "manage-again", "sp99")
    assert done.code == 2
    assert "No node named sp99" in done.err
