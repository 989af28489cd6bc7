/** Shared helpers of the WebGL programs. */

import type { ProgramInfo } from "sigma/rendering";
import type { RenderParams } from "sigma/types";

/** Constants of WebGL 1.0, section 5.14, usable before a context exists. */
export const FLOAT = 0x1406;
export const UNSIGNED_BYTE = 0x1401;
export const TRIANGLES = 0x0004;

/** Corners of a rectangle between two positions along a line: position, side, part. */
export const rectangle = (from: number, to: number, part: number): number[][] => [
  [from, 1, part],
  [from, -1, part],
  [to, 1, part],
  [to, 1, part],
  [from, -1, part],
  [to, -1, part],
];

type View = "u_matrix" | "u_size" | "u_sizeRatio";

/** Sets the uniforms of the camera. */
export function setView<U extends string>(
  params: RenderParams,
  { gl, uniformLocations }: ProgramInfo<U | View>,
): void {
  gl.uniformMatrix3fv(uniformLocations.u_matrix, false, params.matrix);
  gl.uniform2f(uniformLocations.u_size, params.width, params.height);
  gl.uniform1f(uniformLocations.u_sizeRatio, params.sizeRatio);
}

/** Red, green and blue of `#rrggbb`, each 0..1. */
export function unitColour(hex: string): [number, number, number] {
  const channel = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return [channel(1), channel(3), channel(5)];
}
