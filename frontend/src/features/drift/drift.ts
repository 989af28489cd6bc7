/** Drift by groups: changes on reboot first, then other differences. */
import type { Drift, DriftItem } from "@/api/types";
import { compare } from "@/util/compare";
import { count } from "@/util/units";

export interface DriftGroups {
  /** The running state changes on reboot. */
  readonly reboot: readonly Drift[];
  /** Differences that a reboot does not change. */
  readonly other: readonly Drift[];
}

export function grouped(rows: readonly Drift[]): DriftGroups {
  const byName = rows.toSorted((a, b) => compare(a.node, b.node));
  return { reboot: byName.filter(({ reboot }) => reboot), other: byName.filter(({ reboot }) => !reboot) };
}

/** Whether the node only uses a fallback for a known reason, so that no plan is needed. */
export const isKnown = ({ on_fallback, running_differs, saved_differs }: Drift): boolean =>
  on_fallback && !running_differs && !saved_differs;

export function driftHeadline(rows: readonly Drift[]): string {
  const drifted = rows.filter((row) => !isKnown(row)).length;
  const known = rows.length - drifted;
  const reboot = rows.filter((row) => row.reboot).length;
  if (rows.length === 0) return "Every managed node runs and has saved the intended state.";
  const parts = [
    drifted === 0
      ? "No drift"
      : `${count(drifted, "node")} ${drifted === 1 ? "differs" : "differ"} from the intended state`,
  ];
  if (reboot > 0) parts.push(`${reboot} ${reboot === 1 ? "changes" : "change"} on reboot`);
  if (known > 0) parts.push(`${known} on a fallback`);
  return `${parts.join(", ")}.`;
}

export interface Column3 {
  readonly name: "intended" | "running" | "saved";
  readonly text: string;
  /** Differs from the intended state. */
  readonly differs: boolean;
}

/** The three sides of an item. A file has no running side; a checker on its fallback is no difference. */
export function sides({ kind, intended, running, saved, on_fallback }: DriftItem): Column3[] {
  const all: Column3[] = [
    { name: "intended", text: intended, differs: false },
    { name: "running", text: running, differs: running !== intended && !on_fallback },
    { name: "saved", text: saved, differs: saved !== intended },
  ];
  return kind === "file" ? all.filter(({ name }) => name !== "running") : all;
}
