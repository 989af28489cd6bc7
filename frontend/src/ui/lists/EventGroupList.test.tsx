import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { EventGroupList, type EventGroupLine } from "@/ui/lists/EventGroupList";

const NOW = Date.parse("2026-05-01T12:00:00Z") / 1000;
const FAILOVER: EventGroupLine = {
  key: "incident:5",
  title: "grf1 failed over",
  detail: "7 paths rerouted to atmgw, at most 300 ms lost, restored",
  state: "ok",
  start: "2026-05-01T11:09:10Z",
  end: "2026-05-01T11:10:02Z",
  first_at: "2026-05-01T11:09:10Z",
  last_at: "2026-05-01T11:10:02Z",
  events: 14,
  url: "/incidents/5",
};

it("shows a cause as one line and its events on demand", () => {
  render(
    <EventGroupList
      groups={[FAILOVER]}
      now={NOW}
      label="Groups"
      renderEvents={({ key }) => <p>events of {key}</p>}
    />,
  );
  const row = screen.getByRole("listitem");
  expect(row.textContent).toContain(
    "grf1 failed over: 7 paths rerouted to atmgw, at most 300 ms lost, restored",
  );
  expect(screen.queryByText("events of incident:5")).toBeNull();
  const toggle = screen.getByRole("button", { name: "Show 14 events of grf1 failed over" });
  fireEvent.click(toggle);
  expect(screen.getByText("events of incident:5")).toBeDefined();
  expect(toggle.getAttribute("aria-expanded")).toBe("true");
});

it("says that a group lasts, and repeats no message of a single event", () => {
  const one = { ...FAILOVER, key: "x", events: 1, detail: "", title: "sp01 restarted", end: null };
  render(<EventGroupList groups={[one]} now={NOW} label="Groups" />);
  expect(screen.getByRole("listitem").textContent).toMatch(/^since .*sp01 restarted1 event$/);
});
