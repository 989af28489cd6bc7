/** The time range of a chart that can be brushed: narrows the global range, a double click or Escape restores it. */
import { useEffect, useRef } from "react";
import { useRange } from "@/api/scope";
import { absolute, type Range } from "@/util/time";

const DEEPEST = 20;

/** Keeps the ranges before each brush so that `back` and Escape restore them. */
export function useZoom(): { range: Range; zoom: (start: number, end: number) => void; back: () => void } {
  const [range, setRange] = useRange();
  const stack = useRef<Range[]>([]);
  const back = () => {
    const before = stack.current.pop();
    if (before !== undefined) setRange(before);
  };
  const zoom = (start: number, end: number) => {
    stack.current = [...stack.current, range].slice(-DEEPEST);
    setRange(absolute(start, end));
  };
  useEscape(back);
  return { range, zoom, back };
}

function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && document.querySelector('[role="dialog"]') === null) onEscape();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
