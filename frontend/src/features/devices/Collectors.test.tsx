import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Collector, Recording } from "@/api/types";
import { collectorsOf, recordingsOf } from "@/mocks/figures";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { Collectors, summaryOf } from "./Collectors";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const [WELL] = collectorsOf(8) as [Collector];
const SILENT: Collector = {
  ...WELL,
  id: "snmp-metrics",
  name: "snmp-metrics",
  state: "critical",
  state_text: "no answer in time",
  outcome: "timeout",
  detail: "no answer within 5 s",
  duration_ms: 5000,
  answered_at: null,
};
const LOST: Collector = {
  ...WELL,
  id: "ssh",
  name: "ssh",
  state: "unknown",
  state_text: "not reported for 9 min",
};

function open(items?: readonly Collector[]) {
  if (items !== undefined) {
    server.use(http.get("*/api/v1/nodes/8/collectors", () => HttpResponse.json({ items, next: null })));
  }
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <Collectors node={8} name="sp08" />
      </QueryClientProvider>
    </Theme>,
  );
}

it("is collapsed while all collectors are well, and opens", async () => {
  open();
  const summary = await screen.findByText("All 2 collectors are well.");
  expect(screen.queryByRole("table")).toBeNull();
  const details = summary.closest("details");
  expect(details?.open).toBe(false);
  if (details !== null) details.open = true;
  fireEvent(details as Element, new Event("toggle"));
  const table = await screen.findByRole("table", { name: "Collectors of sp08" });
  expect(within(table).getByText("413 ms")).toBeDefined();
  const lldp = within(screen.getByRole("table", { name: "SNMP tables of sp08" })).getByRole("row", {
    name: /^lldp/,
  });
  expect(lldp.textContent).toContain("3 neighbours on unlisted ports");
});

it("names the command that records a device, and the host on which to run it", async () => {
  const [snmp] = collectorsOf(8) as [Collector];
  open([{ ...SILENT, record_command: "" }, snmp]);
  const command = await screen.findByText(/^backstay-agent record sp08 /);
  expect(command.textContent).toContain("--output recording.snmprec");
  expect(command.parentElement?.textContent).toContain("On mgmt1,");
  expect(screen.getAllByText(/^backstay-agent record/)).toHaveLength(1);
});

it("records a device through its agent, waits, and offers the file", async () => {
  const [snmp] = collectorsOf(8) as [Collector];
  const [recorded] = recordingsOf(8) as [Recording];
  let made: Recording[] = [];
  server.use(
    http.get("*/api/v1/nodes/8/recordings", () => HttpResponse.json({ items: made, next: null })),
    http.post("*/api/v1/nodes/8/recordings", () => {
      const asked = { ...recorded, state: "asked" as const, text: "The agent records sp08.", download: null };
      made = [asked];
      return HttpResponse.json(asked, { status: 201 });
    }),
  );
  open([{ ...SILENT, record_command: "" }, snmp]);
  fireEvent.click(await screen.findByRole("button", { name: "Record sp08" }));
  const waiting = await screen.findByRole("button", { name: "Waiting for the agent" });
  expect(waiting.hasAttribute("disabled")).toBe(true);
  expect(screen.getByText(/The agent records sp08/)).toBeDefined();
  made = [recorded];
  const link = await screen.findByRole("link", { name: /^Download recording/ }, { timeout: 5000 });
  expect(link.getAttribute("href")).toBe("/api/v1/recordings/3/download");
  expect(link.getAttribute("download")).toBe("sp08-3.snmprec");
  expect(screen.getByRole("button", { name: "Record sp08" }).hasAttribute("disabled")).toBe(false);
});

it("says why a device was not recorded", async () => {
  const [snmp] = collectorsOf(8) as [Collector];
  const [recorded] = recordingsOf(8) as [Recording];
  const failed = { ...recorded, state: "failed", text: "no answer from 192.0.2.1.", download: null };
  server.use(
    http.get("*/api/v1/nodes/8/recordings", () => HttpResponse.json({ items: [failed], next: null })),
  );
  open([{ ...SILENT, record_command: "" }, snmp]);
  expect(await screen.findByText(/no answer from 192\.0\.2\.1\./)).toBeDefined();
  expect(screen.queryByRole("link", { name: /^Download/ })).toBeNull();
});

it("is open and names each collector that failed or is no longer reported, with the reason", async () => {
  open([WELL, SILENT, LOST]);
  await screen.findByText("1 of 3 collectors is well. Failing: snmp-metrics. No longer reported: ssh.");
  const row = within(screen.getByRole("table")).getByRole("row", { name: /snmp-metrics/ });
  expect(row.textContent).toContain("no answer in time");
  expect(row.textContent).toContain("no answer within 5 s");
  expect(row.textContent).toContain("not recorded");
  expect(screen.getByText("not reported for 9 min")).toBeDefined();
});

it("shows why an SNMP table was not read whole", async () => {
  const cut = {
    table: "bridge",
    columns: 4,
    rows: 7,
    results: null,
    not_understood: [],
    duration_ms: 30_000,
    interruptions: 2,
    error: "the walk was not over after 30 s",
  };
  open([{ ...SILENT, tables: [cut, { ...cut, table: "vlan", interruptions: 1, error: "" }] }]);
  await screen.findByText("the walk was not over after 30 s (interrupted 2 times)");
  expect(screen.getByText("interrupted 1 time")).toBeDefined();
});

it("states that no collector has reported yet", async () => {
  open([]);
  await screen.findByText("No collector of this device has reported yet.");
});

it("states why the collectors cannot be loaded", async () => {
  server.use(
    http.get("*/api/v1/nodes/8/collectors", () =>
      HttpResponse.json(
        { code: "unavailable", message: "The database is down.", fields: {} },
        { status: 503 },
      ),
    ),
  );
  open();
  await screen.findByText("Cannot load the collectors");
});

it("counts one collector in the singular", () => {
  expect(summaryOf([WELL])).toBe("1 collector is well.");
  expect(summaryOf([SILENT])).toBe("0 of 1 collector is well. Failing: snmp-metrics.");
});
