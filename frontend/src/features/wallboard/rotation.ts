/** Which page a wallboard shows, and for how long. */
import { useEffect, useState } from "react";

export interface Rotation {
  readonly index: number;
  readonly paused: boolean;
  /** Shows another page for its whole time: 1 the next one, -1 the previous one. */
  readonly move: (by: number) => void;
  readonly toggle: () => void;
}

/** Wraps around at both ends. */
export const wrapped = (index: number, by: number, pages: number): number =>
  pages === 0 ? 0 : (((index + by) % pages) + pages) % pages;

/** One timer at a time, whatever the number of rounds; none while paused or with a single page. */
export function useRotation(pages: number, seconds: number): Rotation {
  const [index, setIndex] = useState(0);
  const [paused, setPaused] = useState(false);
  const shown = wrapped(index, 0, pages);
  useEffect(() => {
    if (paused || pages < 2) return undefined;
    const timer = setTimeout(() => setIndex(wrapped(shown, 1, pages)), seconds * 1000);
    return () => clearTimeout(timer);
  }, [paused, pages, seconds, shown]);
  return {
    index: shown,
    paused,
    move: (by) => setIndex(wrapped(shown, by, pages)),
    toggle: () => setPaused((before) => !before),
  };
}

/** Space or P pauses, the arrows change the page. */
export function useRotationKeys({ move, toggle }: Rotation): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      // A focused button has its own meaning of the space bar.
      const isButton = event.target instanceof HTMLButtonElement;
      if ((event.key === " " && !isButton) || event.key === "p") toggle();
      else if (event.key === "ArrowRight") move(1);
      else if (event.key === "ArrowLeft") move(-1);
      else return;
      event.preventDefault();
    };
    globalThis.addEventListener("keydown", onKey);
    return () => globalThis.removeEventListener("keydown", onKey);
  }, [move, toggle]);
}
