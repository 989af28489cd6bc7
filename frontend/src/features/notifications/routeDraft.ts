/** Drafts of notification routes: values as typed, their validation, and the request. */
import type { ReactNode } from "react";
import type {
  Matchers,
  NotificationRoute,
  NotificationRouteIn,
  WeeklyTime,
} from "@/api/notifications/queries";
import { nameError } from "./channelKinds";
import { formatSpan, parseSpan, spanError } from "./seconds";
import { timesError } from "./weeklyText";
import { isZone } from "./clockTime";

/** A channel or schedule: `channel:3`. */
export type Target = `${"channel" | "schedule"}:${number}`;

export interface StepDraft {
  /** Identifies the row of the form. */
  readonly key: number;
  /** Duration as typed. */
  readonly after: string;
  readonly targets: readonly Target[];
}

/** Values of the form. Fields have the names of the API. */
export interface RouteDraft {
  readonly name: string;
  readonly position: string;
  readonly enabled: boolean;
  readonly matchers: {
    readonly severities: NonNullable<Matchers["severities"]>;
    readonly kinds: NonNullable<Matchers["kinds"]>;
    readonly roles: readonly string[];
    readonly fabrics: readonly string[];
    /** `rack=7`, one each. */
    readonly labels: readonly string[];
    readonly times: readonly WeeklyTime[];
    readonly zone: string;
  };
  readonly steps: readonly StepDraft[];
  readonly group_wait_s: string;
  readonly group_interval_s: string;
  readonly repeat_s: string;
  readonly send_resolved: boolean;
  readonly continues: boolean;
}

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;
/** Bounds of the API, seconds. */
const SPANS = { group_wait_s: [0, 300], group_interval_s: [10, DAY_S], repeat_s: [0, WEEK_S] } as const;
const POSITION_STEP = 10;
export const MOST_STEPS = 10;
const MOST_POSITION = 10_000;

let lastKey = 0;
export const newStep = (after: string): StepDraft => {
  lastKey += 1;
  return { key: lastKey, after, targets: [] };
};

/** A new route after the existing ones, with the API's defaults. */
export const emptyRoute = (
  routes: readonly Pick<NotificationRoute, "position">[],
  zone: string,
): RouteDraft => ({
  name: "",
  position: String(
    Math.min(MOST_POSITION, Math.max(0, ...routes.map(({ position }) => position + POSITION_STEP))),
  ),
  enabled: true,
  matchers: { severities: [], kinds: [], roles: [], fabrics: [], labels: [], times: [], zone },
  steps: [newStep("0 s")],
  group_wait_s: "10 s",
  group_interval_s: "5 min",
  repeat_s: "4 h",
  send_resolved: true,
  continues: false,
});

export function draftOfRoute(route: NotificationRoute): RouteDraft {
  const {
    severities = [],
    kinds = [],
    roles = [],
    fabrics = [],
    labels = {},
    times = [],
    zone,
  } = route.matchers;
  return {
    name: route.name,
    position: String(route.position),
    enabled: route.enabled,
    matchers: {
      severities,
      kinds,
      roles,
      fabrics,
      labels: Object.entries(labels).map(([name, value]) => `${name}=${value}`),
      times,
      zone,
    },
    steps: route.steps.map(({ after_s, channels, schedules }) => ({
      ...newStep(formatSpan(after_s)),
      targets: [
        ...channels.map((id): Target => `channel:${id}`),
        ...schedules.map((id): Target => `schedule:${id}`),
      ],
    })),
    group_wait_s: formatSpan(route.group_wait_s),
    group_interval_s: formatSpan(route.group_interval_s),
    repeat_s: formatSpan(route.repeat_s),
    send_resolved: route.send_resolved,
    continues: route.continues,
  };
}

/** `rack=7` and others by name; null if one has no `=` or no name. */
export function parseLabels(labels: readonly string[]): Record<string, string> | null {
  const pairs = labels.map((part) => {
    const at = part.indexOf("=");
    return at < 1 ? null : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return pairs.includes(null)
    ? null
    : (Object.fromEntries(pairs as [string, string][]) as Record<string, string>);
}

const idsOf = (targets: readonly Target[], what: "channel" | "schedule"): number[] =>
  targets
    .filter((target) => target.startsWith(`${what}:`))
    .map((target) => Number(target.slice(what.length + 1)));

function stepsError(steps: readonly StepDraft[]): string | null {
  const spans = steps.map(({ after }) => parseSpan(after));
  if (spans.some((span) => span === null || span > WEEK_S))
    return `Enter durations up to ${formatSpan(WEEK_S)}, e.g. 15 min.`;
  if (spans[0] !== 0) return "The first step starts at 0 s.";
  if (spans.some((span, at) => at > 0 && (span ?? 0) <= (spans[at - 1] ?? 0)))
    return "Every step starts later than the one before.";
  if (steps.some(({ targets }) => targets.length === 0)) return "Add a channel or a schedule to each step.";
  return null;
}

/** Validation errors by form path; the server validates again. */
export function validateRoute(draft: RouteDraft): Record<string, string> {
  const { name, position, matchers, steps } = draft;
  const errors: Record<string, string | null> = {
    name: nameError(name),
    position: /^\d{1,5}$/.test(position.trim()) ? null : "Enter a whole number.",
    "matchers.labels": parseLabels(matchers.labels) === null ? "Enter name=value, e.g. rack=7." : null,
    "matchers.times": timesError(matchers.times),
    "matchers.zone": isZone(matchers.zone) ? null : "Enter a time zone, e.g. Europe/Zurich.",
    steps: stepsError(steps),
  };
  for (const [field, [min, max]] of Object.entries(SPANS))
    errors[field] = spanError(draft[field as keyof typeof SPANS], min, max);
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

/** The request; invalid parts are empty, and `validateRoute` reports them. */
export function routeOfDraft(site: string, draft: RouteDraft) {
  const { matchers, steps, group_wait_s, group_interval_s, repeat_s } = draft;
  return {
    site,
    name: draft.name.trim(),
    position: Number(draft.position),
    enabled: draft.enabled,
    matchers: {
      severities: [...matchers.severities],
      kinds: [...matchers.kinds],
      roles: [...matchers.roles],
      fabrics: [...matchers.fabrics],
      labels: parseLabels(matchers.labels) ?? {},
      times: [...matchers.times],
      zone: matchers.zone,
    },
    steps: steps.map(({ after, targets }) => ({
      after_s: parseSpan(after) ?? 0,
      channels: idsOf(targets, "channel"),
      schedules: idsOf(targets, "schedule"),
    })),
    group_wait_s: parseSpan(group_wait_s) ?? 0,
    group_interval_s: parseSpan(group_interval_s) ?? 0,
    repeat_s: parseSpan(repeat_s) ?? 0,
    send_resolved: draft.send_resolved,
    continues: draft.continues,
  } satisfies NotificationRouteIn;
}

/** The first error of a group of fields. */
export const errorUnder = (errors: Readonly<Record<string, ReactNode>>, path: string): ReactNode =>
  Object.entries(errors).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1];
