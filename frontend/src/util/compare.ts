/** Natural order: `sp2` before `sp10`, missing values last. */

const names = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export type Comparable = string | number | boolean | null | undefined;

/** Compares names or numbers; null and undefined are always last, also when `descending`. */
export function compare(a: Comparable, b: Comparable, descending = false): number {
  if (a == null || b == null) return a == null ? (b == null ? 0 : 1) : -1;
  const order = typeof a === "string" && typeof b === "string" ? names.compare(a, b) : Number(a) - Number(b);
  return descending ? -order : order;
}
