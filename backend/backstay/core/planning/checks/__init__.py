"""The checks of a plan in display order: blocking checks first, then warnings.

To add a check, add a module and one line. A check that raises an exception fails, which blocks the plan.
"""

from __future__ import annotations

from collections.abc import Callable

from backstay.core.model.plan import Finding
from backstay.core.planning.checks import (
    advice,
    asymmetric_return,
    boot_file,
    controller,
    detection_possible,
    detection_time,
    equal_preferences,
    fallback_domain,
    forwarding,
    gateway_forwards,
    gateway_on_link,
    held,
    known_address,
    managed,
    mtu,
    observed,
    one_gateway,
    released,
    route_count,
    saturation,
    standby_dead,
    table_choice,
    unseen_failure,
    wave_size,
)
from backstay.core.planning.proposal import Proposal

Check = Callable[[Proposal], list[Finding]]

CHECKS: dict[str, Check] = {
    managed.NAME: managed.check,
    observed.NAME: observed.check,
    released.NAME: released.check,
    held.NAME: held.check,
    boot_file.NAME: boot_file.check,
    gateway_on_link.NAME: gateway_on_link.check,
    known_address.NAME: known_address.check,
    equal_preferences.NAME: equal_preferences.check,
    route_count.NAME: route_count.check,
    detection_possible.NAME: detection_possible.check,
    table_choice.NAME: table_choice.check,
    forwarding.NAME: forwarding.check,
    gateway_forwards.NAME: gateway_forwards.check,
    fallback_domain.NAME: fallback_domain.check,
    asymmetric_return.NAME: asymmetric_return.check,
    mtu.NAME: mtu.check,
    controller.NAME: controller.check,
    wave_size.NAME: wave_size.check,
    saturation.NAME: saturation.check,
    unseen_failure.NAME: unseen_failure.check,
    detection_time.NAME: detection_time.check,
    standby_dead.NAME: standby_dead.check,
    one_gateway.NAME: one_gateway.check,
    advice.NAME: advice.check,
}
