import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { DeliveryHint } from "./Banners";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  server.resetHandlers();
  localStorage.clear();
});
afterAll(() => server.close());

function serve(failed_deliveries: number): string[] {
  const asked: string[] = [];
  const answer = ({ request }: { request: Request }) => {
    asked.push(request.url);
    const at = new Date().toISOString();
    return HttpResponse.json({
      at,
      open_incidents: 0,
      root_causes: 0,
      awaiting: 0,
      failed_deliveries,
      evaluation_late_s: null,
    });
  };
  server.use(http.get("*/api/v1/overview/counts", answer), http.get("*/api/v1/overview", answer));
  return asked;
}

function open(path = "/links"): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[path]}>
        <DeliveryHint />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return client;
}

const hint = () => screen.queryByTestId("delivery-hint");

it("hints at notifications that were not delivered and links the log of them", async () => {
  serve(3);
  open();
  expect((await screen.findByTestId("delivery-hint")).textContent).toContain(
    "3 notifications of the last 24 hours were not delivered.",
  );
  expect(screen.getByRole("link", { name: "Open the log" }).getAttribute("href")).toBe(
    "/notifications/deliveries?status=failed",
  );
});

it("appears on the overview too", async () => {
  serve(1);
  open("/");
  expect((await screen.findByTestId("delivery-hint")).textContent).toContain("1 notification of the last");
});

it("stays away once closed, until more fail than then", async () => {
  serve(3);
  const client = open();
  await screen.findByTestId("delivery-hint");
  fireEvent.click(screen.getByRole("button", { name: "Close this hint" }));
  expect(hint()).toBeNull();
  const now = async (failed: number) => {
    const asked = serve(failed);
    await client.refetchQueries({ queryKey: ["counts"] });
    expect(asked).toHaveLength(1);
  };
  await now(4);
  await waitFor(() => expect(hint()).not.toBeNull());
  await now(1);
  await waitFor(() => expect(hint()).toBeNull());
  // The old ones have left the 24 hours: the next failure is news.
  await now(2);
  await waitFor(() => expect(hint()?.textContent).toContain("2 notifications"));
});

it("says nothing while all are delivered", async () => {
  serve(0);
  const client = open();
  await waitFor(() => expect(client.getQueryData(["counts", "argonne"])).toBeDefined());
  expect(hint()).toBeNull();
});

it("hints at nothing for viewers", async () => {
  serve(3);
  server.use(
    http.get("*/api/v1/session", () =>
      HttpResponse.json({ username: "eve", name: "Eve", role: "viewer", csrf_token: "mock" }),
    ),
  );
  const client = open();
  await waitFor(() => expect(client.getQueryData(["session"])).toBeDefined());
  await waitFor(() => expect(client.getQueryData(["counts", "argonne"])).toBeDefined());
  expect(hint()).toBeNull();
});
