/** Formats the rate scale of a lab. */

/** `scale` multiplies the real rates: 0.1 is `1:10`, 2 is `2:1`. */
export function formatScale(scale: number): string {
  const round = (value: number) => String(Math.round(value * 100) / 100);
  return scale < 1 ? `1:${round(1 / scale)}` : `${round(scale)}:1`;
}
