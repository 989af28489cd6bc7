import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import {
  scaleOf,
  trendColumn,
  trendHeader,
  TrendsProvider,
  useRenderedRows,
  useTrends,
  type Trend,
} from "@/ui/chart/TrendColumn";

afterEach(cleanup);

const TRENDS = new Map<number, Trend>([
  [1, { up: [1_000_000, null], down: [2_000_000, 0] }],
  [2, { up: [null, null], down: [null, null] }],
]);
const COLUMN = trendColumn<{ id: number; name: string }>(2_000_000);

function Table({ ids, onRows }: { ids: readonly number[]; onRows: (rows: readonly number[]) => void }) {
  const { rows, onRendered } = useRenderedRows();
  const trends = useTrends(TRENDS, onRendered);
  onRows(rows);
  return (
    <TrendsProvider value={trends}>
      {ids.map((id) => (
        <p key={id}>{COLUMN.cell?.({ id, name: `port${id}` })}</p>
      ))}
    </TrendsProvider>
  );
}

it("has one scale of all rows, which the header states", () => {
  expect(scaleOf(TRENDS)).toBe(2_000_000);
  expect(trendHeader(2_000_000)).toBe("trend ≤ 2 Mb/s");
  expect(trendHeader(scaleOf(null))).toBe("trend");
});

it("draws a row on the scale of all, and says that another has no data", () => {
  render(<Table ids={[1, 2, 3]} onRows={() => undefined} />);
  const spark = screen.getByRole("img", { name: /^Trend of port1, highest mean 2 Mb\/s of 2 Mb\/s/ });
  expect(spark.querySelector("path")?.getAttribute("d")).toContain("-0.500");
  expect(screen.getAllByText("no data")).toHaveLength(1);
});

it("reads the rows that are rendered, and no longer those that are gone", async () => {
  let rows: readonly number[] = [];
  const keep = (next: readonly number[]) => (rows = next);
  const { rerender } = render(<Table ids={[3, 1]} onRows={keep} />);
  await waitFor(() => expect(rows).toEqual([1, 3]));
  rerender(<Table ids={[3]} onRows={keep} />);
  await waitFor(() => expect(rows).toEqual([3]));
});
