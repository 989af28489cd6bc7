/** Drift as it is shown: what a reboot would change first, then the rest. Pure. */
import type { Drift, DriftItem } from "@/api/types";
import { compare } from "@/util/compare";
import { count } from "@/util/units";

export interface DriftGroups {
  /** Would run something else after a reboot. */
  readonly reboot: readonly Drift[];
  /** Differ, but a reboot would change nothing of it. */
  readonly other: readonly Drift[];
}

export function grouped(rows: readonly Drift[]): DriftGroups {
  const byName = rows.toSorted((a, b) => compare(a.node, b.node));
  return { reboot: byName.filter(({ reboot }) => reboot), other: byName.filter(({ reboot }) => !reboot) };
}

/** On a fallback for a known reason, and nothing else: no plan is needed. */
export const isKnown = ({ on_fallback, running_differs, saved_differs }: Drift): boolean =>
  on_fallback && !running_differs && !saved_differs;

export function driftHeadline(rows: readonly Drift[]): string {
  const drifted = rows.filter((row) => !isKnown(row)).length;
  const known = rows.length - drifted;
  const reboot = rows.filter((row) => row.reboot).length;
  if (rows.length === 0) return "Every managed node runs and has saved what is intended.";
  const parts = [
    drifted === 0
      ? "No node drifted"
      : `${count(drifted, "node")} ${drifted === 1 ? "differs" : "differ"} from what is intended`,
  ];
  if (reboot > 0) parts.push(`${reboot} would change on reboot`);
  if (known > 0) parts.push(`${known} only on a fallback`);
  return `${parts.join(", ")}.`;
}

export interface Column3 {
  readonly name: "intended" | "running" | "saved";
  readonly text: string;
  /** Not what is intended. */
  readonly differs: boolean;
}

/** The three sides of one thing. A file does not run: its running side is left out; a checker on its fallback is no difference. */
export function sides({ kind, intended, running, saved, on_fallback }: DriftItem): Column3[] {
  const all: Column3[] = [
    { name: "intended", text: intended, differs: false },
    { name: "running", text: running, differs: running !== intended && !on_fallback },
    { name: "saved", text: saved, differs: saved !== intended },
  ];
  return kind === "file" ? all.filter(({ name }) => name !== "running") : all;
}
