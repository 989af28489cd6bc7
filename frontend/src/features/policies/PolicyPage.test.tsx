import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Policy } from "@/api/types";
import { policies } from "@/mocks/paths";
import { forget } from "@/mocks/changes";
import { handlers } from "@/mocks/handlers";
import { ConfirmDialog } from "@/ui/confirm";
import { Theme } from "@/Theme";
import { PolicyPage } from "./PolicyPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
beforeEach(forget);
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const Address = () => <p data-testid="address">{useLocation().pathname}</p>;

function open(id: number) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[`/policies/${id}`]}>
          <Routes>
            <Route path="policies/:id" element={<PolicyPage />} />
            <Route path="*" element={<Address />} />
          </Routes>
          <ConfirmDialog />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

const shown = (differing: Partial<Policy>) =>
  server.use(
    http.get("*/api/v1/failover-policies/:id", () => HttpResponse.json({ ...policies()[0], ...differing })),
  );

it("names the nodes on which nothing detects a failure, and what the site file declares", async () => {
  shown({ is_preconfigured: false, undetected: ["sp01", "sp02"] });
  open(1);
  await screen.findByText("not preconfigured: a change must deploy it");
  expect(screen.getByText(/Nothing detects a failure on sp01, sp02/)).toBeTruthy();
});

it("retires a deployed policy after a dialog, and opens the planned removal", async () => {
  open(1);
  fireEvent.click(await screen.findByRole("button", { name: "Retire policy" }));
  const dialog = await screen.findByRole("dialog", { name: /^Retire policy .*\?$/ });
  expect(dialog.textContent).toContain("No node changes until that plan is approved and applied");
  fireEvent.click(within(dialog).getByRole("button", { name: "Plan the removal" }));
  expect((await screen.findByTestId("address")).textContent).toMatch(/^\/changes\/\d+$/);
});

it("deletes a policy that no node has at once", async () => {
  open(2);
  fireEvent.click(await screen.findByRole("button", { name: "Delete policy" }));
  const dialog = await screen.findByRole("dialog", { name: /^Delete policy/ });
  fireEvent.click(within(dialog).getByRole("button", { name: "Delete policy" }));
  expect((await screen.findByTestId("address")).textContent).toBe("/policies");
});

it("disables the button with the reason of the server", async () => {
  shown({ deletion_refusal: "Change #7 alters routes of sp-default: wait until it ends." });
  open(1);
  const button = await screen.findByRole("button", { name: "Retire policy" });
  expect(button.hasAttribute("disabled")).toBe(true);
  expect(screen.getByText("Change #7 alters routes of sp-default: wait until it ends.")).toBeDefined();
});

it("leads to the removal that is planned already", async () => {
  shown({ removal: 43 });
  open(1);
  const link = await screen.findByRole("link", { name: "Change #43" });
  expect(link.getAttribute("href")).toMatch(/^\/changes\/43/);
  expect(screen.queryByRole("button", { name: "Retire policy" })).toBeNull();
});

it("shows the outage time by day and by month, hatched where nothing is known", async () => {
  open(1);
  const bars = await screen.findByRole("list", { name: "Outage time by day" });
  expect(bars.children).toHaveLength(30);
  expect([...bars.children].filter((bar) => bar.className === "hatched")).toHaveLength(27);
  expect(
    screen.getByText("20.65 s in 2 outages, sum over the paths. Days and months are in UTC."),
  ).toBeDefined();
  const table = screen.getByRole("table", { name: "Outage time" });
  expect(within(table).getAllByRole("row")[1]?.textContent).toContain("20.65 s on 2 paths");
  fireEvent.click(screen.getByRole("radio", { name: "months" }));
  const months = await screen.findByRole("list", { name: "Outage time by month" });
  expect(months.children).toHaveLength(12);
});
