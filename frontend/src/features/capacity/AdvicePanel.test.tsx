import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw/http";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { advice } from "@/mocks/models/capacity";
import { Theme } from "@/Theme";
import { AdvicePanel } from "./AdvicePanel";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

function show() {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter>
          <AdvicePanel site="argonne" />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("says what an improvement changes, what remains, and how to apply it", async () => {
  show();
  const list = await screen.findByRole("list", { name: "Improvements, the most useful first" });
  expect(list.textContent).toContain("Give oc3 a usable rate of 200 Mb/s (2 links).");
  expect(list.textContent).toContain("Then grf1, grf1:ga031-router:at0 hold.");
  expect(list.textContent).toContain("slot3 overload no link then, and fail for another reason.");
  expect(list.textContent).toContain("1 fallback would still fail.");
  expect(screen.getByText("backstay sites import FILE").tagName).toBe("CODE");
  expect(screen.getByRole("link", { name: "The fabric oc3" }).getAttribute("href")).toContain("/fabrics/3");
});

it("shows a failed computation as one, not as a site without need", async () => {
  const failed = { ...advice(0), items: [], error: "ValueError: no option", headline: "Not computed yet" };
  server.use(http.get("*/api/v1/capacity/advice", () => HttpResponse.json(failed)));
  show();
  expect(await screen.findByText("The advice cannot be computed.")).toBeDefined();
  expect(screen.getByText("ValueError: no option")).toBeDefined();
});
