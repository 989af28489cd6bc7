/** Offset history of a clock as a small line; the middle is offset 0. */
import type { Clock } from "@/api/clocks";
import classes from "./ClocksPage.module.css";
import { BOX, historyPoints, formatOffset } from "./labels";
import { clock } from "@/util/time";
import { NONE } from "@/util/units";

export function ClockHistory({ told }: { told: Clock }) {
  const { recent, offset_s } = told;
  const first = recent[0];
  if (first === undefined || recent.length < 2) return <span className="dim">{NONE}</span>;
  const words = `${formatOffset(first.offset_s)} at ${clock(first.at)}, ${formatOffset(offset_s)} now`;
  return (
    <svg
      className={classes.past}
      width={BOX.width}
      height={BOX.height}
      viewBox={`0 0 ${BOX.width} ${BOX.height}`}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <line className={classes.right} x1="0" x2={BOX.width} y1={BOX.height / 2} y2={BOX.height / 2} />
      <polyline className={classes.line} points={historyPoints(recent)} />
    </svg>
  );
}
