import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter, useLocation } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { CapacityPage } from "./CapacityPage";
import { WhatIfPage } from "./WhatIfPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

function show(url: string, page = <WhatIfPage map={({ onToggle }) => <Toggle onToggle={onToggle} />} />) {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[url]}>
          {page}
          <Address />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

function Toggle({ onToggle }: { onToggle: (objects: readonly { kind: "node"; id: number }[]) => void }) {
  return <button onClick={() => onToggle([{ kind: "node", id: 201 }])}>grf1 on the map</button>;
}

it("shows what moves when an object is clicked dead, and keeps it in the URL", async () => {
  show("/capacity/what-if?site=argonne");
  await screen.findByText("Nothing fails: no link is too full.", { selector: "b" });
  fireEvent.click(screen.getByRole("button", { name: "grf1 on the map" }));
  const verdict = await screen.findByText("If grf1 fails, atmgw:at0 would carry 142 % of 134.5 Mb/s.", {
    selector: "b",
  });
  expect(verdict.closest("[data-verdict]")?.getAttribute("data-verdict")).toBe("would_not_hold");
  expect(screen.getByTestId("address").textContent).toBe("?site=argonne&dead=node%3A201");
  const links = screen.getByRole("table", { name: "Links whose load changes" });
  expect(within(links).getByText("142 %", { selector: "span[class*=full]" })).toBeTruthy();
  expect(within(screen.getByRole("table", { name: "Moves" })).getByText("not detected")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Let grf1 work again" }));
  await screen.findByText("Nothing fails.");
  expect(screen.getByTestId("address").textContent).toBe("?site=argonne");
});

it("never shows the former answer as that of a scenario that was refused", async () => {
  server.use(
    http.get("*/api/v1/capacity/what-if", ({ request }) =>
      new URL(request.url).searchParams.has("at")
        ? HttpResponse.json({ title: "The moment is in the future." }, { status: 422 })
        : undefined,
    ),
  );
  show("/capacity/what-if?site=argonne&dead=node:grf1");
  await screen.findByTestId("verdict");
  fireEvent.click(screen.getByRole("button", { name: "Moment: now" }));
  fireEvent.click(await screen.findByRole("button", { name: "7 d ago" }));
  await screen.findByText("Cannot load the effect of this failure");
  expect(screen.queryByTestId("verdict")).toBeNull();
});

it("lets a shared risk fail by its name, and says what it contains", async () => {
  show("/capacity/what-if?site=argonne");
  const input = await screen.findByLabelText("Let a shared risk fail");
  const list = document.getElementById(input.getAttribute("list") ?? "");
  expect(list?.querySelector("option[value=slot3]")?.textContent).toBe(
    "card: grf1:ga030-origin1:at0, grf1:ga031-router:at0",
  );
  fireEvent.change(input, { target: { value: "slot3" } });
  await screen.findByRole("button", { name: "Let the shared risk slot3 work again" });
  expect(screen.getByTestId("address").textContent).toBe("?site=argonne&dead=group%3Aslot3");
});

it("shows the packet rate of a gateway against its limit", async () => {
  show("/capacity/what-if?site=argonne&dead=node:grf1");
  const table = await screen.findByRole("table", { name: "Packet rates of gateways" });
  const row = within(table).getByRole("row", { name: /atmgw/ });
  expect(row.textContent?.replaceAll("\u202f", " ")).toContain("131 000 packets/s");
  expect(within(row).getByText("131 %", { selector: "span[class*=full]" })).toBeTruthy();
});

it("lists every failure with its verdict, and says what is unknown", async () => {
  show("/capacity?site=argonne", <CapacityPage />);
  const table = await screen.findByRole("table", { name: "Single failures" });
  expect(within(table).getByRole("link", { name: "grf1" }).getAttribute("href")).toContain("/capacity/1");
  const grf1 = within(table).getByRole("row", { name: /^grf1/ });
  expect(within(grf1).getByText("would not hold")).toBeTruthy();
  expect(within(grf1).getByText("131 %")).toBeTruthy();
  expect((await screen.findByTestId("headline")).textContent).toContain("1 of 2 fallbacks would not hold");
  const notes = await screen.findByTestId("notes");
  expect(notes.textContent).toContain("The traffic of 1 node is unknown or too old.");
  expect(notes.textContent).toContain("8 hosts with a single link are not listed");
});
