/** The periods that a chart can be compared with: as long, and days before. Pure. */
import { absolute, moment, type Range } from "@/util/time";

interface Comparison {
  readonly days: number;
  /** In the picker. */
  readonly choice: string;
  /** In legend and table. */
  readonly text: string;
}

export const COMPARISONS: readonly Comparison[] = [
  { days: 0, choice: "no comparison", text: "" },
  { days: 1, choice: "day before", text: "1 day before" },
  { days: 7, choice: "week before", text: "1 week before" },
  { days: 28, choice: "4 weeks before", text: "4 weeks before" },
];

const DAY_SECONDS = 86_400;
const RELATIVE = /^now-(.+)$/;

/** The range so many days before; relative ends stay relative. */
export function daysBefore(range: Range, days: number, now: number): Range {
  const end = (text: string): string | null => {
    if (text === "now") return `now-${days}d`;
    const relative = RELATIVE.exec(text);
    if (relative?.[1] !== undefined) return `now-${days}d${relative[1]}`;
    const at = moment(text, now);
    return at === null ? null : absolute(at - days * DAY_SECONDS, at).from;
  };
  return { from: end(range.from) ?? range.from, to: end(range.to) ?? range.to };
}
