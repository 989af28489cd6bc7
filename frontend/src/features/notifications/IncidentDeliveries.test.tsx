import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { deliveries } from "@/mocks/notifications";
import { Theme } from "@/Theme";
import { IncidentDeliveries } from "./IncidentDeliveries";

const server = setupServer();
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const INCIDENT = { id: 7, cause_id: null, muted: null };

function open(
  incident: Parameters<typeof IncidentDeliveries>[0]["incident"],
  items = deliveries(Date.now()),
) {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get("*/api/v1/deliveries", ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json({ items, next: null });
    }),
  );
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <IncidentDeliveries site="argonne" incident={incident} />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  return asked;
}

it("lists the deliveries of the incident with state and reason, and links the log filtered by it", async () => {
  const asked = open(INCIDENT);
  const table = await screen.findByRole("table", { name: "Deliveries of this incident" });
  const [, retried, failed] = within(table).getAllByRole("row");
  expect(retried?.textContent).toContain("pager (nights)");
  expect(retried?.textContent).toContain("to be retried");
  expect(failed?.textContent).toContain("pager.example.org refused the connection.");
  expect(asked[0]?.get("incident_id")).toBe("7");
  expect(asked[0]?.get("sort")).toBe("-created_at");
  expect(screen.getByRole("link", { name: "In the log" }).getAttribute("href")).toBe(
    "/notifications/deliveries?incident=7",
  );
});

it.each([
  [{ ...INCIDENT, cause_id: 3 }, "Its root cause notifies for it."],
  [{ ...INCIDENT, muted: "snoozed" }, "It is snoozed."],
  [{ ...INCIDENT, muted: "maintenance" }, "A maintenance window mutes it."],
  [INCIDENT, "No notification route took it, or its message still waits for related incidents."],
])("says why nobody was notified", async (incident, text) => {
  open(incident, []);
  const empty = await screen.findByText("Nobody was notified of this incident.");
  expect(empty.parentElement?.textContent).toContain(text);
});
