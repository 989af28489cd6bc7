import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { Theme } from "@/Theme";
import { TrackRecordPanel } from "./TrackRecordPanel";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show() {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <TrackRecordPanel site="argonne" />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("shows the errors of a measured drill, and no error of a failover that was not measured", async () => {
  show();
  const table = await screen.findByRole("table", { name: "Track record" });
  const [drill, short] = within(table)
    .getAllByRole("row")
    .slice(1)
    .map(({ textContent }) => textContent);
  expect(drill).toContain("drill #7");
  expect(drill).toContain("measured");
  expect(drill).toContain("2 %");
  expect(drill).toContain("200 Mb/s");
  expect(short).toContain("not measured: It lasted 12 s: too short to measure.");
  expect(short).not.toContain("%");
  screen.getByText(/1 failover measured: median error 2 %/);
});

it("names a failed request", async () => {
  server.use(
    http.get("*/api/v1/capacity/track-record", () =>
      HttpResponse.json({ code: "unavailable", message: "The database is down." }, { status: 503 }),
    ),
  );
  show();
  await screen.findByText(/The database is down/);
  expect(screen.queryByText("No failover of a gateway has been recorded.")).toBeNull();
});
