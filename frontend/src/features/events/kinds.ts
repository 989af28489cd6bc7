/** The kinds of events in words, in groups as a person looks for them. */
import type { EventKind } from "@/api/types";

export const KIND_WORDS: Readonly<Record<EventKind, string>> = {
  "path.switched": "path switched",
  "path.lost": "path lost",
  "path.dead": "path dead",
  "path.restored": "path restored",
  "port.down": "port down",
  "port.up": "port up",
  "node.stale": "node out of sight",
  "node.heard": "node heard again",
  "node.restarted": "node restarted",
  "incident.opened": "incident opened",
  "incident.resolved": "incident resolved",
  "incident.acknowledged": "incident acknowledged",
  "agent.enrolled": "agent enrolled",
  "site.imported": "site file imported",
  "clock.stepped": "clock stepped",
  "spool.dropped": "reports dropped",
  notice: "notice of a device",
  "notice.dropped": "notices left out",
  "link.found": "link found",
  "link.gone": "link gone",
  "link.moved": "cable moved",
  "link.conflict": "cable contradicted",
};

/** Days of events, newest first, with the events of each: `2026-05-01`. `day` names the day of a time. */
export function byDay<T extends { since: string }>(events: readonly T[], day: (since: string) => string): [string, T[]][] {
  return [...Map.groupBy(events, ({ since }) => day(since))];
}
