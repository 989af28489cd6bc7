import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, beforeAll, expect, it } from "vitest";
import { circuitVersions } from "@/mocks/circuits";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { HistoryPage } from "./HistoryPage";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterAll(() => server.close());

it("asks for the circuits of the URL's time and shows removed ones without a link", async () => {
  const asked: (string | null)[] = [];
  const versions = circuitVersions().map((version) =>
    version.id === 4 ? { ...version, circuit_id: null, url: null } : version,
  );
  server.use(
    http.get("*/api/v1/circuits/history", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("at"));
      return HttpResponse.json({ items: versions, next: null });
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter initialEntries={["/circuits/history?at=2031-05-01T00:00Z"]}>
          <HistoryPage />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  const table = await screen.findByRole("table", { name: "Circuits at a time" });
  expect(asked).toEqual(["2031-05-01T00:00Z"]);
  expect(within(table).getByRole("link", { name: "grf1-origin1" }).getAttribute("href")).toContain(
    "/circuits/1",
  );
  const removed = within(table).getByText("atmgw-router");
  expect(removed.closest("a")).toBeNull();
});
