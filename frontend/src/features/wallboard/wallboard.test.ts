import { describe, expect, it, vi } from "vitest";
import { pauseMs } from "@/api/wallboard/screen";
import { faultOf, LATE_MS } from "./freshness";
import { LEAST_MS, reloadScreen } from "./restart";
import { wrapped } from "./rotation";
import { byUrgency } from "./incidentOrder";

describe("the most urgent incidents", () => {
  it("are critical ones, then those that nobody has, then the newest", () => {
    const line = (
      id: number,
      state: "critical" | "warning",
      phase: "open" | "acknowledged",
      minute: number,
    ) => ({ id, state, phase, since: `2026-05-01T12:0${minute}:00Z` });
    const listed = [
      line(1, "warning", "open", 9),
      line(2, "critical", "acknowledged", 8),
      line(3, "critical", "open", 1),
      line(4, "critical", "open", 5),
    ];
    expect(listed.toSorted(byUrgency).map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  });
});

describe("the state of the data", () => {
  const now = 1_000_000;
  const good = {
    live: { connection: "live", receivedAt: now - 1000 },
    updatedAt: now - 4000,
    now,
    intervalS: 5,
    evaluationLateS: null,
  } as const;

  it("is current while answers, measurements and evaluations arrive", () => {
    expect(faultOf(good)).toBeNull();
  });

  it("names the gravest fault", () => {
    expect(faultOf({ ...good, evaluationLateS: 90 })?.title).toBe("Alerts are not evaluated");
    const quiet = {
      ...good,
      live: { connection: "live", receivedAt: now - 60_000 },
      evaluationLateS: 90,
    } as const;
    expect(faultOf(quiet)).toMatchObject({ title: "No measurements" });
    expect(faultOf(quiet)?.text).toContain("for 1 min");
    const lost = { ...quiet, updatedAt: now - LATE_MS - 1 };
    expect(faultOf(lost)).toMatchObject({ title: "Connection lost" });
    expect(faultOf(lost)?.text).toContain("for 1 min");
    const polling = { ...good, live: { connection: "polling", receivedAt: now - 9000 } } as const;
    expect(faultOf(polling)).toMatchObject({ title: "Connection lost" });
  });
});

it("pages wrap around at both ends", () => {
  expect([wrapped(4, 1, 5), wrapped(0, -1, 5), wrapped(7, 0, 3), wrapped(3, 1, 0)]).toEqual([0, 4, 1, 0]);
});

it("pauses grow to half a minute and differ between screens", () => {
  expect([0, 1, 2, 10].map((failures) => pauseMs(failures, 1))).toEqual([1000, 2000, 4000, 30_000]);
  expect(pauseMs(10, 0)).toBe(15_000);
});

it("a screen reloads at most once a minute", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  const reload = vi.fn<() => void>();
  const times = [LEAST_MS, LEAST_MS + 1, 2 * LEAST_MS];
  expect(times.map((now) => reloadScreen(now, reload))).toEqual([true, false, true]);
  expect(reload).toHaveBeenCalledTimes(2);
  vi.unstubAllGlobals();
});
