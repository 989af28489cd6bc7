import { expect, it } from "vitest";
import { clockLeft, markPassed, secondsLeft } from "@/util/countdown";

const WAITING = { confirm_by: "2026-05-01T12:02:00Z", since: "2026-05-01T12:00:00Z", age_s: 13 };

it("counts by the server's clock even if the local clock is wrong", () => {
  const wrongClock = Date.parse("1999-01-01T00:00:00Z");
  expect(secondsLeft(WAITING, wrongClock, wrongClock)).toBe(107);
  expect(secondsLeft(WAITING, wrongClock, wrongClock + 7500)).toBe(99.5);
  expect(secondsLeft(WAITING, wrongClock, wrongClock + 110_000)).toBe(-3);
});

it("is undefined when nothing awaits confirmation", () =>
  expect(secondsLeft({ ...WAITING, confirm_by: null }, 0, 0)).toBeNull());

it("reaches 00:00 only at the deadline", () =>
  expect([107, 0.4, 0, -3, 3665].map(clockLeft)).toEqual(["01:47", "00:01", "00:00", "00:00", "61:05"]));

it("is announced once at 60, 30 and 10 s; after a pause only the latest", () => {
  const looks = [61.2, 60.2, 59.2, 31, 30, 29, 10.5, 9.5, 2];
  expect(looks.slice(1).map((now, index) => markPassed(looks[index] ?? 0, now))).toEqual([
    null,
    60,
    null,
    30,
    null,
    null,
    10,
    null,
  ]);
  expect(markPassed(100, 5)).toBe(10);
});
