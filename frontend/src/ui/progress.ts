/** Labels and colours of the states of changes, drills, moves and test runs, as the server states them. */
import type { StateName } from "@/ui/StateBadge";
import { progress } from "@/util/spec.json";

type Progress = typeof progress;

/** Label of each state. */
export const progressLabels = <W extends keyof Progress>(what: W) =>
  Object.fromEntries(
    Object.entries<{ label: string }>(progress[what]).map(([state, { label }]) => [state, label]),
  ) as Record<keyof Progress[W], string>;

/** Colour of a state. */
export const progressTone =
  <W extends keyof Progress>(what: W) =>
  (state: keyof Progress[W]): StateName =>
    (progress[what] as Record<keyof Progress[W], { tone: string }>)[state].tone as StateName;
