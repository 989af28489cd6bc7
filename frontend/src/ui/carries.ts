/** Role of a link in the failover policies. */

export type Carries = "active" | "standby" | "dead" | "none";

export const CARRIES_LABELS: Readonly<Record<Carries, string>> = {
  active: "active path",
  standby: "standby path",
  dead: "dead path",
  none: "no policy",
};
