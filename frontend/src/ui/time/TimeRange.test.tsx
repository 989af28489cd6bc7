import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TimeRange } from "@/ui/time/TimeRange";
import { daysRange, wallDay, type Range } from "@/util/time";
import { zoneChoice } from "@/util/timeZone";

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  zoneChoice.set("local");
});

const chosen: Range[] = [];

function Picker() {
  const [range, setRange] = useState<Range>({ from: "now-1h", to: "now" });
  const change = (next: Range) => {
    chosen.push(next);
    setRange(next);
  };
  return (
    <MantineProvider env="test">
      <TimeRange range={range} onChange={change} />
    </MantineProvider>
  );
}

async function open(): Promise<void> {
  fireEvent.click(screen.getByRole("button", { name: /^Time range/ }));
  await screen.findByLabelText("Custom range");
}

async function apply(text: string): Promise<void> {
  await open();
  fireEvent.change(screen.getByLabelText("Custom range"), { target: { value: text } });
  fireEvent.click(screen.getByRole("button", { name: "Apply" }));
}

it("offers what was typed before, newest first and once, without the presets", async () => {
  render(<Picker />);
  await apply("36h");
  await apply("now-6h to now-1h");
  await apply("36h");
  await apply("6h");
  await open();
  const recent = screen.getByRole("group", { name: "Recent ranges" });
  const names = [...recent.querySelectorAll("button")].map((button) => button.textContent);
  expect(names).toEqual(["last 36 h", "now-6h to now-1h"]);
  fireEvent.click(screen.getByRole("button", { name: "now-6h to now-1h" }));
  expect(chosen.at(-1)).toEqual({ from: "now-6h", to: "now-1h" });
});

it("chooses whole days in the calendar, of the zone that is chosen", async () => {
  zoneChoice.set("utc");
  render(<Picker />);
  await open();
  fireEvent.click(screen.getByRole("button", { name: "Calendar" }));
  const now = Date.now() / 1000;
  // The first of the month is never in the future.
  const first = `${wallDay(now).slice(0, 8)}01`;
  const label = new Date(`${first}T12:00`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  const day = await screen.findByRole("button", { name: label }, { timeout: 10_000 });
  fireEvent.click(day);
  fireEvent.click(day);
  expect(chosen.at(-1)?.from).toBe(daysRange(first, first, now).from);
  expect(chosen.at(-1)?.from.endsWith("T00:00:00.000Z")).toBe(true);
});

it("remembers the zone in this browser", async () => {
  render(<Picker />);
  await open();
  fireEvent.click(screen.getByRole("radio", { name: "UTC" }));
  expect(zoneChoice.get()).toBe("utc");
  expect(localStorage.getItem("backstay.zone")).toBe("utc");
});
