/** Maintenance windows of the mock site, and the summary of its incidents. */
import type { CalendarFeed, IncidentSummary, MaintenanceWindowDetail } from "@/api/types";
import type { Incident } from "@/api/types";

const HOUR_MS = 3_600_000;

export function windows(now: number): MaintenanceWindowDetail[] {
  const iso = (ms: number): string => new Date(now + ms).toISOString();
  const make = (id: number, more: Partial<MaintenanceWindowDetail>): MaintenanceWindowDetail => ({
    id,
    name: "",
    kind: "maintenance-window",
    site: "argonne",
    state: "scheduled",
    since: iso(-HOUR_MS),
    age_s: 3600,
    reason: "",
    starts_at: iso(HOUR_MS),
    duration_s: 7200,
    zone: "Europe/Zurich",
    rule: "",
    excluded: [],
    added: [],
    begins_at: iso(HOUR_MS),
    ends_at: iso(3 * HOUR_MS),
    mutes_notifications: true,
    pauses_rules: false,
    pauses_tests: true,
    targets: [],
    author: "demo",
    created_at: iso(-HOUR_MS),
    changed_at: iso(-HOUR_MS),
    url: `/maintenance/${id}`,
    upcoming: [{ begins_at: iso(HOUR_MS), ends_at: iso(3 * HOUR_MS) }],
    everything: false,
    nodes: 1,
    links: 4,
    paths: 10,
    ...more,
  });
  return [
    make(1, {
      name: "new cables",
      state: "active",
      begins_at: iso(-HOUR_MS),
      ends_at: iso(HOUR_MS),
      upcoming: [{ begins_at: iso(-HOUR_MS), ends_at: iso(HOUR_MS) }],
      targets: [{ kind: "node", id: 10, name: "grf1", url: "/devices/10" }],
    }),
    make(2, {
      name: "weekly backup",
      rule: "FREQ=WEEKLY;BYDAY=SU",
      pauses_rules: true,
      everything: true,
      targets: [{ kind: "site", id: null, name: "argonne", url: null }],
    }),
  ];
}

export const feeds = (now: number): CalendarFeed[] => [
  { id: 1, name: "on-call", site: "argonne", author: "demo", created_at: new Date(now).toISOString() },
];

export const summary = (known: readonly Incident[]): IncidentSummary => ({
  count: known.length,
  digest: known.map(({ id }) => id).join(","),
  snoozed: known.filter(({ muted }) => muted === "snoozed").length,
  in_maintenance: known.filter(({ muted }) => muted === "maintenance").length,
  suppressed: 0,
});
