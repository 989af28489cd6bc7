/** Notes on a path: standby, saved configuration, manual moves and failback. Pure. */
import type { Path } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { duration, milliseconds } from "@/util/units";

export interface Note {
  readonly tone: StateName;
  readonly label: string;
  readonly title: string;
}

/** Round-trip time of the best standby, and which gateways could not take over. */
export function standbyNote({ gateways, standby_dead }: Pick<Path, "gateways" | "standby_dead">): {
  detail?: string;
  title?: string;
} {
  const verified = gateways
    .filter(({ use }) => use === "standby_verified")
    .toSorted((a, b) => a.order - b.order)[0];
  const rtt = verified?.rtt_ms ?? null;
  return {
    ...(rtt === null ? {} : { detail: milliseconds(rtt) }),
    ...(standby_dead.length === 0 ? {} : { title: `${standby_dead.join(", ")} cannot take over.` }),
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

export const NOT_KEPT: Note = { tone: "unknown", label: "not kept", title: "History does not keep this." };

export const saved = (path: Pick<Path, "saved" | "managed">): Note =>
  path.managed === null ? NOT_KEPT : SAVED[path.saved];

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
