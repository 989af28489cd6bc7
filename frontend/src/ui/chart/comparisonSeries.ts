/** The same length of time, days before, or another object in the same chart. Pure. */
import type { BidirectionalSeries, Figure } from "@/ui/chart/shape";
import { COMPARISONS } from "@/util/comparison";

const DAY_SECONDS = 86_400;

/** The series with the means of an earlier one, which began so many days before, over its own bins. */
export function withEarlier(
  data: BidirectionalSeries,
  earlier: BidirectionalSeries,
  days: number,
): BidirectionalSeries {
  const text = COMPARISONS.find((item) => item.days === days)?.text ?? "";
  return compared(data, earlier, days * DAY_SECONDS, text);
}

/** The series with the means of another object in the same range; its bins may be longer. */
export function withOther(
  data: BidirectionalSeries,
  other: BidirectionalSeries,
  name: string,
): BidirectionalSeries {
  return compared(data, other, 0, name);
}

function compared(
  data: BidirectionalSeries,
  other: BidirectionalSeries,
  shiftSeconds: number,
  comparedText: string,
): BidirectionalSeries {
  const first = (other.at[0] ?? 0) + shiftSeconds;
  const over = (means: readonly Figure[]): Figure[] =>
    // The bin that has the middle of ours: older values may have longer bins.
    data.at.map((at) => means[Math.floor((at + data.step / 2 - first) / other.step)] ?? null);
  return {
    ...data,
    up: { ...data.up, compared: over(other.up.mean) },
    down: { ...data.down, compared: over(other.down.mean) },
    comparedText,
  };
}
