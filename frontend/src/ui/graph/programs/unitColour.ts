/** Colours as the shaders take them. */

/** Red, green and blue of `#rrggbb`, each 0..1. */
export function unitColour(hex: string): [number, number, number] {
  const channel = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}
