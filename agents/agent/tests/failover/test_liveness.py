"""When a gateway is alive, dead or unknown."""

from backstay_agent.probes.paths import GatewayHealth


def test_state_is_unknown_before_the_first_reply() -> None:
    health = GatewayHealth()
    health.sent()
    assert health.alive() is None


def test_echo_reply_proves_liveness_and_a_probe_in_flight_is_not_lost() -> None:
    health = GatewayHealth()
    health.sent()
    health.answered(250)
    health.sent()
    assert health.alive() is True
    assert health.rtt_us == 250


def test_three_unanswered_echoes_mean_dead() -> None:
    health = GatewayHealth()
    health.answered(250)
    for _ in range(3):
        health.sent()
    assert health.alive() is True
    health.sent()
    assert health.alive() is False


def test_failed_neighbour_entry_means_dead_unless_an_echo_is_answered() -> None:
    health = GatewayHealth()
    health.answered(250)
    health.neighbour("failed")
    assert health.alive() is True
    health.sent()
    health.sent()
    assert health.alive() is False


def test_gateway_that_filters_echoes_is_alive_by_its_neighbour_entry() -> None:
    health = GatewayHealth()
    for _ in range(10):
        health.sent()
    assert health.alive() is False
    health.neighbour("reachable")
    assert health.alive() is True
