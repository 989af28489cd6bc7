import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Port } from "@/api/types";
import { Theme } from "@/Theme";
import { OtherPortNote, OtherPortPicker, useOtherPort } from "./PortComparison";

const OWN = { id: 1, node: "grf1", name: "ga030", url: "/ports/1" } as Port;
const OTHER = { id: 2, node: "sp02", name: "css0", url: "/ports/2" } as Port;

const server = setupServer(
  http.get("*/api/v1/sites", () => HttpResponse.json({ items: [{ name: "lab", last_reported_at: null }] })),
  http.get("*/api/v1/ports", () => HttpResponse.json({ items: [OWN, OTHER] })),
  http.get("*/api/v1/ports/2", () => HttpResponse.json(OTHER)),
  http.get("*/api/v1/ports/2/history", () => HttpResponse.json({ at: [0, 60] })),
);
beforeAll(() => server.listen());
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

function Comparison() {
  const other = useOtherPort(OWN, { from: "now-1h", to: "now" });
  return (
    <>
      <OtherPortPicker other={other} />
      <OtherPortNote other={other} />
      <output>{other.history === undefined ? "no history" : `${other.history.at.length} bins`}</output>
    </>
  );
}

function open(address: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[address]}>
          <Comparison />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("shows the port that the address names, and drops it when its name is cleared", async () => {
  open("/ports/1?with=2");
  expect(await screen.findByText("2 bins")).toBeDefined();
  expect(screen.getByRole("link", { name: "sp02:css0" }).getAttribute("href")).toContain("/ports/2");
  fireEvent.change(screen.getByLabelText("Compare with another port"), { target: { value: "" } });
  expect(await screen.findByText("no history")).toBeDefined();
  expect(screen.queryByRole("link")).toBeNull();
});

it("is never compared with itself, nor with an address that is no port", () => {
  open("/ports/1?with=1");
  expect(screen.getByText("no history")).toBeDefined();
  cleanup();
  open("/ports/1?with=grf1");
  expect(screen.getByText("no history")).toBeDefined();
});

it("says why the other port cannot be shown", async () => {
  server.use(
    http.get("*/api/v1/ports/2", () =>
      HttpResponse.json({ title: "Not found", status: 404, detail: "There is no port 2." }, { status: 404 }),
    ),
  );
  open("/ports/1?with=2");
  expect(await screen.findByText(/^The other port cannot be shown: /)).toBeDefined();
});
