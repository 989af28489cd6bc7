/** Total natural order of names, the same in every browser. */

import { compare } from "@/util/compare";

/** Compares naturally (sp2 before sp10); names that differ only in case are ordered too. */
export function byName(one: string, other: string): number {
  return compare(one, other) || (one < other ? -1 : Number(one > other));
}
