import { expect, it } from "vitest";
import { withEarlier, withOther } from "@/ui/chart/comparisonSeries";
import { limits, type BidirectionalSeries, type Figure } from "@/ui/chart/shape";
import { daysBefore } from "@/util/comparison";
import { span } from "@/util/time";

const NOW = 1_800_000_000;
const WEEK = 7 * 86_400;

it.each([
  { from: "now-1h30m", to: "now" },
  { from: "now-6h", to: "now-1h" },
  { from: "2027-01-01T10:00:00Z", to: "2027-01-01T11:00:00Z" },
  { from: "yesterday", to: "today" },
])("a range is as long a week before: %j", (range) => {
  const [present, before] = [span(range, NOW), span(daysBefore(range, 7, NOW), NOW)];
  expect(before).toEqual({ start: (present?.start ?? 0) - WEEK, end: (present?.end ?? 0) - WEEK });
});

it("keeps relative ends relative", () =>
  expect(daysBefore({ from: "now-1h", to: "now" }, 1, NOW)).toEqual({ from: "now-1d1h", to: "now-1d" }));

function series(start: number, step: number, up: Figure[]): BidirectionalSeries {
  const direction = (label: string, mean: Figure[]) => ({ label, mean, max: mean, p95: null });
  const at = up.map((_, index) => start + index * step);
  return { at, step, up: direction("up", up), down: direction("down", up), capacity: 10, resets: [] };
}

it("puts means of the same bins over one another, and longer bins over several", () => {
  const data = series(NOW, 60, [1, 2, 3, 4]);
  expect(withEarlier(data, series(NOW - WEEK, 60, [5, null, 7, 8]), 7).up.compared).toEqual([5, null, 7, 8]);
  expect(withEarlier(data, series(NOW - WEEK, 120, [5, 6]), 7).down.compared).toEqual([5, 5, 6, 6]);
  // It began a bin later, and ends a bin earlier.
  expect(withEarlier(data, series(NOW - WEEK + 60, 60, [5, 6]), 7).up.compared).toEqual([null, 5, 6, null]);
  expect(withEarlier(data, series(0, 60, []), 7).up.compared).toEqual([null, null, null, null]);
});

it("has room for an earlier load above the present one", () => {
  const data = withEarlier(series(NOW, 60, [1, 2]), series(NOW - WEEK, 60, [90, 5]), 7);
  expect(limits(data, "capacity")[1]).toBeGreaterThanOrEqual(90);
});

it("puts another object of the same range over it, by time and not by place", () => {
  const data = withOther(series(NOW, 60, [1, 2, 3, 4]), series(NOW + 60, 60, [5, null]), "sp02:css0");
  expect(data.up.compared).toEqual([null, 5, null, null]);
  expect(data.comparedText).toBe("sp02:css0");
});
