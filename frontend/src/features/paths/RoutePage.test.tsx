import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { setupServer } from "msw/node";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { RoutePage } from "./RoutePage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterAll(() => server.close());

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

function show(url: string) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[url]}>
          <RoutePage />
          <Address />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

const ENDS = "/paths/between?site=argonne&source=sp01&destination=origin1";

it("lists the hops, and the path under a failure without losing the order of the failures", async () => {
  show(ENDS);
  const hops = await screen.findByRole("list", { name: "Hops" });
  expect(
    within(hops)
      .getAllByRole("listitem")
      .map((item) => item.dataset["vertex"] ?? "link"),
  ).toEqual(["sp01", "link", "sp-switch", "link", "grf1", "link", "origin1"]);
  expect(screen.getByTestId("headline").textContent).toBe(
    "sp01 to origin1: 3 hops, narrowest 538 Mb/s at grf1:ga030-origin1, MTU 9180 bytes.",
  );
  fireEvent.click(screen.getByRole("button", { name: "Show the path if grf1 fails" }));
  await screen.findByRole("heading", { name: "If grf1 fails" });
  expect(screen.getByTestId("address").textContent).toContain("without=node%3Agrf1");
  const table = screen.getByRole("table", { name: "Single failures on the path" });
  const [, ...rows] = within(table).getAllByRole("row");
  expect(rows.map((row) => row.textContent).join()).toMatch(/grf1.*134.5 Mb.s.*sp-switch.*no path/);
});

it("says why nothing arrives instead of an empty list", async () => {
  show(`${ENDS}&without=fabric:sp-switch`);
  await screen.findByRole("heading", { name: "If sp-switch fails" });
  expect(screen.getByText(/^No path: sp01 reaches none of the gateways/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Show on the map" })).toBeNull();
});

it("an unknown name is an error with similar names, one of which is chosen", async () => {
  show("/paths/between?site=argonne&source=sp99&destination=origin1");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("There is no node 'sp99' at argonne.");
  expect(screen.getByText("There is no node sp99.")).toBeTruthy();
  fireEvent.click(await within(alert).findByRole("button", { name: "sp01" }));
  await screen.findByRole("list", { name: "Hops" });
});

it("without both ends it asks for them", () => {
  show("/paths/between?site=argonne&source=sp01");
  expect(screen.getByText("Choose two nodes.")).toBeTruthy();
});
