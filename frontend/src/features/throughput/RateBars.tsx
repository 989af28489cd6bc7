/** A cell's rate per second as bars, against the usable rate. */
import classes from "./Tests.module.css";
import { rate } from "@/util/units";

const HEIGHT = 56;
const WIDTH = 320;

/** Heights of the bars, 0..HEIGHT, scaled to the larger of the usable rate and the peak. */
export function heightsOf(seconds: readonly number[], usable: number | null): number[] {
  const most = Math.max(1, usable ?? 0, ...seconds);
  return seconds.map((one) => (one / most) * HEIGHT);
}

export function RateBars({ seconds, usable }: { seconds: readonly number[]; usable: number | null }) {
  const most = Math.max(1, usable ?? 0, ...seconds);
  const step = WIDTH / seconds.length;
  const text = `${seconds.length} seconds: min ${rate(Math.min(...seconds))}, max ${rate(Math.max(...seconds))}${usable === null ? "" : `, usable ${rate(usable)}`}`;
  return (
    <figure className={classes.seconds}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {heightsOf(seconds, usable).map((height, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- seconds are identified by position
          <rect key={at} x={at * step} width={Math.max(1, step - 1)} y={HEIGHT - height} height={height} />
        ))}
        {usable !== null && (
          <line
            x1="0"
            x2={WIDTH}
            y1={HEIGHT - (usable / most) * HEIGHT + 0.75}
            y2={HEIGHT - (usable / most) * HEIGHT + 0.75}
          />
        )}
      </svg>
      <figcaption className="num dim">{text}</figcaption>
    </figure>
  );
}
