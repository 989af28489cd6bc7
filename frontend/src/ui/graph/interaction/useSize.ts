/** The size of an element on screen, as it changes. */

import { useLayoutEffect, useState, type RefObject } from "react";

import type { Size } from "../render/frame";

/** CSS px, whole numbers; null before the first measurement. */
export function useSize(ref: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = (): void => {
      const next = { width: element.offsetWidth, height: element.offsetHeight };
      setSize((old) => (old?.width === next.width && old.height === next.height ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
