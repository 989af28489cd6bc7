import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AsOf } from "./OverviewPage";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-05-01T12:00:00Z") }));
afterEach(() => void vi.useRealTimers());

const text = () => screen.getByTestId("as-of").textContent;
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

it("says for how long no newer snapshot has come, whatever the clock of the server", () => {
  // The clock of the server is ten minutes ahead.
  const { rerender } = render(<AsOf at="2026-05-01T12:10:00Z" />);
  wait(10_000);
  expect(text()).toMatch(/^as of \d\d:10:00$/);
  wait(35_000);
  expect(text()).toMatch(/, not updated for 45 s$/);
  rerender(<AsOf at="2026-05-01T12:10:45Z" />);
  expect(text()).toMatch(/^as of \d\d:10:45$/);
});
