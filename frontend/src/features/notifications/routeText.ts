/** A notification route in plain sentences: what matches, who is notified when, and how messages are grouped. */
import type { Matchers, NotificationRoute, NotificationRouteIn } from "@/api/notifications/queries";
import { formatSpan } from "./seconds";
import { describeTimes } from "./weeklyText";
import { capital } from "@/util/text";
import { incident_kinds } from "@/util/spec.json";

const TITLES: ReadonlyMap<string, string> = new Map(incident_kinds.map(({ kind, title }) => [kind, title]));

export const kindTitle = (kind: string): string => TITLES.get(kind) ?? kind;

const MOST_KINDS = 4;

/** `a`, `a or b`, `a, b or c`. */
const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

const allOf = (names: readonly string[]): string => anyOf(names).replace(/ or (?=[^,]*$)/, " and ");

function kindsText(kinds: readonly string[]): string {
  if (kinds.length === 0) return "";
  const titles = kinds.slice(0, MOST_KINDS).map((kind) => `“${kindTitle(kind)}”`);
  const more = kinds.length - titles.length;
  return more > 0 ? `of the kinds ${titles.join(", ")} or ${more} more` : `of kind ${anyOf(titles)}`;
}

/** `Critical incidents of kind “Port down” with role gateway, Mon–Fri 08:00–18:00 (UTC)`. */
export function describeMatchers(matchers: Matchers): string {
  const { severities = [], kinds = [], roles = [], fabrics = [], labels = {}, times = [], zone } = matchers;
  const what =
    severities.length === 1
      ? `${capital(severities[0] ?? "")} incidents`
      : kinds.length + roles.length + fabrics.length + Object.keys(labels).length === 0
        ? "All incidents"
        : "Incidents";
  const parts = [
    kindsText(kinds),
    roles.length === 0 ? "" : `of nodes with role ${anyOf(roles)}`,
    fabrics.length === 0 ? "" : `on fabric ${anyOf(fabrics)}`,
    Object.keys(labels).length === 0
      ? ""
      : `with label ${allOf(Object.entries(labels).map(([name, value]) => `${name}=${value}`))}`,
  ].filter(Boolean);
  const when = times.length === 0 ? "" : `, ${describeTimes(times)} (${zone})`;
  return [what, ...parts].join(" ") + when;
}

/** A step with the names of its targets. */
export interface NamedStep {
  readonly after_s: number;
  readonly channels: readonly string[];
  readonly schedules: readonly string[];
}

export function describeStep({ after_s, channels, schedules }: NamedStep): string {
  const targets = allOf([...channels, ...schedules.map((name) => `the person on call in ${name}`)]);
  const who = targets === "" ? "nobody" : targets;
  return after_s === 0 ? `notify ${who}` : `after ${formatSpan(after_s)} without acknowledgement, ${who}`;
}

type RouteTiming = Pick<
  NotificationRouteIn,
  "group_wait_s" | "group_interval_s" | "repeat_s" | "send_resolved" | "continues"
>;

/** Grouping, reminders, resolution and what follows, one sentence each. */
function describeTiming(route: RouteTiming): string {
  const { group_wait_s, group_interval_s, repeat_s, send_resolved, continues } = route;
  const first =
    group_wait_s === 0
      ? "The first message leaves at once"
      : `Changes are collected for ${formatSpan(group_wait_s)} into one message`;
  return [
    `${first}; the next one follows after ${formatSpan(group_interval_s)} at the earliest, for a new critical incident sooner.`,
    repeat_s === 0 ? "No reminders." : `Reminders every ${formatSpan(repeat_s)} until somebody acknowledges.`,
    send_resolved ? "Resolved incidents are reported." : "Resolved incidents are not reported.",
    continues ? "Later routes are tried too." : "Later routes are not tried.",
  ].join(" ");
}

interface RouteReach {
  readonly matchers: Matchers;
  readonly enabled: boolean;
  readonly steps: readonly NamedStep[];
}

/** Which incidents go to whom, in one sentence. */
export const describeReach = ({ enabled, matchers, steps }: RouteReach): string =>
  `${enabled ? "" : "Disabled. "}${describeMatchers(matchers)}: ${steps.map(describeStep).join("; ")}.`;

/** The route in plain sentences. */
export const describeRoute = (route: RouteTiming & RouteReach): string =>
  `${describeReach(route)} ${describeTiming(route)}`;

/** Steps with names; the API lists a step's channels before its schedules. */
export const namedSteps = ({ steps }: Pick<NotificationRoute, "steps">): NamedStep[] =>
  steps.map(({ after_s, channels, targets }) => ({
    after_s,
    channels: targets.slice(0, channels.length),
    schedules: targets.slice(channels.length),
  }));
