/** Headline of the incident list. Pure. */
import type { Incident } from "@/api/types";
import { count } from "@/util/units";

/** `current` are the incidents that are not resolved. */
export function incidentsHeadline(current: readonly Incident[]): string {
  if (current.length === 0) return "No open incidents.";
  const waiting = current.filter(({ phase }) => phase === "open").length;
  const explained = current.filter(({ cause_id }) => cause_id !== null).length;
  const parts = [`${count(current.length, "unresolved incident")}`];
  if (explained > 0) parts.push(`${explained} grouped`);
  parts.push(waiting === 0 ? "all acknowledged" : `${waiting} unacknowledged`);
  return `${parts.join(", ")}.`;
}
