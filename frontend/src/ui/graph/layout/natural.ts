/** One order of names for the whole picture: natural, and never undecided, so that every browser draws the same. */

import { compare } from "@/util/compare";

/** Compares two names naturally (sp2 before sp10); names that differ in case alone still have one order. */
export function byName(one: string, other: string): number {
  return compare(one, other) || (one < other ? -1 : Number(one > other));
}
