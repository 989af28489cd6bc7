/** Marks on the time axis of a chart: incidents, failovers, changes and tests. Pure. */
import type { StateName } from "@/ui/StateBadge";

export type MarkKind = "incident" | "failover" | "change" | "test";

export interface Mark {
  /** Unix seconds. */
  readonly at: number;
  readonly kind: MarkKind;
  readonly state: StateName;
  readonly text: string;
  /** Page of the object. */
  readonly url: string;
}

/** Adjacent marks that would overlap. */
export interface MarkGroup {
  /** Position from the left, 0..1 of the range. */
  readonly share: number;
  /** The most severe one. */
  readonly state: StateName;
  /** The kind of all, or `several`. */
  readonly kind: MarkKind | "several";
  readonly marks: readonly Mark[];
}

const SEVERITY: readonly StateName[] = ["critical", "warning", "unknown", "ok"];

/** Marks closer than this share of the range are one. */
const CLOSE = 0.025;

export function groupMarks(
  marks: readonly Mark[],
  { start, end }: { start: number; end: number },
): MarkGroup[] {
  const shareOf = ({ at }: Mark): number => (at - start) / (end - start);
  const inside = marks.filter(({ at }) => at >= start && at <= end).toSorted((a, b) => a.at - b.at);
  const groups: Mark[][] = [];
  for (const mark of inside) {
    const last = groups.at(-1);
    const first = last?.[0];
    if (last !== undefined && first !== undefined && shareOf(mark) - shareOf(first) < CLOSE) last.push(mark);
    else groups.push([mark]);
  }
  return groups.map((group) => ({
    share: group.reduce((sum, mark) => sum + shareOf(mark), 0) / group.length,
    state: SEVERITY.find((state) => group.some((mark) => mark.state === state)) ?? "ok",
    kind: new Set(group.map(({ kind }) => kind)).size === 1 ? (group[0]?.kind ?? "several") : "several",
    marks: group,
  }));
}

export const MARK_LABELS: Readonly<Record<MarkKind | "several", string>> = {
  incident: "Incident",
  failover: "Failover",
  change: "Change",
  test: "Test",
  several: "Several",
};
