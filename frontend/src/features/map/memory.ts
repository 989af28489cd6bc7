/** Node positions stored in this browser, so that a growing network keeps its layout. */

import type { Place } from "@/ui/graph/layout/layout";
import type { PlaceMemory } from "@/ui/graph/layout/useLayout";

const isPlace = (value: unknown): value is [string, number, number] =>
  Array.isArray(value) &&
  typeof value[0] === "string" &&
  Number.isFinite(value[1]) &&
  Number.isFinite(value[2]);

/** Stored per site; a full, forbidden or damaged storage is ignored. */
export function placeMemory(storage: Pick<Storage, "getItem" | "setItem">, site: string): PlaceMemory {
  const key = `backstay.map.${site}`;
  return {
    load() {
      try {
        const stored: unknown = JSON.parse(storage.getItem(key) ?? "null");
        if (!Array.isArray(stored)) return undefined;
        return new Map<string, Place>(stored.filter(isPlace).map(([node, x, y]) => [node, { x, y }]));
      } catch {
        return undefined;
      }
    },
    save(places) {
      try {
        storage.setItem(key, JSON.stringify([...places].map(([node, { x, y }]) => [node, x, y])));
      } catch {
        // The layout is recomputed next time.
      }
    },
  };
}
