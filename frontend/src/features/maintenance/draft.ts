/** The form of a maintenance window: values as typed, and the request that they mean. Pure. */
import type { MaintenanceWindow, MaintenanceWindowIn, WindowTarget } from "@/api/types";

export type TargetKind = WindowTarget["kind"];
export type Target = Pick<WindowTarget, "kind" | "id" | "name">;
export type Repeat = "once" | "daily" | "weekly" | "custom";

export interface Draft {
  name: string;
  reason: string;
  /** Of an input of type datetime-local: the browser's local time. */
  start: string;
  minutes: string;
  zone: string;
  repeat: Repeat;
  rule: string;
  notifications: boolean;
  rules: boolean;
  tests: boolean;
  targets: Target[];
}

const RULES: Readonly<Record<Repeat, string>> = {
  once: "",
  daily: "FREQ=DAILY",
  weekly: "FREQ=WEEKLY",
  custom: "",
};
const MINUTE_MS = 60_000;

/** `2026-12-01T22:00` in the browser's zone. */
export function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

export function emptyDraft(now: Date, zone: string): Draft {
  return {
    name: "",
    reason: "",
    start: localText(now),
    minutes: "60",
    zone,
    repeat: "once",
    rule: "",
    notifications: true,
    rules: false,
    tests: true,
    targets: [],
  };
}

export function draftOf(window: MaintenanceWindow): Draft {
  const known = (["once", "daily", "weekly"] as const).find((repeat) => RULES[repeat] === window.rule);
  return {
    name: window.name,
    reason: window.reason,
    start: localText(new Date(window.starts_at)),
    minutes: String(window.duration_s / 60),
    zone: window.zone,
    repeat: known ?? "custom",
    rule: known === undefined ? window.rule : "",
    notifications: window.mutes_notifications,
    rules: window.pauses_rules,
    tests: window.pauses_tests,
    targets: window.targets.map(({ kind, id, name }) => ({ kind, id, name })),
  };
}

/** Errors by field; empty: it can be sent. The server checks rule and zone. */
export function validate(draft: Draft): Partial<Record<keyof Draft, string>> {
  const errors: Partial<Record<keyof Draft, string>> = {};
  if (draft.name.trim() === "") errors.name = "Enter a name.";
  if (!(Number(draft.minutes) >= 1)) errors.minutes = "Enter at least 1 minute.";
  if (Number.isNaN(Date.parse(draft.start))) errors.start = "Enter a date and a time.";
  if (draft.repeat === "custom" && draft.rule.trim() === "") errors.rule = "Enter a rule.";
  if (draft.targets.length === 0) errors.targets = "Add at least one object.";
  return errors;
}

/** `excluded`: starts that an imported window leaves out stay left out. */
export function windowOf(site: string, draft: Draft, excluded: string[]): MaintenanceWindowIn {
  return {
    site,
    name: draft.name.trim(),
    reason: draft.reason,
    starts_at: new Date(draft.start).toISOString(),
    duration_s: Math.round(Number(draft.minutes) * 60),
    zone: draft.zone.trim(),
    rule: draft.repeat === "custom" ? draft.rule.trim() : RULES[draft.repeat],
    excluded,
    mutes_notifications: draft.notifications,
    pauses_rules: draft.rules,
    pauses_tests: draft.tests,
    targets: draft.targets.map(({ kind, id }) => ({ kind, id })),
  };
}

/** `notifications, incidents`: what a window stops. */
export function stopsText(window: MaintenanceWindow): string {
  const parts = [
    ...(window.mutes_notifications ? ["notifications"] : []),
    ...(window.pauses_rules ? ["new incidents"] : []),
    ...(window.pauses_tests ? ["tests"] : []),
  ];
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
