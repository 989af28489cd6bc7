/** A policy while it is written: what it means in words, what is still missing, how its gateways are ordered. Pure. */
import type { Policy, PolicyIn, PolicyTimers } from "@/api/types";
import { isEmpty } from "./group";
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

/** A new policy of a site, with what most would choose. */
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

/** An existing one as it would be sent again. */
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

/** What each way of noticing a dead gateway sees, by measurement in network namespaces at 50 ms x 3. */
export const DETECTIONS: readonly {
  readonly value: Detection;
  readonly name: string;
  readonly needs: string;
  readonly carrier: string;
  readonly silent: string;
  readonly drops: string;
}[] = [
  {
    value: "checker",
    name: "checker",
    needs:
      "Backstay's agent on the node; no help of the network, the gateway or this backend. With a target it also sees a gateway that answers and forwards nothing.",
    carrier: "at once",
    silent: "interval × probes",
    drops: "interval × probes, with a target",
  },
  {
    value: "bfd",
    name: "BFD",
    needs: "BFD on both ends, in the node's routing daemon and in the gateway.",
    carrier: "about 1 ms",
    silent: "interval × probes",
    drops: "never",
  },
  {
    value: "protocol",
    name: "routing protocol",
    needs:
      "OSPF, RIP or router discovery spoken by node and gateway. A node that speaks none listens to RIP, and must know how often its gateways announce.",
    carrier: "10 ms to 200 ms",
    silent: "announcements × missed",
    drops: "never",
  },
];

/** The soonest that a silent gateway is noticed, in milliseconds. */
export const detectionTimeMs = ({ interval_ms, fail_after }: PolicyTimers): number =>
  interval_ms * fail_after;
export const recoveryTimeMs = ({ interval_ms, recover_after }: PolicyTimers): number =>
  interval_ms * recover_after;

/** Below this, in milliseconds, no protocol announces, and a RIP listener waits three minutes (RFC 2453). */
const ANNOUNCED_MS = 1000;
const RIP = { interval_ms: 30_000, fail_after: 6 };

/** The timers when another way of detection is chosen: probes come milliseconds apart, announcements seconds. */
export function timersFor(detection: Detection, timers: PolicyTimers): PolicyTimers {
  const isAnnounced = timers.interval_ms >= ANNOUNCED_MS;
  if ((detection === "protocol") === isAnnounced) return timers;
  return isAnnounced
    ? { ...timers, interval_ms: DEFAULT_TIMERS.interval_ms, fail_after: DEFAULT_TIMERS.fail_after }
    : { ...timers, ...RIP };
}

/** The timers in one sentence. */
export function describeTimers(timers: PolicyTimers, detection: Detection): string {
  if (detection === "protocol") {
    const after = milliseconds(
      timers.interval_ms >= ANNOUNCED_MS ? detectionTimeMs(timers) : RIP.interval_ms * RIP.fail_after,
    );
    return `Detects in ${after}, where the node listens to RIP for Backstay; where its operator runs a protocol already, that one's timers decide. Going back is the protocol's too.`;
  }
  const { revert, revert_after_s, hold_down_s } = timers;
  const back = {
    now: "then goes back at once",
    after: `then goes back after ${milliseconds(revert_after_s * 1000)} without a failure`,
    manual: "goes back only by hand",
  }[revert];
  const rest = `A better gateway counts as alive after ${milliseconds(recoveryTimeMs(timers))}, ${back}; at most one switch in ${milliseconds(hold_down_s * 1000)}, unless the gateway in use dies.`;
  return `Detects in ${milliseconds(detectionTimeMs(timers))}. ${rest}`;
}

/** Moves one of a list by a step; at an end it stays. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const target = Math.max(0, Math.min(items.length - 1, to));
  const without = items.filter((_, index) => index !== from);
  const item = items[from];
  return item === undefined ? [...items] : [...without.slice(0, target), item, ...without.slice(target)];
}

/** A stripe over these gateways; the weight of one that went goes with it, or the server would refuse what nobody sees. */
export function withGateways(stripe: Stripe, gateways: readonly string[]): Stripe {
  const weights = Object.entries(stripe.weights ?? {}).filter(([name]) => gateways.includes(name));
  return { ...stripe, gateways: [...gateways], weights: Object.fromEntries(weights) };
}

const PREFIX =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}\/(?:\d|[12]\d|3[0-2])|[0-9a-fA-F:]*:[0-9a-fA-F:.]*\/(?:\d{1,2}|1[01]\d|12[0-8]))$/;

/** What is still missing, by field; the server has the last word. */
export function validate(draft: PolicyIn, others: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const ways =
    draft.stripe === null || draft.stripe === undefined ? (draft.gateways ?? []) : draft.stripe.gateways;
  if (draft.name.trim() === "") found.name = "Give it a name, e.g. sp-default.";
  else if (others.includes(draft.name.trim())) found.name = "There is a policy of this name: choose another.";
  if (isEmpty(draft.nodes)) found.nodes = "Say which nodes: names or patterns, a role, numbers or labels.";
  if (!PREFIX.test(draft.prefix.trim())) found.prefix = "Write it as 0.0.0.0/0, 10.1.0.0/24 or ::/0.";
  if (
    draft.stripe?.balance === "weight" &&
    Object.values(draft.stripe.weights ?? {}).some((weight) => !(weight > 0))
  )
    found.weights = "A weight is above 0: leave a gateway out that shall have no node.";
  if (ways.length === 0) found.gateways = "Add at least one gateway; two make a fallback.";
  if (draft.return_path != null) {
    if (draft.return_path.routers.length === 0) found.return_path = "Say which routers keep the way back.";
    else if (!PREFIX.test(draft.return_path.prefix.trim()))
      found.return_path = "Write the nodes' network as 10.1.0.0/24.";
  }
  return found;
}
