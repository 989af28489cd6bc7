/** Differences of two runs by cell: outcome, signed percentage and reason. */
import type { Comparison, Difference, TestCell } from "@/api/throughput";
import type { Heat, HeatCell } from "./heat";
import { heatWith } from "./heat";
import { DIRECTION_LABELS, matrixOf, type Matrix } from "./matrix";
import { cellLabel, describePoint, verdictLabel } from "./labels";
import { rate } from "@/util/units";

export type Outcome = Difference["outcome"];

export const OUTCOMES: Record<Outcome, { glyph: string; label: string }> = {
  faster: { glyph: "▲", label: "faster" },
  slower: { glyph: "▼", label: "slower" },
  same: { glyph: "=", label: "unchanged" },
};

/** A change as a share of the earlier rate: `+12 %`, `−33 %`, `±0 %`. */
export function formatChange(change: number): string {
  const value = Math.abs(change) < 0.0995 ? Number((change * 100).toFixed(1)) : Math.round(change * 100);
  return value === 0 ? "±0 %" : `${value > 0 ? "+" : "−"}${Math.abs(value)} %`;
}

/** A pair of corresponding cells, with the rates used by the server. */
export interface Pair {
  readonly before: TestCell;
  readonly after: TestCell;
  /** Bit/s. */
  readonly was: number;
  readonly is: number;
  readonly change: number;
  readonly outcome: Outcome;
}

type Ends = readonly Pick<TestCell["flows"][number], "sender" | "receiver">[];
const endsOf = (flows: Ends): string => flows.map(({ sender, receiver }) => `${sender}~${receiver}`).join();
const keyOf = (parameters: Difference["parameters"], apart: ReadonlySet<string>): string =>
  Object.entries(parameters)
    .filter(([name]) => !apart.has(name))
    .map(([name, value]) => `${name}=${String(value)}`)
    .toSorted()
    .join();

/** Parameters that are constant within every run but differ between them; they are ignored when matching cells. */
function ignoredParameters(before: readonly TestCell[], after: readonly TestCell[]): Set<string> {
  const values = (cells: readonly TestCell[], name: string) =>
    new Set(cells.map(({ parameters }) => parameters[name as keyof typeof parameters]));
  const names = Object.keys(before[0]?.parameters ?? {});
  return new Set(
    names.filter((name) => {
      const [ours, theirs] = [values(before, name), values(after, name)];
      return ours.size === 1 && theirs.size === 1 && [...ours][0] !== [...theirs][0];
    }),
  );
}

/** The median cell of repeats, by place. */
function medians(cells: readonly TestCell[], placeOf: (cell: TestCell) => string): Map<string, TestCell> {
  const found = new Map<string, TestCell[]>();
  for (const cell of cells) {
    if (cell.rate === null || cell.rate <= 0) continue;
    const mine = found.get(placeOf(cell));
    if (mine === undefined) found.set(placeOf(cell), [cell]);
    else mine.push(cell);
  }
  return new Map(
    [...found].map(([place, some]) => [
      place,
      some.toSorted((a, b) => (a.rate ?? 0) - (b.rate ?? 0))[Math.floor(some.length / 2)] as TestCell,
    ]),
  );
}

/** Whether a run has several endpoint pairs; otherwise endpoints are ignored when matching cells. */
export const isByEnds = (...runs: readonly (readonly TestCell[])[]): boolean =>
  runs.some((cells) => new Set(cells.map(({ flows }) => endsOf(flows))).size > 1);

/** The server's comparison with the cells of both runs. */
export function pairsOfRuns(
  { differences }: Pick<Comparison, "differences">,
  before: readonly TestCell[],
  after: readonly TestCell[],
): Pair[] {
  const apart = ignoredParameters(before, after);
  const hasEnds = isByEnds(before, after);
  const place = ({ parameters, flows }: Pick<TestCell, "parameters"> & { flows?: Ends }) =>
    `${keyOf(parameters, apart)} ${hasEnds ? endsOf(flows ?? []) : ""}`;
  const [ours, theirs] = [medians(before, place), medians(after, place)];
  return differences.flatMap((difference): Pair[] => {
    const [mine, other] = [ours.get(place(difference)), theirs.get(place(difference))];
    return mine === undefined || other === undefined
      ? []
      : [
          {
            before: mine,
            after: other,
            was: difference.before,
            is: difference.after,
            change: difference.change,
            outcome: difference.outcome,
          },
        ];
  });
}

const STRONG = 0.3;
const CLEAR = 0.15;

/** Colour class of a change: three steps per direction, none if not significant. */
export function toneOf({ change, outcome }: Pick<Pair, "change" | "outcome">): string {
  if (outcome === "same") return "change0";
  const size = Math.abs(change) >= STRONG ? 3 : Math.abs(change) >= CLEAR ? 2 : 1;
  return `change${outcome === "slower" ? -size : size}`;
}

/** Heat table of the changes, laid out as the run before. */
export function changeHeat(pairs: readonly Pair[]): Heat {
  const byCell = new Map(pairs.map((pair) => [pair.before, pair]));
  const draw = (cell: TestCell, where: string): HeatCell | null => {
    const pair = byCell.get(cell);
    if (pair === undefined) return null;
    const { glyph, label } = OUTCOMES[pair.outcome];
    return {
      id: String(cell.index),
      tone: toneOf(pair),
      glyph,
      short: label,
      figure: formatChange(pair.change),
      state: pair.outcome,
      label: `${formatChange(pair.change)} ${label}, ${where}: ${rate(pair.was)} before, ${rate(pair.is)} after`,
    };
  };
  return heatWith(matrixOf(pairs.map(({ before }) => before)), "change", draw);
}

/** Full-scale rate shared by the colours of both matrices. */
export const fullOfBoth = (...matrices: readonly Matrix[]): number =>
  Math.max(...matrices.map(({ full }) => full));

/** Description of a cell; in a mesh with its endpoints. */
export function describePair({ before }: Pair, withEnds: boolean): string {
  const { flows, parameters } = before;
  const [flow] = flows;
  const point = describePoint(parameters);
  return withEnds && flow !== undefined
    ? `${flow.sender} → ${flow.receiver}, ${DIRECTION_LABELS[parameters.direction]}: ${point}`
    : point;
}

/** Reason of a difference, from the two verdicts. */
export function describeReason({ before, after }: Pair): string {
  const [was, is] = [before.verdict, after.verdict];
  if (is === null)
    return was === null
      ? "No verdict in either run."
      : `Was ${verdictLabel(was.name).text}; no verdict in the run after.`;
  if (was === null || was.name === is.name) return is.sentence;
  return `Was ${cellLabel(before).text}, is ${cellLabel(after).text}: ${is.sentence}`;
}
