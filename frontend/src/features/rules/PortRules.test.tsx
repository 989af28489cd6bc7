import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http } from "msw";
import { setupServer } from "msw/node";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { DevicePortRules, LinkPortRules } from "./PortRules";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const PORTS = [
  { id: 31, name: "grf1:ga030" },
  { id: 32, name: "origin1:at0" },
];
const SUMMARY = "Effective thresholds of a port, and where each comes from";

/** Renders it, and records of which ports the settings are requested. */
function open(children: ReactNode): string[] {
  const requested: string[] = [];
  server.use(
    http.get("*/api/v1/ports/:id/rules", ({ params }) => {
      requested.push(String(params.id));
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>{children}</MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  return requested;
}

it("shows the thresholds of a port with units, each with a link to what sets it", async () => {
  const requested = open(<LinkPortRules ports={PORTS} />);
  expect(requested).toEqual([]);
  fireEvent.click(screen.getByText(SUMMARY));
  const table = await screen.findByRole("table", { name: "Alert settings of grf1:ga030" });
  const saturation = within(table).getByText("Saturation").closest("tr") as HTMLElement;
  expect(saturation.textContent).toContain("Opens at 80 % from role gateway");
  expect(saturation.textContent).toContain("Samples 3 default");
  const [override] = within(saturation).getAllByRole("link", { name: "role gateway" });
  expect(override?.getAttribute("href")).toBe("/rules/saturation?override=role%20gateway");
  expect(within(saturation).getByRole("link", { name: "the whole site" }).getAttribute("href")).toBe(
    "/rules/saturation",
  );
  // Rules about the whole site have nothing to do with a port.
  expect(within(table).queryByText("Path dead")).toBeNull();
  fireEvent.change(screen.getByLabelText("Port"), { target: { value: "origin1:at0" } });
  expect(await screen.findByRole("table", { name: "Alert settings of origin1:at0" })).toBeDefined();
  expect(requested).toEqual(["31", "32"]);
});

it("reduces the list to what differs from the defaults", async () => {
  open(<LinkPortRules ports={PORTS} />);
  fireEvent.click(screen.getByText(SUMMARY));
  const table = await screen.findByRole("table", { name: "Alert settings of grf1:ga030" });
  expect(within(table).getByText("Port down")).toBeDefined();
  fireEvent.click(screen.getByRole("checkbox", { name: "only what differs from the defaults" }));
  expect(within(table).queryByText("Port down")).toBeNull();
  expect(within(table).getByText("Saturation")).toBeDefined();
});

it("picks a port of a device by its name", async () => {
  open(<DevicePortRules site="argonne" node="grf1" />);
  fireEvent.click(screen.getByText(SUMMARY));
  const first = await screen.findByRole("table", { name: /^Alert settings of / });
  const picker = screen.getByLabelText<HTMLInputElement>("Port");
  expect(first.getAttribute("aria-label")).toBe(`Alert settings of ${picker.value}`);
  const other = [...(picker.list?.options ?? [])].map(({ value }) => value).at(-1) ?? "";
  expect(other).not.toBe(picker.value);
  fireEvent.change(picker, { target: { value: other } });
  expect(await screen.findByRole("table", { name: `Alert settings of ${other}` })).toBeDefined();
});
