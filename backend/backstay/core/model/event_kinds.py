"""Kinds of events: the one list that producers, API, pages and command line share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from backstay.core.model.state import State


class EventKind(StrEnum):
    """`<category>.<action>`: what happened, and to what kind of object."""

    PATH_SWITCHED = "path.switched"
    PATH_LOST = "path.lost"
    PATH_DEAD = "path.dead"
    PATH_RESTORED = "path.restored"
    PATH_DECISION = "path.decision"
    PATH_OVERRIDDEN = "path.overridden"
    PATH_MOVE_ASKED = "path.move_asked"
    PATH_MOVED = "path.moved"
    PATH_RETURNED = "path.returned"
    PATH_MOVE_FAILED = "path.move_failed"
    CHANGE_PLANNED = "change.planned"
    CHANGE_APPROVED = "change.approved"
    CHANGE_ROLLING = "change.rolling"
    CHANGE_CONFIRMING = "change.confirming"
    CHANGE_DONE = "change.done"
    CHANGE_ROLLED_BACK = "change.rolled_back"
    CHANGE_STOPPED = "change.stopped"
    CHANGE_FAILED = "change.failed"
    CHANGE_SUPERSEDED = "change.superseded"
    POLICY_CREATED = "policy.created"
    POLICY_CHANGED = "policy.changed"
    POLICY_DELETED = "policy.deleted"
    ARP_POLICY_CREATED = "arp_policy.created"
    ARP_POLICY_CHANGED = "arp_policy.changed"
    ARP_POLICY_DELETED = "arp_policy.deleted"
    DRIFT_APPEARED = "drift.appeared"
    DRIFT_GONE = "drift.gone"
    DRILL_SCHEDULED = "drill.scheduled"
    DRILL_REFUSED = "drill.refused"
    DRILL_RUNNING = "drill.running"
    DRILL_RETURNING = "drill.returning"
    DRILL_PASSED = "drill.passed"
    DRILL_FAILED = "drill.failed"
    DRILL_CANCELLED = "drill.cancelled"
    TEST_PLAN_CREATED = "test_plan.created"
    TEST_PLAN_CHANGED = "test_plan.changed"
    TEST_PLAN_REMOVED = "test_plan.removed"
    TEST_RUN_ASKED = "test_run.asked"
    TEST_RUN_DONE = "test_run.done"
    TEST_RUN_FAILED = "test_run.failed"
    TEST_RUN_CANCELLED = "test_run.cancelled"
    TEST_RUN_LEFT_OUT = "test_run.left_out"
    PORT_DOWN = "port.down"
    PORT_UP = "port.up"
    NODE_STALE = "node.stale"
    NODE_REPORTING = "node.reporting"
    NODE_RELEASED = "node.released"
    NODE_REVERTED = "node.reverted"
    NODE_MANAGED = "node.managed"
    NODE_MANAGEMENT_CLEARED = "node.management_cleared"
    NODE_RESTARTED = "node.restarted"
    NODE_HOLD_ASKED = "node.hold_asked"
    NODE_HELD = "node.held"
    NODE_HOLD_ENDED = "node.hold_ended"
    NODE_HOLD_FAILED = "node.hold_failed"
    INCIDENT_OPENED = "incident.opened"
    INCIDENT_RESOLVED = "incident.resolved"
    INCIDENT_ACKNOWLEDGED = "incident.acknowledged"
    INCIDENT_REOPENED = "incident.reopened"
    INCIDENT_QUIET = "incident.quiet"
    INCIDENT_SNOOZED = "incident.snoozed"
    INCIDENT_ASSIGNED = "incident.assigned"
    INCIDENT_COMMENTED = "incident.commented"
    MAINTENANCE_CREATED = "maintenance.created"
    MAINTENANCE_CHANGED = "maintenance.changed"
    MAINTENANCE_ENDED = "maintenance.ended"
    MAINTENANCE_DELETED = "maintenance.deleted"
    WALLBOARD_CREATED = "wallboard.created"
    WALLBOARD_CHANGED = "wallboard.changed"
    WALLBOARD_RENEWED = "wallboard.renewed"
    WALLBOARD_REVOKED = "wallboard.revoked"
    AGENT_ENROLLED = "agent.enrolled"
    SITE_IMPORTED = "site.imported"
    CLOCK_STEPPED = "clock.stepped"
    SPOOL_DROPPED = "spool.dropped"
    NOTICE = "notice"
    NOTICE_DROPPED = "notice.dropped"
    LINK_FOUND = "link.found"
    LINK_GONE = "link.gone"
    LINK_MOVED = "link.moved"
    LINK_CONFLICT = "link.conflict"

    @property
    def category(self) -> str:
        """Kind of object: path, change, node."""
        return self.value.partition(".")[0]

    @property
    def action(self) -> str:
        """What happened to it: `switched`; empty: the kind has no action."""
        return self.value.partition(".")[2]


@dataclass(frozen=True, slots=True)
class EventKindSpec:
    """`severity` None: the producer decides for each event."""

    label: str
    severity: State | None = "ok"


EVENT_KINDS: Mapping[EventKind, EventKindSpec] = {
    EventKind.PATH_SWITCHED: EventKindSpec("path switched", None),
    EventKind.PATH_LOST: EventKindSpec("path lost", "critical"),
    EventKind.PATH_DEAD: EventKindSpec("path dead", "critical"),
    EventKind.PATH_RESTORED: EventKindSpec("path restored"),
    EventKind.PATH_DECISION: EventKindSpec("checker decision", None),
    EventKind.PATH_OVERRIDDEN: EventKindSpec("manual change restored", None),
    EventKind.PATH_MOVE_ASKED: EventKindSpec("path move requested"),
    EventKind.PATH_MOVED: EventKindSpec("path moved manually"),
    EventKind.PATH_RETURNED: EventKindSpec("path returned"),
    EventKind.PATH_MOVE_FAILED: EventKindSpec("path move failed", "warning"),
    EventKind.CHANGE_PLANNED: EventKindSpec("change planned"),
    EventKind.CHANGE_APPROVED: EventKindSpec("change approved"),
    EventKind.CHANGE_ROLLING: EventKindSpec("change started"),
    EventKind.CHANGE_CONFIRMING: EventKindSpec("change awaiting confirmation"),
    EventKind.CHANGE_DONE: EventKindSpec("change done"),
    EventKind.CHANGE_ROLLED_BACK: EventKindSpec("change rolled back", "warning"),
    EventKind.CHANGE_STOPPED: EventKindSpec("change stopped", "warning"),
    EventKind.CHANGE_FAILED: EventKindSpec("change failed", "critical"),
    EventKind.CHANGE_SUPERSEDED: EventKindSpec("change discarded"),
    EventKind.POLICY_CREATED: EventKindSpec("policy created"),
    EventKind.POLICY_CHANGED: EventKindSpec("policy changed"),
    EventKind.POLICY_DELETED: EventKindSpec("policy deleted"),
    EventKind.ARP_POLICY_CREATED: EventKindSpec("ARP policy created"),
    EventKind.ARP_POLICY_CHANGED: EventKindSpec("ARP policy changed"),
    EventKind.ARP_POLICY_DELETED: EventKindSpec("ARP policy deleted"),
    EventKind.DRIFT_APPEARED: EventKindSpec("drift detected", "warning"),
    EventKind.DRIFT_GONE: EventKindSpec("drift resolved"),
    EventKind.DRILL_SCHEDULED: EventKindSpec("drill scheduled"),
    EventKind.DRILL_REFUSED: EventKindSpec("drill refused", "warning"),
    EventKind.DRILL_RUNNING: EventKindSpec("drill started"),
    EventKind.DRILL_RETURNING: EventKindSpec("drill restoring"),
    EventKind.DRILL_PASSED: EventKindSpec("drill passed"),
    EventKind.DRILL_FAILED: EventKindSpec("drill failed", "warning"),
    EventKind.DRILL_CANCELLED: EventKindSpec("drill cancelled"),
    EventKind.TEST_PLAN_CREATED: EventKindSpec("test plan created"),
    EventKind.TEST_PLAN_CHANGED: EventKindSpec("test plan changed"),
    EventKind.TEST_PLAN_REMOVED: EventKindSpec("test plan deleted"),
    EventKind.TEST_RUN_ASKED: EventKindSpec("test requested"),
    EventKind.TEST_RUN_DONE: EventKindSpec("test done"),
    EventKind.TEST_RUN_FAILED: EventKindSpec("test failed", "warning"),
    EventKind.TEST_RUN_CANCELLED: EventKindSpec("test cancelled"),
    EventKind.TEST_RUN_LEFT_OUT: EventKindSpec("test skipped", "warning"),
    EventKind.PORT_DOWN: EventKindSpec("port down", "warning"),
    EventKind.PORT_UP: EventKindSpec("port up"),
    EventKind.NODE_STALE: EventKindSpec("node not reporting", None),
    EventKind.NODE_REPORTING: EventKindSpec("node reporting again"),
    EventKind.NODE_RELEASED: EventKindSpec("node released on the node", "warning"),
    EventKind.NODE_REVERTED: EventKindSpec("change reverted by the node", "critical"),
    EventKind.NODE_MANAGED: EventKindSpec("node managed again"),
    EventKind.NODE_MANAGEMENT_CLEARED: EventKindSpec("release cleared"),
    EventKind.NODE_RESTARTED: EventKindSpec("node restarted", "warning"),
    EventKind.NODE_HOLD_ASKED: EventKindSpec("hold requested"),
    EventKind.NODE_HELD: EventKindSpec("node held", "warning"),
    EventKind.NODE_HOLD_ENDED: EventKindSpec("hold ended"),
    EventKind.NODE_HOLD_FAILED: EventKindSpec("hold not confirmed", "warning"),
    EventKind.INCIDENT_OPENED: EventKindSpec("incident opened", None),
    EventKind.INCIDENT_RESOLVED: EventKindSpec("incident resolved"),
    EventKind.INCIDENT_ACKNOWLEDGED: EventKindSpec("incident acknowledged"),
    EventKind.INCIDENT_REOPENED: EventKindSpec("incident reopened", None),
    EventKind.INCIDENT_QUIET: EventKindSpec("incident quiet"),
    EventKind.INCIDENT_SNOOZED: EventKindSpec("incident snoozed"),
    EventKind.INCIDENT_ASSIGNED: EventKindSpec("incident assigned"),
    EventKind.INCIDENT_COMMENTED: EventKindSpec("incident comment"),
    EventKind.MAINTENANCE_CREATED: EventKindSpec("maintenance window created"),
    EventKind.MAINTENANCE_CHANGED: EventKindSpec("maintenance window changed"),
    EventKind.MAINTENANCE_ENDED: EventKindSpec("maintenance window ended early"),
    EventKind.MAINTENANCE_DELETED: EventKindSpec("maintenance window deleted"),
    EventKind.WALLBOARD_CREATED: EventKindSpec("wallboard created"),
    EventKind.WALLBOARD_CHANGED: EventKindSpec("wallboard changed"),
    EventKind.WALLBOARD_RENEWED: EventKindSpec("wallboard link renewed"),
    EventKind.WALLBOARD_REVOKED: EventKindSpec("wallboard revoked"),
    EventKind.AGENT_ENROLLED: EventKindSpec("agent enrolled"),
    EventKind.SITE_IMPORTED: EventKindSpec("site file imported"),
    EventKind.CLOCK_STEPPED: EventKindSpec("clock stepped", "warning"),
    EventKind.SPOOL_DROPPED: EventKindSpec("reports dropped", "warning"),
    EventKind.NOTICE: EventKindSpec("device notification", None),
    EventKind.NOTICE_DROPPED: EventKindSpec("device notifications dropped", "warning"),
    EventKind.LINK_FOUND: EventKindSpec("link discovered"),
    EventKind.LINK_GONE: EventKindSpec("link removed", "warning"),
    EventKind.LINK_MOVED: EventKindSpec("cable moved", "warning"),
    EventKind.LINK_CONFLICT: EventKindSpec("cable conflict", "warning"),
}
