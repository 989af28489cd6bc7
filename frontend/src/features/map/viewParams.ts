/** Camera and expanded groups as URL parameters. Pure. */

import type { CameraView } from "@/ui/graph/engine";

/** `0.5,0.42,0.3` from a camera; empty for the whole map. */
export function cameraText(camera: CameraView | null): string {
  return camera ? [camera.x, camera.y, camera.ratio].map((part) => Number(part.toFixed(3))).join(",") : "";
}

/** The camera, or null for the whole map and for invalid text. */
export function cameraOf(text: string): CameraView | null {
  const parts = text.split(",").map(Number);
  const [x, y, ratio] = parts;
  if (parts.length !== 3 || x === undefined || y === undefined || ratio === undefined) return null;
  const sane = [x, y].every((part) => Math.abs(part) <= 5) && ratio >= 0.01 && ratio <= 4;
  return sane ? { x, y, ratio } : null;
}

/** Roles of a comma-separated list. */
export function rolesOf(text: string): ReadonlySet<string> {
  return new Set(text.split(",").filter((role) => role !== ""));
}

export function rolesText(roles: Iterable<string>): string {
  return [...new Set(roles)].toSorted().join(",");
}
