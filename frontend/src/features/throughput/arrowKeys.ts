/** Arrow key navigation in a grid with a single tab stop (roving tabindex). */
import type { FocusEvent, KeyboardEvent } from "react";

/** Makes the focused cell the tab stop. */
export function keepTabStop({ target, currentTarget }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLElement) || target.dataset.cell === undefined) return;
  for (const other of currentTarget.querySelectorAll<HTMLElement>('[data-cell][tabindex="0"]'))
    other.tabIndex = -1;
  target.tabIndex = 0;
}

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Moves the focus to the next cell, skipping empty places. */
export function moveByArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const step = STEPS[event.key];
  const place = (event.target as Element).closest<HTMLElement>("[data-cell]");
  const line = place?.closest("tr");
  if (step === undefined || place === null || line == null) return;
  event.preventDefault();
  const [down, right] = step;
  const column = [...line.children].indexOf(place);
  const next = down === 0 ? nextInRow(place, right) : nextInColumn(line, column, down);
  next?.focus();
}

function nextInRow(place: Element, step: number): HTMLElement | null {
  let next: Element | null = place;
  do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && !isCellElement(next));
  return next as HTMLElement | null;
}

function nextInColumn(line: Element, column: number, step: number): HTMLElement | null {
  let next: Element | null = line;
  do next = step > 0 ? next.nextElementSibling : next.previousElementSibling;
  while (next !== null && !isCellElement(next.children[column]));
  return (next?.children[column] ?? null) as HTMLElement | null;
}

const isCellElement = (element: Element | undefined): boolean =>
  element instanceof HTMLElement && element.dataset.cell !== undefined;
