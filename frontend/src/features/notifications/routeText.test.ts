import { expect, it } from "vitest";
import type { NotificationRoute } from "@/api/notifications/queries";
import { notificationRoutes } from "@/mocks/notifications";
import { draftOfRoute, emptyRoute, newStep, parseLabels, routeOfDraft, validateRoute } from "./routeDraft";
import { describeMatchers, describeRoute, namedSteps } from "./routeText";
import { formatSpan, parseSpan, spanError } from "./seconds";
import { describeTime, describeTimes, timesError } from "./weeklyText";

const ROUTES = notificationRoutes(0) as [NotificationRoute, NotificationRoute];
const textOf = (route: NotificationRoute) => describeRoute({ ...route, steps: namedSteps(route) });

it("says in plain sentences what a route does", () => {
  expect(textOf(ROUTES[0])).toBe(
    "Critical incidents: notify operators; after 15 min without acknowledgement, the person on call in nights. " +
      "Changes are collected for 10 s into one message; the next one follows after 5 min at the earliest, for a " +
      "new critical incident sooner. Reminders every 4 h until somebody acknowledges. Resolved incidents are " +
      "reported. Later routes are not tried.",
  );
  expect(textOf(ROUTES[1])).toBe(
    "Disabled. Incidents of kind “Port down” or “Saturation” on fabric hippi, Mon–Fri 08:00–18:00 " +
      "(Europe/Zurich): notify operators. The first message leaves at once; the next one follows after 5 min at " +
      "the earliest, for a new critical incident sooner. No reminders. Resolved incidents are not reported. Later " +
      "routes are tried too.",
  );
});

it("names every matcher, and a route without any takes all incidents", () => {
  expect(describeMatchers({ zone: "UTC" })).toBe("All incidents");
  expect(describeMatchers({ zone: "UTC", severities: ["critical", "warning"] })).toBe("All incidents");
  expect(
    describeMatchers({ zone: "UTC", roles: ["gateway", "compute"], labels: { rack: "7", row: "2" } }),
  ).toBe("Incidents of nodes with role gateway or compute with label rack=7 and row=2");
});

it("sends an edited route back unchanged", () => {
  for (const route of ROUTES) {
    const body = routeOfDraft(route.site, draftOfRoute(route));
    expect(validateRoute(draftOfRoute(route))).toEqual({});
    expect(body.steps).toEqual(
      route.steps.map(({ after_s, channels, schedules }) => ({ after_s, channels, schedules })),
    );
    expect(body).toMatchObject({ name: route.name, position: route.position, matchers: route.matchers });
    expect(body).toMatchObject({ group_wait_s: route.group_wait_s, repeat_s: route.repeat_s });
  }
});

it("refuses steps that are out of order or reach nobody", () => {
  const draft = draftOfRoute(ROUTES[0]);
  const error = (...after: string[]) =>
    validateRoute({
      ...draft,
      steps: after.map((text) => ({ ...newStep(text), targets: ["channel:1" as const] })),
    }).steps;
  expect(error("0 s", "5 min")).toBeUndefined();
  expect(error("1 s")).toBe("The first step starts at 0 s.");
  expect(error("0 s", "5 min", "5 min")).toBe("Every step starts later than the one before.");
  expect(error("0 s", "8 d")).toContain("up to 7 d");
  expect(validateRoute({ ...draft, steps: [newStep("0 s")] }).steps).toContain("Add a channel");
});

it("puts a new route behind the others", () => {
  expect(emptyRoute(ROUTES, "UTC").position).toBe("30");
  expect(emptyRoute([], "UTC").position).toBe("0");
  expect(emptyRoute([{ position: 10_000 }], "UTC").position).toBe("10000");
});

it("parses labels", () => {
  expect(parseLabels(["rack=7", "row = a=b", "hall=1,2"])).toEqual({ rack: "7", row: "a=b", hall: "1,2" });
  expect(parseLabels([])).toEqual({});
  expect([parseLabels(["rack"]), parseLabels(["=7"])]).toEqual([null, null]);
});

it.each([0, 0.5, 1, 59, 60, 90, 3661, 14_400, 90_061, 604_800])("formats %d s so that it parses", (seconds) =>
  expect(parseSpan(formatSpan(seconds))).toBe(seconds),
);

it("parses durations as typed, and refuses others", () => {
  expect(["90", "15 min", "1h 30m", "2 D", "1.5 h"].map(parseSpan)).toEqual([90, 900, 5400, 172_800, 5400]);
  expect(["", "soon", "1 h 30", "-5 s", "5 weeks"].map(parseSpan)).toEqual([null, null, null, null, null]);
  expect(spanError("5 s", 10, 86_400)).toBe("Enter 10 s to 1 d.");
});

it("describes spans of a week", () => {
  expect(describeTime({ weekdays: [0, 1, 2, 3, 4], start: "18:00", end: "08:00" })).toBe(
    "Mon–Fri 18:00–08:00 (next day)",
  );
  expect(
    describeTimes([
      { weekdays: [6, 5], start: "00:00", end: "23:59" },
      { weekdays: [0, 1, 2, 3, 4, 5, 6], start: "09:00", end: "10:00" },
      { weekdays: [0, 2, 3, 4], start: "09:00", end: "10:00" },
    ]),
  ).toBe("Sat, Sun 00:00–23:59; every day 09:00–10:00; Mon, Wed–Fri 09:00–10:00");
  expect(timesError([{ weekdays: [], start: "09:00", end: "10:00" }])).not.toBeNull();
});
