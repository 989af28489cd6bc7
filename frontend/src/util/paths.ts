/** Counts of paths, as on the overview: dead and unknown paths count for no gateway. Pure. */

interface Counted {
  readonly end_to_end: string;
  readonly placement: string;
}

const delivers = ({ end_to_end }: Counted): boolean => end_to_end !== "dead" && end_to_end !== "unknown";

/** Whether the path works through a fallback. */
export const isRerouted = (path: Counted): boolean => delivers(path) && path.placement === "fallback";

/** Whether the path works through the preferred gateway. */
export const isPreferred = (path: Counted): boolean => delivers(path) && path.placement === "preferred";
