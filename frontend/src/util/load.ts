/** What follows from a link's two loads. Pure. */

interface Use {
  readonly utilisation: number;
  readonly fresh: boolean;
}

/** The greater utilisation of two directions, 0..1; null when neither is known. */
export function greater(forward: Use | null | undefined, back: Use | null | undefined): number | null {
  if (forward == null && back == null) return null;
  return Math.max(forward?.utilisation ?? 0, back?.utilisation ?? 0);
}

/** From which share of the usable rate a link is called nearly full. */
export const NEARLY_FULL = 0.7;
