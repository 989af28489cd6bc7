/** The ranges chosen last that are not presets; kept in this browser. */
import { remember, remembered } from "@/util/storage";
import { PRESETS, type Range } from "@/util/time";

const KEY = "backstay.ranges";
const MOST = 5;

/** Newest first. */
export function recentRanges(): Range[] {
  return remembered(KEY)
    .split("\n")
    .flatMap((line): Range[] => {
      const [from = "", to = ""] = line.split("\t");
      return from === "" || to === "" ? [] : [{ from, to }];
    })
    .slice(0, MOST);
}

/** Keeps a range, unless it is a preset. */
export function rememberRange(range: Range): void {
  if (range.to === "now" && PRESETS.some(({ from }) => from === range.from)) return;
  const others = recentRanges().filter(({ from, to }) => from !== range.from || to !== range.to);
  const lines = [range, ...others].slice(0, MOST).map(({ from, to }) => `${from}\t${to}`);
  remember(KEY, lines.join("\n"));
}
