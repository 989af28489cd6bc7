/** A lab's rate scale as people write scales: `1:10`. */

/** `scale` is what real rates are multiplied with: 0.1 reads `1:10`, 2 reads `2:1`. */
export function scaleWords(scale: number): string {
  const round = (value: number) => String(Math.round(value * 100) / 100);
  return scale < 1 ? `1:${round(1 / scale)}` : `${round(scale)}:1`;
}
