/** The one count of each path, as on the overview: dead and unknown paths are on no gateway. Pure. */

interface Counted {
  readonly end_to_end: string;
  readonly placement: string;
}

const delivers = ({ end_to_end }: Counted): boolean => end_to_end !== "dead" && end_to_end !== "unknown";

/** Whether it delivers through another gateway than the preferred one. */
export const isRerouted = (path: Counted): boolean => delivers(path) && path.placement === "fallback";

/** Whether it delivers through the preferred gateway. */
export const isPreferred = (path: Counted): boolean => delivers(path) && path.placement === "preferred";
