/** What of a path needs a person's eye besides who carries it: reboot, standby, the way back, moves. Pure. */
import type { Path } from "@/api/types";
import type { StateName } from "@/ui/StateBadge";
import { duration, milliseconds } from "@/util/units";

export interface Note {
  readonly tone: StateName;
  readonly word: string;
  readonly title: string;
}

/** Whether a standby would take over now: the best living one with its round trip, or that none does. */
export function standby({ gateways, standby_dead }: Pick<Path, "gateways" | "standby_dead">): Note {
  const others = gateways.filter(({ active }) => !active);
  if (others.length === 0)
    return { tone: "warning", word: "none", title: "There is no other gateway in this policy." };
  const alive = others.filter((one) => one.alive === true).toSorted((a, b) => a.order - b.order)[0];
  const dead =
    standby_dead.length === 0
      ? ""
      : ` ${standby_dead.join(", ")} ${standby_dead.length === 1 ? "does" : "do"} not answer.`;
  if (alive !== undefined)
    return {
      tone: standby_dead.length === 0 ? "ok" : "warning",
      word: `yes ${milliseconds(alive.rtt_ms)}`,
      title: `${alive.name} answers.${dead}`,
    };
  const known = others.some((one) => one.alive === false);
  return known
    ? { tone: "critical", word: "NO", title: `No standby answers.${dead}` }
    : { tone: "unknown", word: "unknown", title: "Nobody probes the standby." };
}

const SAVED: Record<Path["saved"], Note> = {
  yes: { tone: "ok", word: "yes", title: "The node would run the same after a reboot." },
  "would change on reboot": {
    tone: "warning",
    word: "would change on reboot",
    title: "The file that is read at boot says something else than what runs.",
  },
  unknown: {
    tone: "unknown",
    word: "unknown",
    title: "The node has not told what it has saved: it is not managed, or not heard.",
  },
};

export const saved = (path: Pick<Path, "saved">): Note => SAVED[path.saved];

/** Why a path is where it is on purpose or for now; empty for most. `now` in Unix milliseconds. */
export function marks({ move, failback }: Pick<Path, "move" | "failback">, now: number): Note[] {
  const found: Note[] = [];
  if (move !== null && (move.state === "waiting" || move.state === "moved")) {
    const left = move.until === null ? "" : `, ${duration((Date.parse(move.until) - now) / 1000)} left`;
    const what = move.drill_id === null ? `moved to ${move.gateway}` : `drill: ${move.gateway}`;
    const state = move.returning ? "going back" : move.state === "waiting" ? "asked for" : `by ${move.by}`;
    found.push({
      tone: "warning",
      word: `${what}, ${state}${left}`,
      title: move.reason === "" ? move.detail : move.reason,
    });
  }
  if (failback !== null)
    found.push({ tone: "disabled", word: `back to ${failback.gateway} pending`, title: failback.text });
  return found;
}

export const REASONS: Record<NonNullable<Path["last_decision"]>["reason"], string> = {
  failed: "the gateway failed",
  recovered: "a better gateway is alive again",
  carrier: "the port lost carrier",
  moved: "moved on purpose",
  move_over: "the move is over",
  no_gateway: "no gateway is left",
  tried: "another gateway was tried",
  start: "the checker began",
  refused: "refused",
};
