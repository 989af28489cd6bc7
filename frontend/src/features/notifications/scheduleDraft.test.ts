import { expect, it } from "vitest";
import type { Schedule } from "@/api/notifications/queries";
import { channels, deliveries, schedules } from "@/mocks/notifications";
import { channelsHeadline, deliveriesHeadline, deliveryLabel, schedulesHeadline, testText } from "./labels";
import { draftOfSchedule, moved, scheduleOfDraft, shiftsOf, validateSchedule } from "./scheduleDraft";
import { fromWallClock, isZone, shortWallClock, toWallClock } from "./clockTime";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const [NIGHTS] = schedules(NOW) as [Schedule];

it.each([
  ["2026-03-29T01:30", "2026-03-29T00:30:00.000Z"],
  // Skipped: an hour later on the clock.
  ["2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
  ["2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
  // Occurs twice: the first.
  ["2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ["2026-10-25T03:00", "2026-10-25T02:00:00.000Z"],
])("reads %s in Europe/Zurich as the server does", (text, iso) =>
  expect(fromWallClock(text, "Europe/Zurich")).toBe(iso),
);

it.each([
  ["America/Chicago", "2026-03-08T02:30", "2026-03-08T08:30:00.000Z"],
  ["America/Chicago", "2026-11-01T01:30", "2026-11-01T06:30:00.000Z"],
  ["Pacific/Kiritimati", "2026-06-01T00:00", "2026-05-31T10:00:00.000Z"],
  ["Asia/Kathmandu", "2026-06-01T00:00", "2026-05-31T18:15:00.000Z"],
  ["UTC", "2026-06-01T00:00", "2026-06-01T00:00:00.000Z"],
])("reads a time of %s", (zone, text, iso) => expect(fromWallClock(text, zone)).toBe(iso));

it("writes every hour around a change of the clock so that it is read back", () => {
  const start = Date.parse("2026-10-24T20:00:00Z");
  const hours = Array.from({ length: 12 }, (_, hour) => new Date(start + hour * 3_600_000).toISOString());
  const read = hours.map((iso) => fromWallClock(toWallClock(iso, "Europe/Zurich"), "Europe/Zurich"));
  // 02:00 summer time and 02:00 winter time are one text.
  expect(hours.filter((iso, at) => read[at] !== iso)).toEqual(["2026-10-25T01:00:00.000Z"]);
});

it("refuses invalid times and zones", () => {
  expect([fromWallClock("", "UTC"), fromWallClock("2026-06-01T00:00", "Mars/Base")]).toEqual([null, null]);
  expect([isZone("Europe/Zurich"), isZone("Mars/Base")]).toEqual([true, false]);
  expect(shortWallClock("2026-11-30T08:00:00Z", "Europe/Zurich")).toBe("Mon 30 Nov 09:00");
});

it("sends an edited schedule back unchanged", () => {
  const body = scheduleOfDraft("argonne", draftOfSchedule(NIGHTS));
  const { name, people, zone, starts_on, handover, days, restrictions, overrides } = NIGHTS;
  expect(validateSchedule(draftOfSchedule(NIGHTS))).toEqual({});
  const site = "argonne";
  expect(body).toEqual({ site, name, people, zone, starts_on, handover, days, restrictions, overrides });
});

it("keeps the exact instants of overrides that were not edited", () => {
  // The second 02:00 of the night, and seconds: neither can be typed.
  const override = { person: "frank", start: "2026-10-25T01:00:00Z", end: "2026-10-25T09:00:30Z" };
  const draft = draftOfSchedule({ ...NIGHTS, overrides: [override] });
  expect(scheduleOfDraft("argonne", draft)?.overrides).toEqual([override]);
  const [row] = draft.overrides;
  if (row === undefined) throw new Error("one override");
  const edited = { ...draft, overrides: [{ ...row, end: "2026-10-25T12:00" }] };
  expect(scheduleOfDraft("argonne", edited)?.overrides).toEqual([
    { ...override, end: "2026-10-25T11:00:00.000Z" },
  ]);
  const [other] = scheduleOfDraft("argonne", { ...draft, zone: "UTC" })?.overrides ?? [];
  expect(other?.start).toBe("2026-10-25T02:00:00.000Z");
});

it("names what is missing or out of order", () => {
  const draft = draftOfSchedule(NIGHTS);
  const errors = (more: Partial<typeof draft>) => validateSchedule({ ...draft, ...more });
  expect(errors({ people: [] }).people).toBe("Add at least one person.");
  expect(errors({ zone: "Mars/Base" }).zone).toContain("time zone");
  expect(errors({ days: "0" }).days).toBe("Enter 1 to 366.");
  const override = { key: 1, person: "rita", start: "2026-12-02T09:00", end: "2026-12-01T09:00" };
  expect(errors({ overrides: [override] }).overrides).toBe("An override ends after its start.");
  expect(errors({ overrides: [{ ...override, start: "" }] }).overrides).toContain("start and end");
  expect(scheduleOfDraft("argonne", { ...draft, overrides: [{ ...override, start: "" }] })).toBeNull();
});

it("marks the current shift and who replaces its person", () => {
  const shifts = shiftsOf(NIGHTS, NOW);
  expect(shifts.map(({ isNow }) => isNow)).toEqual([true, ...Array(7).fill(false)]);
  expect(shifts.map(({ replacedBy }) => replacedBy.join())).toEqual(["", "frank", "", "", "", "", "", ""]);
  const after = Date.parse(NIGHTS.overrides[0]?.end ?? "");
  expect(shiftsOf(NIGHTS, after)[1]?.replacedBy).toEqual([]);
});

it("moves within the list only", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
});

it("states the most urgent fact in the headlines", () => {
  const [mail, hook, phone] = channels(NOW);
  if (mail === undefined || hook === undefined || phone === undefined) throw new Error("three channels");
  expect(channelsHeadline([mail, hook, phone])).toBe("pager cannot deliver.");
  expect(channelsHeadline([mail, phone])).toBe("1 of 2 channels not tried since the last change.");
  expect(channelsHeadline([mail])).toBe("1 enabled channel, no failures.");
  expect(channelsHeadline([{ ...mail, enabled: false, state: "disabled" }])).toContain("nobody is notified");
  expect(channelsHeadline([])).toContain("nobody is notified");
  expect(schedulesHeadline([NIGHTS])).toBe("Without a channel: rita.");
  expect(schedulesHeadline([{ ...NIGHTS, on_call: null, without_channel: [] }])).toBe(
    "Nobody is on call in nights.",
  );
  expect(deliveriesHeadline(deliveries(NOW))).toBe("3 deliveries: 1 sent, 1 failed, 1 pending.");
});

it("distinguishes a delivery that is retried from a new one", () => {
  expect(deliveryLabel({ status: "queued", failure: "refused" })).toBe("to be retried");
  expect(deliveryLabel({ status: "queued", failure: "" })).toBe("queued");
  expect(testText({ delivered: false, reason: "refused", took_ms: 12, delivery_id: 1 })).toBe(
    "Not delivered after 12 ms: refused",
  );
});
