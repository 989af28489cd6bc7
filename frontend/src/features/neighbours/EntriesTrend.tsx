/** Current entries of a table, with the last minute as a line. */
import type { NeighbourTable } from "@/api/neighbours";
import classes from "./NeighboursPage.module.css";
import { entryCount } from "./labels";
import { clock } from "@/util/time";
import { grouped } from "@/util/units";

const WIDTH = 72;
const HEIGHT = 20;

/** SVG points of the entry counts over time, scaled to the largest count. */
export function trendPoints(recent: NeighbourTable["recent"]): string {
  const times = recent.map(({ at }) => Date.parse(at));
  const first = times[0] ?? 0;
  const span = Math.max(1, (times.at(-1) ?? 0) - first);
  const most = Math.max(1, ...recent.map(({ entries }) => entries));
  return recent
    .map(
      ({ entries }, index) =>
        `${((((times[index] ?? 0) - first) / span) * WIDTH).toFixed(1)},${(HEIGHT - 2 - (entries / most) * (HEIGHT - 4)).toFixed(1)}`,
    )
    .join(" ");
}

export function EntriesTrend({ table }: { table: NeighbourTable }) {
  const { recent } = table;
  const first = recent[0];
  const text =
    first === undefined ? "" : `${first.entries} entries at ${clock(first.at)}, ${entryCount(table)} now`;
  return (
    <span className={classes.trend} title={text}>
      {recent.length > 1 && (
        <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
          <polyline className={classes.line} points={trendPoints(recent)} />
        </svg>
      )}
      <span className="num">{grouped(entryCount(table))}</span>
    </span>
  );
}
