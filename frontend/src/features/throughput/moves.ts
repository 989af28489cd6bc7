/** Moving over a table of cells by arrow keys; Tab enters it once and leaves it with the next press. */
import type { FocusEvent, KeyboardEvent } from "react";

/** The cell that was last on is the one that Tab comes back to. */
export function rove({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement) || target.dataset.cell === undefined) return;
  for (const other of currentTarget.querySelectorAll<HTMLElement>('[data-cell][tabindex="0"]')) other.tabIndex = -1;
  target.tabIndex = 0;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Arrows go from cell to cell; the two ways of one place are above one another. */
export function moveByArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const from = (event.target as Element).closest<HTMLElement>("[data-cell]");
  const place = from?.closest("td");
  const line = place?.closest("tr");
  if (step === undefined || from === null || place == null || line == null) return;
  event.preventDefault();
  const [rows, columns] = step;
  const near = rows > 0 ? from.nextElementSibling : rows < 0 ? from.previousElementSibling : null;
  const inPlace = [...place.children].indexOf(from);
  const body = line.parentElement;
  const nextLine = body?.children[[...body.children].indexOf(line) + rows];
  const there = rows === 0 ? line.children[[...line.children].indexOf(place) + columns] : nextLine?.children[[...line.children].indexOf(place)];
  const cells = there === undefined ? [] : [...there.querySelectorAll<HTMLElement>("[data-cell]")];
  const next = (near as HTMLElement | null) ?? (rows < 0 ? cells.at(-1) : rows > 0 ? cells[0] : (cells[inPlace] ?? cells[0]));
  next?.focus();
}
