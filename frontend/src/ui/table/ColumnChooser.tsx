/** Chooses the columns of a table, their order, and those that narrow screens show. */
import { Button, Checkbox, Popover } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { Icon } from "@/ui/Icon";
import classes from "@/ui/table/ColumnChooser.module.css";
import type { Column } from "@/ui/table/columns";
import {
  formatLayout,
  move,
  parseLayout,
  toggle,
  toggleWide,
  type Layout,
  type VisibleColumn,
} from "@/ui/table/layout";

export type NamedColumn = Pick<Column<never>, "id" | "header" | "wide" | "isExtra">;

interface Props {
  /** All columns that the table can show. */
  columns: readonly NamedColumn[];
  layout: Layout;
}

export function ColumnChooser({ columns, layout }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button type="button" className="chip" onClick={() => setOpen(!open)}>
          <Icon name="table" size={14} /> Columns
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Choose columns">
        <ColumnChoices columns={columns} layout={layout} />
      </Popover.Dropdown>
    </Popover>
  );
}

const labelOf = ({ header }: Pick<NamedColumn, "header">): string => header || "actions";

/** The visible columns in their order, then the others. */
export function ColumnChoices({ columns, layout }: Props) {
  const visible = parseLayout(layout.text, columns);
  const set = (next: readonly VisibleColumn[]) => layout.set(formatLayout(next, columns));
  const placeOf = (id: string) => visible.findIndex((column) => column.id === id);
  const hidden = columns.filter(({ id }) => placeOf(id) < 0);
  const byId = new Map(columns.map((column) => [column.id, column]));
  const listed = [...visible.flatMap(({ id }) => byId.get(id) ?? []), ...hidden];
  const body = useRef<HTMLUListElement>(null);
  const moved = useRef<{ readonly text: string; readonly button: string } | null>(null);
  useLayoutEffect(() => {
    // A moved row is taken out of the document, which removes the focus from its button.
    if (moved.current?.text !== layout.text) return;
    body.current?.querySelector<HTMLElement>(moved.current.button)?.focus();
    moved.current = null;
  }, [layout.text]);
  const shift = (id: string, step: -1 | 1) => {
    const text = formatLayout(move(visible, id, step), columns);
    moved.current = { text, button: `[data-move="${id} ${step}"]` };
    layout.set(text);
  };
  return (
    <div className={classes.panel}>
      <div className={classes.head} aria-hidden="true">
        <span>Column</span>
        <span>On phones</span>
        <span>Order</span>
      </div>
      <ul ref={body} className={classes.list} aria-label="Columns">
        {listed.map((column) => (
          <Choice
            key={column.id}
            id={column.id}
            label={labelOf(column)}
            place={placeOf(column.id)}
            isWide={visible[placeOf(column.id)]?.isWide ?? false}
            last={visible.length - 1}
            onToggle={() => set(toggle(visible, column.id))}
            onToggleWide={() => set(toggleWide(visible, column.id))}
            onMove={(step) => shift(column.id, step)}
          />
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        disabled={formatLayout(visible, columns) === ""}
        onClick={() => layout.set("")}
      >
        Reset to default
      </Button>
    </div>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  /** Index among the visible columns; negative: hidden. */
  place: number;
  isWide: boolean;
  /** Index of the last visible column. */
  last: number;
  onToggle: () => void;
  onToggleWide: () => void;
  onMove: (step: -1 | 1) => void;
}

function Choice({ id, label, place, isWide, last, onToggle, onToggleWide, onMove }: ChoiceProps) {
  const isVisible = place >= 0;
  const isFirst = place === 0;
  const position = isVisible ? `, column ${place + 1} of ${last + 1}` : "";
  const mover = (step: -1 | 1, text: string, sign: string, isUseless: boolean) => (
    <button
      type="button"
      className={classes.move}
      data-move={`${id} ${step}`}
      aria-label={`Move ${label} ${text}${position}`}
      aria-disabled={isUseless}
      onClick={() => !isUseless && onMove(step)}
    >
      {sign}
    </button>
  );
  return (
    <li className={classes.choice} data-column={id}>
      <Checkbox size="xs" label={label} checked={isVisible} disabled={isFirst} onChange={onToggle} />
      <Checkbox
        size="xs"
        aria-label={`Show ${label} on phones`}
        checked={isVisible && !isWide}
        disabled={isFirst || !isVisible}
        onChange={onToggleWide}
      />
      <span className={classes.moves}>
        {mover(-1, "earlier", "↑", place < 2)}
        {mover(1, "later", "↓", place < 1 || place === last)}
      </span>
    </li>
  );
}
