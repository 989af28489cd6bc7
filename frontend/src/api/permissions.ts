/** Permission checks of the pages, one predicate each. The server enforces them; these hide what it would refuse. */
import type { Incident, Person } from "@/api/types";

const RANK: Record<Person["role"], number> = { viewer: 0, operator: 1, approver: 2, admin: 3 };

const atLeast = (person: Person | null | undefined, role: Person["role"]): boolean =>
  person != null && RANK[person.role] >= RANK[role];

export const may = {
  /** Operators acknowledge an unresolved incident, once. */
  acknowledge: (person: Person | null | undefined, incident: Pick<Incident, "phase">): boolean =>
    incident.phase === "open" && atLeast(person, "operator"),
  /** Operators snooze, assign and comment incidents, and plan maintenance. */
  changeIncidents: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators hold a path on a gateway for a limited time. */
  movePath: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators create, edit and delete policies. */
  editPolicies: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators clear a release made on a node. */
  manageAgain: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators pause the management of a node's routes for a limited time. */
  holdNode: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators record what a device returns. */
  recordDevice: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Administrators write channels of kinds with secrets, operators others. */
  editChannel: (person: Person | null | undefined, kind: { needsAdmin: boolean }): boolean =>
    atLeast(person, kind.needsAdmin ? "admin" : "operator"),
  /** Operators send a test message to a channel. */
  testChannel: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators create, edit and delete notification routes and on-call schedules. */
  editNotifications: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators create, renew and revoke wallboards. */
  editWallboards: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators see how many messages reached nobody. */
  seeFailedDeliveries: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators change the settings of alert rules and metric limits. */
  editRules: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators share a saved view with the site. */
  shareViews: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Administrators enrol agents. */
  enrol: (person: Person | null | undefined): boolean => atLeast(person, "admin"),
  /** Administrators revoke an agent's access, once. */
  revoke: (person: Person | null | undefined, agent: { revoked: boolean }): boolean =>
    !agent.revoked && atLeast(person, "admin"),
};
