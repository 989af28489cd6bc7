/** A small trend of two directions, above and below zero, with gaps. */
import classes from "@/ui/chart/Sparkline.module.css";

type Figures = readonly (number | null)[];

/** Path over one side; `sign` -1 draws upwards. Coordinates in a box of `width` x 1 around y = 0. */
export function sparkPath(figures: Figures, most: number, width: number, sign: 1 | -1): string {
  const stepX = width / Math.max(1, figures.length - 1);
  let path = "";
  let start: number | null = null;
  for (const [index, figure] of [...figures, null].entries()) {
    const x = (index * stepX).toFixed(1);
    if (figure !== null) {
      const y = (sign * Math.min(1, figure / most) || 0).toFixed(3);
      path += start === null ? `M${x} 0L${x} ${y}` : `L${x} ${y}`;
      start ??= index;
    } else if (start !== null) {
      path += `L${((index - 1) * stepX).toFixed(1)} 0Z`;
      start = null;
    }
  }
  return path;
}

export function Sparkline({
  up,
  down,
  most,
  description,
  width = 96,
  height = 26,
}: {
  up: Figures;
  down: Figures;
  most: number;
  description: string;
  width?: number;
  height?: number;
}) {
  return (
    <svg
      className={classes.spark}
      width={width}
      height={height}
      viewBox={`0 -1 ${width} 2`}
      preserveAspectRatio="none"
      role="img"
      aria-label={description}
    >
      <path className={classes.up} d={sparkPath(up, most, width, -1)} />
      <path className={classes.down} d={sparkPath(down, most, width, 1)} />
      <line className={classes.zero} x1="0" x2={width} y1="0" y2="0" />
    </svg>
  );
}
