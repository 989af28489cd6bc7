/** A column of trends in a table: all rows on one scale, which the header states; only rendered rows are read. */
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Sparkline } from "@/ui/chart/Sparkline";
import type { Figure } from "@/ui/chart/shape";
import type { Column } from "@/ui/table/columns";
import { rate } from "@/util/units";

/** Mean rates of a row, bit/s: above and below zero. */
export interface Trend {
  readonly up: readonly Figure[];
  readonly down: readonly Figure[];
}

interface Trends {
  /** By the row's id; null: not loaded yet. */
  readonly rows: ReadonlyMap<number, Trend> | null;
  /** The end of the scale, bit/s. */
  readonly most: number;
  /** A row is rendered, until the returned function is called. */
  readonly onRendered: (row: number) => () => void;
}

const TrendsContext = createContext<Trends | null>(null);
export const TrendsProvider = TrendsContext.Provider;

const WIDTH_PX = 80;

/** Rows come and go in groups while a table is scrolled. */
const SETTLED_MS = 150;

/** The ids of the rendered rows, ascending, once they have settled. */
export function useRenderedRows(): {
  readonly rows: readonly number[];
  readonly onRendered: Trends["onRendered"];
} {
  const [rows, setRows] = useState<readonly number[]>([]);
  const rendered = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onRendered = useCallback((row: number) => {
    const settle = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const next = [...rendered.current].toSorted((a, b) => a - b);
        setRows((old) => (old.join() === next.join() ? old : next));
      }, SETTLED_MS);
    };
    rendered.current.add(row);
    settle();
    return () => {
      rendered.current.delete(row);
      settle();
    };
  }, []);
  return { rows, onRendered };
}

/** The value of the provider. */
export function useTrends(rows: ReadonlyMap<number, Trend> | null, onRendered: Trends["onRendered"]): Trends {
  return useMemo(() => ({ rows, most: scaleOf(rows), onRendered }), [rows, onRendered]);
}

/** The greatest rate of all rows, bit/s; 0: none is known. */
export function scaleOf(rows: ReadonlyMap<number, Trend> | null): number {
  let most = 0;
  for (const { up, down } of rows?.values() ?? [])
    for (const figure of [...up, ...down]) most = Math.max(most, figure ?? 0);
  return most;
}

/** `trend ≤ 23 Mb/s`: the end of the scale, of the rows on the screen. */
export const trendHeader = (most: number): string => (most > 0 ? `trend ≤ ${rate(most)}` : "trend");

export function trendColumn<Row extends { readonly id: number; readonly name: string }>(
  most: number,
): Column<Row> {
  return {
    id: "trend",
    header: trendHeader(most),
    isControl: true,
    wide: true,
    value: noValue,
    cell: trendCell,
  };
}

// Not made anew with each scale, which only the header shows: the rows stay.
const noValue = () => null;
const trendCell = ({ id, name }: { readonly id: number; readonly name: string }) => (
  <TrendCell row={id} name={name} />
);

function TrendCell({ row, name }: { row: number; name: string }) {
  const trends = use(TrendsContext);
  const onRendered = trends?.onRendered;
  useEffect(() => onRendered?.(row), [onRendered, row]);
  const trend = trends?.rows?.get(row);
  if (trends === null || trend === undefined) return null;
  const highest = scaleOf(new Map([[row, trend]]));
  const isKnown = [...trend.up, ...trend.down].some((figure) => figure !== null);
  const text = isKnown ? `highest mean ${rate(highest)} of ${rate(trends.most)} on the scale` : "no data";
  return (
    <span title={`${name}: ${text}`}>
      {isKnown ? (
        <Sparkline
          up={trend.up}
          down={trend.down}
          most={Math.max(trends.most, 1)}
          description={`Trend of ${name}, ${text}`}
          width={WIDTH_PX}
        />
      ) : (
        <span className="dim">no data</span>
      )}
    </span>
  );
}
