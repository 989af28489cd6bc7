/** The order of incidents on a wallboard. Pure. */
import type { Incident } from "@/api/types";

type Ranked = Pick<Incident, "state" | "phase" | "since" | "id">;

const GRAVITY: Readonly<Record<Incident["state"], number>> = {
  critical: 0,
  warning: 1,
  unknown: 2,
  ok: 3,
  disabled: 3,
};

/** Critical ones first, among equals those that nobody has acknowledged, then the newest. */
export function byUrgency(a: Ranked, b: Ranked): number {
  const acknowledged = ({ phase }: Ranked): number => (phase === "acknowledged" ? 1 : 0);
  return (
    GRAVITY[a.state] - GRAVITY[b.state] ||
    acknowledged(a) - acknowledged(b) ||
    Date.parse(b.since) - Date.parse(a.since) ||
    b.id - a.id
  );
}
