/** Which rows of a long table are in the document: those in the window of `main`, and a few around them. */
import { useCallback, useLayoutEffect, useState, type RefObject } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";

/** Shorter tables are drawn whole: nothing is gained, and the browser's own search finds every row. */
const LONG = 80;
const ROW_PX = 33;
const OVERSCAN = 15;

interface VisibleRow {
  readonly index: number;
}

interface VisibleRows {
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
  const scroller = useCallback(() => body.current?.closest("main") ?? null, [body]);
  const isVirtual = count > LONG;
  // oxlint-disable-next-line react/incompatible-library -- no React compiler is in use
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: scroller,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  useLayoutEffect(() => {
    const [main, rows] = [scroller(), body.current];
    if (!isVirtual || main === null || rows === null) return undefined;
    const update = () =>
      setTop(
        Math.round(rows.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop),
      );
    update();
    if (typeof ResizeObserver === "undefined") return undefined;
    // What is above the table changes its height: a headline wraps, a panel opens.
    const observer = new ResizeObserver(update);
    for (const child of main.children) observer.observe(child);
    return () => observer.disconnect();
  }, [isVirtual, body, scroller]);
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
