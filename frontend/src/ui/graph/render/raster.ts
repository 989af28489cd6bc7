/**
 * Rasterises lines on the CPU, for camera motion without a graphics card.
 *
 * Emulated WebGL takes about 0.1 ms per link, this a hundredth of that, without smooth edges and arrowheads; the shader
 * draws again when the camera rests. Pure.
 */

/** Pixels as a canvas holds them: 0xAABBGGRR, row by row. */
interface PixelArea {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
}

export interface RasterLine {
  /** Device px. */
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly width: number;
  /** 0xAABBGGRR, opaque. */
  readonly colour: number;
  /** Dotted or dashed: draws every other segment. */
  readonly hasGaps: boolean;
}

const GAP_PX = 6;

/** `#rrggbb` as an opaque pixel. */
export function pixelColour(hex: string): number {
  const value = Number.parseInt(hex.slice(1), 16);
  return (0xff000000 | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** The part of a line, from..to of 0..1, inside an area; null if outside (Liang & Barsky 1984). */
export function clip(
  { x0, y0, x1, y1, width }: Omit<RasterLine, "colour" | "hasGaps">,
  area: Omit<PixelArea, "pixels">,
): [number, number] | null {
  let [from, to] = [0, 1];
  const edges = [
    [x0 - x1, x0 + width],
    [x1 - x0, area.width + width - x0],
    [y0 - y1, y0 + width],
    [y1 - y0, area.height + width - y0],
  ] as const;
  for (const [step, room] of edges) {
    if (step === 0 && room < 0) return null;
    if (step < 0) from = Math.max(from, room / step);
    if (step > 0) to = Math.min(to, room / step);
  }
  return from < to ? [from, to] : null;
}

/** Draws one line, clipped to the area. */
export function drawLine(area: PixelArea, line: RasterLine): void {
  const part = clip(line, area);
  if (!part) return;
  const [dx, dy] = [line.x1 - line.x0, line.y1 - line.y0];
  const flat = Math.abs(dx) >= Math.abs(dy);
  const steps = Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)));
  const [last, thick] = [Math.floor(part[1] * steps), Math.max(1, Math.round(line.width))];
  const { pixels, width, height } = area;
  const [main, cross] = flat ? [1, width] : [width, 1];
  const [mainEnd, crossEnd] = flat ? [width, height] : [height, width];
  const [m0, c0] = flat ? [line.x0, line.y0] : [line.y0, line.x0];
  const [dm, dc] = flat ? [dx / steps, dy / steps] : [dy / steps, dx / steps];
  for (let step = Math.max(0, Math.ceil(part[0] * steps)); step <= last; step += 1) {
    if (line.hasGaps && step % (2 * GAP_PX) >= GAP_PX) continue;
    const m = Math.floor(m0 + dm * step);
    if (m < 0 || m >= mainEnd) continue;
    const begin = Math.floor(c0 + dc * step - thick / 2 + 0.5);
    for (let c = Math.max(0, begin); c < Math.min(crossEnd, begin + thick); c += 1)
      pixels[m * main + c * cross] = line.colour;
  }
}
