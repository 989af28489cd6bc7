/** Every rule of the kind "may this be done now?", one predicate each; the server decides, these only hide what it would refuse. */
import type { Incident, Person } from "@/api/types";

const RANK: Record<Person["role"], number> = { viewer: 0, operator: 1, approver: 2, admin: 3 };

const atLeast = (person: Person | null | undefined, role: Person["role"]): boolean =>
  person != null && RANK[person.role] >= RANK[role];

export const may = {
  /** Operators and above say that they know of an incident, once, while it is not over. */
  acknowledge: (person: Person | null | undefined, incident: Pick<Incident, "phase">): boolean =>
    incident.phase === "open" && atLeast(person, "operator"),
  /** Operators and above keep a path on a gateway for a time. */
  movePath: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators and above write and delete policies. */
  editPolicies: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators and above clear a release made on a node. */
  manageAgain: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Operators and above leave a node's routes to themselves for a time. */
  holdNode: (person: Person | null | undefined): boolean => atLeast(person, "operator"),
  /** Administrators let new agents in. */
  enrol: (person: Person | null | undefined): boolean => atLeast(person, "admin"),
  /** Administrators shut an agent out, once. */
  revoke: (person: Person | null | undefined, agent: { revoked: boolean }): boolean =>
    !agent.revoked && atLeast(person, "admin"),
};
