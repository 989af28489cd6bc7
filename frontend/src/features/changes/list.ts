/** The list of changes: what it shows and its sentence. Pure. */
import type { Change } from "@/api/types";
import { isOver } from "./labels";
import { count } from "@/util/units";

export function isShown(change: Change, { q, state }: { q: string; state: string }): boolean {
  const words =
    `${change.name} ${change.title} ${change.author} ${change.ticket} ${change.state_text} ${change.policies.join(" ")}`.toLowerCase();
  if (!words.includes(q.trim().toLowerCase())) return false;
  return state === "" || (state === "current" ? !isOver(change.state) : change.state === state);
}

/** What waits for whom. */
export function changesHeadline(changes: readonly Change[]): string {
  const of = (...states: Change["state"][]) => changes.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [of("confirming"), "waits for confirmation", "wait for confirmation"],
    [of("rolling"), "is being applied", "are being applied"],
    [of("approved"), "is approved and may be applied", "are approved and may be applied"],
    [of("planned"), "waits for approval", "wait for approval"],
    [of("failed"), "failed", "failed"],
  ] as const;
  const told = parts
    .filter(([number]) => number > 0)
    .map(([number, one, many], index) =>
      index === 0
        ? `${count(number, "change")} ${number === 1 ? one : many}`
        : `${number} ${number === 1 ? one : many}`,
    );
  return told.length === 0 ? "Nothing waits for anybody." : `${told.join(", ")}.`;
}
