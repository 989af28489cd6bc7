/** Notes on a path: standby, saved configuration, manual moves and failback. Pure. */
import type { Path } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { duration, milliseconds } from "@/util/units";

export interface Note {
  readonly tone: StateName;
  readonly label: string;
  readonly title: string;
}

/** Whether a standby can take over: the best one with its round-trip time, or none. */
export function standby({ gateways, standby_dead }: Pick<Path, "gateways" | "standby_dead">): Note {
  const others = gateways.filter(({ active }) => !active).toSorted((a, b) => a.order - b.order);
  if (others.length === 0)
    return { tone: "warning", label: "none", title: "The policy has no other gateway." };
  const dead = standby_dead.length === 0 ? "" : ` ${standby_dead.join(", ")} cannot take over.`;
  const verified = others.find((one) => one.standby === "verified");
  if (verified !== undefined)
    return {
      tone: dead === "" ? "ok" : "warning",
      label: `verified ${milliseconds(verified.rtt_ms)}`,
      title: `The target answers through ${verified.name}.${dead}`,
    };
  if (others.every((one) => one.standby === "dead"))
    return { tone: "critical", label: "dead", title: `No standby can take over.${dead}` };
  return {
    tone: "unknown",
    label: "not verified",
    title: `It is not proven that the target answers through a standby.${dead}`,
  };
}

const SAVED: Record<Path["saved"], Note> = {
  yes: { tone: "ok", label: "yes", title: "The running configuration is saved." },
  "would change on reboot": {
    tone: "warning",
    label: "would change on reboot",
    title: "The boot configuration differs from the running configuration.",
  },
  unknown: { tone: "unknown", label: "unknown", title: "The node is not managed or not reporting." },
};

export const saved = (path: Pick<Path, "saved">): Note => SAVED[path.saved];

/** Hold, manual moves and pending failback of a path, usually empty. `now` in Unix milliseconds. */
export function marks(
  { hold, move, failback }: Pick<Path, "hold" | "move" | "failback">,
  now: number,
): Note[] {
  const found: Note[] = [];
  if (hold !== null) found.push({ tone: "warning", label: hold.text, title: hold.reason });
  if (move !== null && (move.state === "waiting" || move.state === "moved")) {
    const left = move.until === null ? "" : `, ${duration((Date.parse(move.until) - now) / 1000)} left`;
    const what = move.drill_id === null ? `moved to ${move.gateway}` : `drill: ${move.gateway}`;
    const state = move.returning ? "failing back" : move.state === "waiting" ? "requested" : `by ${move.by}`;
    found.push({
      tone: "warning",
      label: `${what}, ${state}${left}`,
      title: move.reason === "" ? move.detail : move.reason,
    });
  }
  if (failback !== null)
    found.push({ tone: "disabled", label: `failback to ${failback.gateway} pending`, title: failback.text });
  return found;
}

export const REASONS: Record<NonNullable<Path["last_decision"]>["reason"], string> = {
  failed: "the gateway failed",
  recovered: "a preferred gateway recovered",
  carrier: "the port lost carrier",
  moved: "moved manually",
  move_over: "the move ended",
  no_gateway: "no gateway available",
  tried: "another gateway was tried",
  start: "the checker started",
  refused: "refused",
  restored: "manual change restored",
  not_restored: "manual change not restored",
};
