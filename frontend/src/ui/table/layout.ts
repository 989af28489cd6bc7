/**
 * Layout of a table: its visible columns in their order, and which of them narrow screens omit.
 *
 * As text, for URLs and saved views: `name.state.fabric*`, where `*` marks a column that narrow screens omit. An empty
 * text and `default` are the layout that the columns define. The first column names the row: it is always there.
 */
import type { Column } from "@/ui/table/columns";

type Spec = Pick<Column<never>, "id" | "wide" | "isExtra">;

export interface VisibleColumn {
  readonly id: string;
  /** Narrow screens omit it. */
  readonly isWide: boolean;
}

/** The text of the layout in use, and its setter. */
export interface Layout {
  readonly text: string;
  readonly set: (text: string) => void;
}

export const DEFAULT_LAYOUT = "default";
const SEPARATOR = ".";
const WIDE = "*";

function byDefault(columns: readonly Spec[]): VisibleColumn[] {
  return columns
    .filter(({ isExtra = false }) => !isExtra)
    .map(({ id, wide = false }) => ({ id, isWide: wide }));
}

/** The layout that `text` describes; columns that do not exist are skipped. */
export function parseLayout(text: string, columns: readonly Spec[]): VisibleColumn[] {
  if (text === "" || text === DEFAULT_LAYOUT) return byDefault(columns);
  const known = new Set(columns.map(({ id }) => id));
  const wanted = new Map(
    text
      .split(SEPARATOR)
      .map((part) => ({ id: part.replace(/\*$/, ""), isWide: part.endsWith(WIDE) }))
      .filter(({ id }) => known.has(id))
      .map((column) => [column.id, column]),
  );
  const first = columns[0]?.id;
  if (wanted.size === 0 || first === undefined) return byDefault(columns);
  wanted.delete(first);
  return [{ id: first, isWide: false }, ...wanted.values()];
}

/** The inverse of `parseLayout`; empty for the layout that the columns define. */
export function formatLayout(layout: readonly VisibleColumn[], columns: readonly Spec[]): string {
  const text = (visible: readonly VisibleColumn[]) =>
    visible.map(({ id, isWide }) => `${id}${isWide ? WIDE : ""}`).join(SEPARATOR);
  const chosen = text(layout);
  return chosen === text(byDefault(columns)) ? "" : chosen;
}

/** The visible columns in the order of the layout. */
export function arrange<C extends Spec>(columns: readonly C[], layout: readonly VisibleColumn[]): C[] {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return layout.flatMap(({ id, isWide }) => {
    const column = byId.get(id);
    return column === undefined ? [] : [{ ...column, wide: isWide }];
  });
}

/** Shows or hides a column; a shown one comes last. */
export function toggle(layout: readonly VisibleColumn[], id: string): VisibleColumn[] {
  const without = layout.filter((column) => column.id !== id);
  return without.length < layout.length ? without : [...layout, { id, isWide: false }];
}

/** Narrow screens show the column, or no longer do. */
export function toggleWide(layout: readonly VisibleColumn[], id: string): VisibleColumn[] {
  return layout.map((column) => (column.id === id ? { id, isWide: !column.isWide } : column));
}

/** Moves a column by one place; the first column stays first. */
export function move(layout: readonly VisibleColumn[], id: string, step: -1 | 1): VisibleColumn[] {
  const from = layout.findIndex((column) => column.id === id);
  const to = from + step;
  const moved = layout[from];
  if (moved === undefined || from < 1 || to < 1 || to >= layout.length) return [...layout];
  return layout.toSpliced(from, 1).toSpliced(to, 0, moved);
}
