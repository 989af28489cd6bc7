/** Lists of the mock API, paged as the real one: search in every text, filters by fields of their names, sort, cursor. */
import { HttpResponse } from "msw/http";
import { compare, type Comparable } from "@/util/compare";

type Keys<T> = Readonly<Record<string, (row: T) => Comparable>>;

const LIMIT = 100;
const NOT_FILTERS: ReadonlySet<string> = new Set(["site", "q", "sort", "limit", "cursor"]);

/** `keys`: sort keys that are no fields. Filters of other names or for `current` are the caller's. */
export function listPage<T extends object>(request: Request, rows: readonly T[], keys: Keys<T> = {}) {
  const query = new URL(request.url).searchParams;
  const sort = query.get("sort") ?? "";
  const field = sort.replace(/^-/, "");
  const keyOf = (row: T): Comparable => keys[field]?.(row) ?? (row as Record<string, Comparable>)[field];
  const filters = [...query].filter(([name, value]) => !NOT_FILTERS.has(name) && value !== "current");
  const wanted = (query.get("q") ?? "").toLowerCase();
  const found = rows
    .filter((row) => JSON.stringify(row).toLowerCase().includes(wanted))
    .filter((row) =>
      filters.every(([name, value]) => !(name in row) || String(row[name as keyof T]) === value),
    )
    .toSorted((a, b) => (field === "" ? 0 : compare(keyOf(a), keyOf(b), sort.startsWith("-"))));
  const start = Number(query.get("cursor") ?? 0);
  const end = start + Number(query.get("limit") ?? LIMIT);
  return HttpResponse.json({ items: found.slice(start, end), next: end < found.length ? String(end) : null });
}
