import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { overview } from "@/mocks/overview";
import { EvaluationBanner } from "./Banners";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** The server last evaluated the rules `lateS` seconds ago; null: in time. Paths of the requests that ask. */
function serve(lateS: number | null): string[] {
  const asked: string[] = [];
  const snapshot = { ...overview(Date.now(), "cut"), evaluation_late_s: lateS };
  const answer = ({ request }: { request: Request }) => {
    asked.push(new URL(request.url).pathname);
    return HttpResponse.json(snapshot);
  };
  server.use(http.get("*/api/v1/overview/counts", answer), http.get("*/api/v1/overview", answer));
  return asked;
}

function open(path: string): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <EvaluationBanner />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return client;
}

const banner = () => screen.queryByTestId("evaluation-banner");

it("says on every page for how long the rules were not evaluated, and what to check", async () => {
  const asked = serve(75);
  open("/links");
  const { textContent } = await screen.findByRole("alert");
  expect(banner()).not.toBeNull();
  expect(textContent).toContain("Alert rules are not evaluated: last round 1 min 15 s ago.");
  expect(textContent).toContain("Check that the worker and beat run.");
  expect(asked).toEqual(["/api/v1/overview/counts"]);
});

it("takes it on the overview from the overview's own snapshot", async () => {
  const asked = serve(12);
  open("/");
  expect((await screen.findByRole("alert")).textContent).toContain("last round 12 s ago");
  expect(asked).toEqual(["/api/v1/overview"]);
});

it("disappears with the next round, and is absent while the rules are evaluated", async () => {
  serve(75);
  const client = open("/links");
  await screen.findByRole("alert");
  serve(null);
  await client.refetchQueries({ queryKey: ["counts"] });
  await waitFor(() => expect(banner()).toBeNull());
});
