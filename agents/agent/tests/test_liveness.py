"""When a gateway is alive, dead, or not known yet."""

from backstay_agent.probes.paths import GatewayHealth


def test_nothing_is_known_before_the_first_answer() -> None:
    health = GatewayHealth()
    health.sent()
    assert health.alive() is None


def test_answered_echo_is_proof_and_one_probe_in_flight_is_not_a_loss() -> None:
    health = GatewayHealth()
    health.sent()
    health.answered(250)
    health.sent()
    assert health.alive() is True
    assert health.rtt_us == 250


def test_three_unanswered_echoes_are_death() -> None:
    health = GatewayHealth()
    health.answered(250)
    for _ in range(3):
        health.sent()
    assert health.alive() is True
    health.sent()
    assert health.alive() is False


def test_a_failed_neighbour_entry_is_death_at_once_unless_an_echo_proves_otherwise() -> None:
    health = GatewayHealth()
    health.answered(250)
    health.neighbour("failed")
    assert health.alive() is True
    health.sent()
    health.sent()
    assert health.alive() is False


def test_a_gateway_that_filters_echoes_lives_by_its_neighbour_entry() -> None:
    health = GatewayHealth()
    for _ in range(10):
        health.sent()
    assert health.alive() is False
    health.neighbour("reachable")
    assert health.alive() is True
