/** Which rows of a long table are in the document: those in the window of `main`, and a few around them. */
import { useLayoutEffect, useState, type RefObject } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";

/** Shorter tables are drawn whole: nothing is gained, and the browser's own search finds every row. */
const LONG = 80;
const ROW_PX = 33;
const OVERSCAN = 15;

export interface VisibleRow {
  readonly index: number;
}

export interface VisibleRows {
  readonly visible: readonly VisibleRow[];
  /** Heights of the rows left out, CSS pixels. */
  readonly above: number;
  readonly below: number;
  readonly isVirtual: boolean;
  /** Takes the height of a drawn row, which may wrap. */
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
}

export function useVisibleRows(count: number, body: RefObject<HTMLElement | null>): VisibleRows {
  const [top, setTop] = useState(0);
  const scroller = () => body.current?.closest("main") ?? null;
  const isVirtual = count > LONG;
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: scroller,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // What is above the table changes its height: a headline wraps, a panel opens.
  useLayoutEffect(() => {
    const main = scroller();
    if (!isVirtual || main === null || body.current === null) return;
    const offset =
      body.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
    setTop(Math.round(offset));
  });
  if (!isVirtual)
    return {
      visible: Array.from({ length: count }, (_, index) => ({ index })),
      above: 0,
      below: 0,
      isVirtual,
      measure: undefined,
    };
  const visible = virtualizer.getVirtualItems();
  return {
    visible,
    above: (visible[0]?.start ?? top) - top,
    below: virtualizer.getTotalSize() - ((visible.at(-1)?.end ?? top) - top),
    isVirtual,
    measure: virtualizer.measureElement,
  };
}
