/** Rows of a long table to render: those in the viewport of `main` and a few around them. */
import { useCallback, useLayoutEffect, useState, type RefObject } from "react";
import { useVirtualizer } from "@tanstack/react-virtual";

/** Shorter tables are rendered completely, so that the browser's search finds every row. */
const LONG = 80;
const ROW_PX = 33;
const OVERSCAN = 15;

interface VisibleRow {
  readonly index: number;
}

interface VisibleRows {
  readonly visible: readonly VisibleRow[];
  /** Heights of the rows not rendered, CSS pixels. */
  readonly above: number;
  readonly below: number;
  readonly isVirtual: boolean;
  /** Measures a rendered row, which may wrap. */
  readonly measure: ((row: HTMLElement | null) => void) | undefined;
}

/** `rowPx`: height of a row until it is measured. */
export function useVisibleRows(
  count: number,
  body: RefObject<HTMLElement | null>,
  rowPx = ROW_PX,
): VisibleRows {
  const [top, setTop] = useState(0);
  const scroller = useCallback(() => body.current?.closest("main") ?? null, [body]);
  const isVirtual = count > LONG;
  // oxlint-disable-next-line react/incompatible-library -- no React compiler is in use
  const virtualizer = useVirtualizer({
    count,
    enabled: isVirtual,
    getScrollElement: scroller,
    estimateSize: () => rowPx,
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
    // The content above the table changes its height: a headline wraps, a panel opens.
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
