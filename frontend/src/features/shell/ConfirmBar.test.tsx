import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Change } from "@/api/types";
import { changes } from "@/mocks/changes";
import { SITE } from "@/mocks/network";
import { Theme } from "@/Theme";
import { ConfirmBars } from "./ConfirmBar";

const server = setupServer();
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const site = (id: number, name: string, confirming: number) => ({
  ...SITE,
  id,
  name,
  last_reported_at: null,
  confirming,
});

function serve(awaiting: number | null): (string | null)[] {
  const asked: (string | null)[] = [];
  const now = Date.now();
  const waiting = {
    ...(changes(now)[0] as Change),
    site: "casa",
    state: "confirming",
    confirm_by: new Date(now + 60_000).toISOString(),
  };
  server.use(
    http.get("*/api/v1/sites", () =>
      HttpResponse.json({
        items: [site(1, "argonne", 0), site(2, "casa", 1), site(3, "cern", 0), site(4, "sdsc", 0)],
        next: null,
      }),
    ),
    http.get("*/api/v1/overview/counts", () =>
      awaiting === null ? HttpResponse.error() : HttpResponse.json({ awaiting }),
    ),
    http.get("*/api/v1/changes", ({ request }) => {
      const named = new URL(request.url).searchParams.get("site");
      asked.push(named);
      return HttpResponse.json({ items: named === "casa" ? [waiting] : [], next: null });
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={["/links?site=argonne"]}>
          <ConfirmBars />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  return asked;
}

it("shows the countdowns of all sites, and asks only those with a change that awaits something", async () => {
  const asked = serve(0);
  const bar = await screen.findByTestId("confirm-bar");
  expect(bar.textContent).toContain("awaits confirmation");
  expect(asked).toEqual(["casa"]);
});

it.each([2, null])("asks the displayed site if %s of its changes await something", async (awaiting) => {
  const asked = serve(awaiting);
  await screen.findByTestId("confirm-bar");
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(["argonne", "casa"]));
});
