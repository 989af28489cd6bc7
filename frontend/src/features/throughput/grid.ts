/** A mesh's cells by pair, and how far each is from the usual rate. Pure. */
import type { GridCell } from "@/api/throughput";

/** By `sender~receiver`. */
export const pairsOf = (cells: readonly GridCell[]): Map<string, GridCell> => new Map(cells.map((cell) => [`${cell.sender}~${cell.receiver}`, cell]));

export type Standing = "usual" | "slow" | "very slow" | "faster" | "failed" | "untested";

/** A cell that differs by a fifth is slow, by half very slow. */
const SLOW = 0.8;
const VERY_SLOW = 0.5;
const FASTER = 1.25;

export const GLYPHS: Record<Standing, string> = { usual: "✓", slow: "▽", "very slow": "▼", faster: "▲", failed: "!", untested: "·" };

export function standingOf(cell: GridCell | undefined, usual: number): Standing {
  if (cell === undefined) return "untested";
  if (cell.rate === null) return cell.states.some((state) => state === "queued" || state === "running") ? "untested" : "failed";
  const share = usual > 0 ? cell.rate / usual : 1;
  if (share < VERY_SLOW) return "very slow";
  if (share < SLOW) return "slow";
  return share > FASTER ? "faster" : "usual";
}
