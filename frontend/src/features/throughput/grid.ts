/** Cells of a mesh by pair, and their deviation from the typical rate. */
import type { GridCell, TestGrid } from "@/api/throughput";
import type { Heat, HeatCell } from "./heat";
import { inUnit, unitOf } from "./matrix";
import { rampClass } from "@/ui/ramp";
import { percent, rate } from "@/util/units";

/** By `sender~receiver`. */
export const pairsOf = (cells: readonly GridCell[]): Map<string, GridCell> =>
  new Map(cells.map((cell) => [`${cell.sender}~${cell.receiver}`, cell]));

export const DEVIATIONS = ["typical", "slow", "very slow", "fast", "failed", "not tested"] as const;
type Deviation = (typeof DEVIATIONS)[number];

/** Shares of the typical rate. */
const SLOW = 0.8;
const VERY_SLOW = 0.5;
const FASTER = 1.25;

export const GLYPHS: Record<Deviation, string> = {
  typical: "✓",
  slow: "▽",
  "very slow": "▼",
  fast: "▲",
  failed: "!",
  "not tested": "·",
};

export function deviationOf(cell: GridCell | undefined, usual: number): Deviation {
  if (cell === undefined) return "not tested";
  if (cell.rate === null)
    return cell.states.some((state) => state === "queued" || state === "running") ? "not tested" : "failed";
  const share = usual > 0 ? cell.rate / usual : 1;
  if (share < VERY_SLOW) return "very slow";
  if (share < SLOW) return "slow";
  return share > FASTER ? "fast" : "typical";
}

/** Heat table of a mesh: senders down, receivers across, suspected hosts marked. */
export function gridHeat({ cells, hosts, usual, suspects }: TestGrid): Heat {
  const pairs = pairsOf(cells);
  const unit = unitOf(cells.map((cell) => cell.rate));
  const blamed = (direction: "sends" | "receives") =>
    new Set(suspects.filter(({ side }) => side === direction || side === "both").map(({ host }) => host));
  const [senders, receivers] = [blamed("sends"), blamed("receives")];
  const draw = (from: string, to: string): HeatCell => {
    const id = `${from}~${to}`;
    const cell = pairs.get(id);
    const deviation = deviationOf(cell, usual);
    const found = cell?.rate ?? null;
    const share = found === null || usual === 0 ? null : found / usual;
    const figure = found === null ? "" : inUnit(found, unit);
    return {
      id,
      glyph: GLYPHS[deviation],
      short: deviation,
      figure,
      state: deviation,
      tone: share === null ? "none" : String(rampClass(Math.min(1, share))),
      label: `${figure}, ${from} to ${to}: ${found === null ? deviation : `${rate(found)}, ${percent(share)} of typical, ${deviation}`}`,
    };
  };
  return {
    corner: `from \\ to (${unit.name})`,
    columns: hosts.map((host) => ({ key: host, label: host, isBlamed: receivers.has(host) })),
    rows: hosts.map((host) => ({
      key: host,
      label: host,
      isBlamed: senders.has(host),
      cells: hosts.map((other) => (other === host ? "self" : draw(host, other))),
    })),
  };
}
