/** Clocks of the mock API: a router a month behind since its reboot, a host with an agent and chrony, a HIPPI switch. */
import type { Clock } from "@/api/clocks";

const DAY = 86_400;

export function clocks(now: number): Clock[] {
  const iso = (secondsAgo: number): string => new Date(now - secondsAgo * 1000).toISOString();
  const make = (
    node: string,
    node_id: number,
    source: string,
    offsets: readonly number[],
    more: Partial<Clock> = {},
  ): Clock => ({
    node,
    node_id,
    source,
    explanation: `How ${source} is read, and what its error consists of.`,
    against: "backend",
    state: "ok",
    text: "in sync",
    offset_s: offsets.at(-1) ?? 0,
    error_s: 0.51,
    at: iso(2),
    age_s: 2,
    drift_ppm: null,
    drift_error_ppm: null,
    step: null,
    incident: null,
    url: `/devices/${node_id}`,
    recent: offsets.map((offset_s, index) => ({
      at: iso(60 * (offsets.length - 1 - index) + 2),
      offset_s,
      error_s: more.error_s ?? 0.51,
    })),
    ...more,
  });
  const step = { at: iso(180), by_s: -31 * DAY, at_reboot: true, text: "clock stepped back 31 d at reboot" };
  const incident = {
    id: 1,
    title: "grf1: clock 31 d behind since reboot",
    severity: "critical",
    url: "/incidents/1",
  };
  return [
    make("grf1", 4, "hrSystemDate", [0.2, 0.2, -31 * DAY, -31 * DAY, -31 * DAY], {
      state: "critical",
      text: "31 d behind",
      step,
      incident,
    }),
    make("ps32", 12, "ps32", [0.4, 0.41, 0.412], { error_s: 0.506 }),
    make("sp01", 1, "agent", [0.001, 0.0012, 0.0011, 0.0014], {
      error_s: 0.0021,
      drift_ppm: 4.1,
      drift_error_ppm: 1.2,
    }),
    make("sp01", 1, "chrony", [], {
      against: "ntp",
      offset_s: -0.00025,
      error_s: 0.0051,
      drift_ppm: -12.345,
      drift_error_ppm: 0.25,
    }),
    make("sp02", 2, "agent", [0.0002, 0.0004], {
      state: "unknown",
      at: iso(600),
      age_s: 600,
      error_s: 0.003,
    }),
  ];
}
