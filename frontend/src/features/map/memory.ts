/** Where nodes stood, kept in this browser: a network that grew since yesterday looks like yesterday's plus what is new. */

import type { Place } from "@/ui/graph/layout";
import type { PlaceMemory } from "@/ui/graph/useLayout";

const isPlace = (value: unknown): value is [string, number, number] =>
  Array.isArray(value) &&
  typeof value[0] === "string" &&
  Number.isFinite(value[1]) &&
  Number.isFinite(value[2]);

/** Remembered under the site's name; a storage that is full, forbidden or damaged only costs the memory. */
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
        // The picture is as good without it.
      }
    },
  };
}
