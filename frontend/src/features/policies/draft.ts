/** A policy draft: defaults, description of its timers, validation, and order of gateways. */
import type { Policy, PolicyIn, PolicyTimers } from "@/api/types";
import { isEmpty } from "./group";
import { detections, engines } from "@/util/spec.json";
import { milliseconds } from "@/util/units";

export type Detection = PolicyIn["detection"];
export type Stripe = NonNullable<PolicyIn["stripe"]>;

export const DEFAULT_TIMERS: PolicyTimers = {
  interval_ms: 50,
  fail_after: 3,
  recover_after: 20,
  hold_down_s: 2,
  revert: "now",
  revert_after_s: 60,
};

/** A new policy with the common defaults. */
export const emptyDraft = (site: string): PolicyIn => ({
  site,
  name: "",
  nodes: { names: [], role: "", number_from: null, number_to: null, labels: {} },
  prefix: "0.0.0.0/0",
  gateways: [],
  stripe: null,
  detection: "checker",
  timers: DEFAULT_TIMERS,
  target: null,
  return_path: null,
  note: "",
});

/** The draft of an existing policy. */
export const draftOf = ({
  site,
  name,
  group,
  prefix,
  gateways,
  stripe,
  detection,
  timers,
  target,
  return_path,
  note,
}: Policy): PolicyIn => ({
  site,
  name,
  nodes: group,
  prefix,
  gateways: stripe === null ? gateways : [],
  stripe,
  detection,
  timers,
  target,
  return_path,
  note,
});

/** Label, requirements and detection times of every method. */
export const DETECTIONS = detections as readonly (Omit<(typeof detections)[number], "value"> & {
  readonly value: Detection;
})[];

/** Minimum time to detect an unreachable gateway, ms. */
export const detectionTimeMs = ({ interval_ms, fail_after }: PolicyTimers): number =>
  interval_ms * fail_after;
const recoveryTimeMs = ({ interval_ms, recover_after }: PolicyTimers): number => interval_ms * recover_after;

/** Announcement intervals are at least this, ms; a RIP listener times out after three minutes (RFC 2453). */
const ANNOUNCED_MS = 1000;
const RIP = { interval_ms: 30_000, fail_after: 6 };

/** Timers after a change of the detection method: probe intervals are milliseconds, announcement intervals seconds. */
export function timersFor(detection: Detection, timers: PolicyTimers): PolicyTimers {
  const isAnnounced = timers.interval_ms >= ANNOUNCED_MS;
  if ((detection === "protocol") === isAnnounced) return timers;
  return isAnnounced
    ? { ...timers, interval_ms: DEFAULT_TIMERS.interval_ms, fail_after: DEFAULT_TIMERS.fail_after }
    : { ...timers, ...RIP };
}

export function describeTimers(timers: PolicyTimers, detection: Detection): string {
  if (detection === "protocol") {
    const after = milliseconds(
      timers.interval_ms >= ANNOUNCED_MS ? detectionTimeMs(timers) : RIP.interval_ms * RIP.fail_after,
    );
    return `Detects a failure in ${after} where Backstay runs the RIP listener; where the node already runs a protocol, its timers apply. The protocol also decides failback.`;
  }
  const { revert, revert_after_s, hold_down_s } = timers;
  const back = {
    now: "and fails back immediately",
    after: `and fails back after ${milliseconds(revert_after_s * 1000)} without a failure`,
    manual: "and fails back manually",
  }[revert];
  const rest = `A preferred gateway is up after ${milliseconds(recoveryTimeMs(timers))} ${back}. At most one failover per ${milliseconds(hold_down_s * 1000)}, unless the active gateway fails.`;
  const switches = detection === "checker" ? ` ${describeSwitches()}` : "";
  return `Detects a failure in ${milliseconds(detectionTimeMs(timers))}.${switches} ${rest}`;
}

/** What the checker's engines add until traffic takes another gateway, the longest first. */
function describeSwitches(): string {
  const longestFirst = Object.values(engines).toSorted((a, b) => b.switch_ms - a.switch_ms);
  const times = longestFirst.map(({ label, switch_ms }) => `${label} up to ${milliseconds(switch_ms)}`);
  return `Then the node's engine switches: ${times.join(", ")}.`;
}

/** Moves an item of a list; positions outside are clamped. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const target = Math.max(0, Math.min(items.length - 1, to));
  const without = items.filter((_, index) => index !== from);
  const item = items[from];
  return item === undefined ? [...items] : [...without.slice(0, target), item, ...without.slice(target)];
}

/** A stripe over these gateways; weights of removed gateways are dropped, because the server rejects them. */
export function withGateways(stripe: Stripe, gateways: readonly string[]): Stripe {
  const weights = Object.entries(stripe.weights ?? {}).filter(([name]) => gateways.includes(name));
  return { ...stripe, gateways: [...gateways], weights: Object.fromEntries(weights) };
}

const PREFIX =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}\/(?:\d|[12]\d|3[0-2])|[0-9a-fA-F:]*:[0-9a-fA-F:.]*\/(?:\d{1,2}|1[01]\d|12[0-8]))$/;

/** Validation errors by field, checked before the server's own validation. */
export function validate(draft: PolicyIn, others: readonly string[]): Record<string, string> {
  const errors: Record<string, string> = {};
  const gateways =
    draft.stripe === null || draft.stripe === undefined ? (draft.gateways ?? []) : draft.stripe.gateways;
  if (draft.name.trim() === "") errors.name = "Enter a name, e.g. sp-default.";
  else if (others.includes(draft.name.trim())) errors.name = "The name is already used by another policy.";
  if (isEmpty(draft.nodes)) errors.nodes = "Select nodes by name, pattern, role, number or label.";
  if (!PREFIX.test(draft.prefix.trim()))
    errors.prefix = "Enter a prefix such as 0.0.0.0/0, 10.1.0.0/24 or ::/0.";
  if (
    draft.stripe?.balance === "weight" &&
    Object.values(draft.stripe.weights ?? {}).some((weight) => !(weight > 0))
  )
    errors.weights = "Weights must be above 0. Remove gateways without nodes.";
  if (gateways.length === 0) errors.gateways = "Add at least one gateway, or two for a fallback.";
  if (draft.return_path != null) {
    if (draft.return_path.routers.length === 0) errors.return_path = "Enter the routers of the return path.";
    else if (!PREFIX.test(draft.return_path.prefix.trim()))
      errors.return_path = "Enter the network of the nodes, such as 10.1.0.0/24.";
  }
  return errors;
}
