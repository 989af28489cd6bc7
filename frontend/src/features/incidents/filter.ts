/** Which incidents a list shows, and what is true of them. Pure. */
import type { Incident } from "@/api/types";
import { count } from "@/util/units";

export function matches(incident: Incident, { q, kind }: { q: string; kind: string }): boolean {
  const text = `${incident.title} ${incident.name} ${incident.detail} ${incident.comment}`.toLowerCase();
  return (
    (kind === "" || incident.kind === kind) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** `current` are the incidents that are not resolved. */
export function incidentsHeadline(current: readonly Incident[]): string {
  if (current.length === 0) return "Nothing is wrong.";
  const waiting = current.filter(({ phase }) => phase === "open").length;
  const explained = current.filter(({ cause_id }) => cause_id !== null).length;
  const parts = [`${count(current.length, "incident")} not resolved`];
  if (explained > 0) parts.push(`${explained} explained by another`);
  parts.push(waiting === 0 ? "all acknowledged" : `${waiting} nobody has acknowledged`);
  return `${parts.join(", ")}.`;
}
