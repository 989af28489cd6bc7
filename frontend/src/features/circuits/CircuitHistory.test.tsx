import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, beforeAll, expect, it } from "vitest";
import { circuits } from "@/mocks/circuits";
import { handlers } from "@/mocks/handlers";
import { SITE } from "@/mocks/network";
import { Theme } from "@/Theme";
import { CircuitHistory } from "./CircuitHistory";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterAll(() => server.close());

it("shows since when a circuit has its labels, and those before", async () => {
  const name = circuits()[1]?.name ?? "";
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <CircuitHistory site={SITE.name} name={name} />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
  const table = await screen.findByRole("table", { name: `Versions of ${name}` });
  const rows = within(table).getAllByRole("row").slice(1);
  expect(rows).toHaveLength(2);
  const now = within(table).getByText("0/131 → 0/231").closest("tr");
  expect(now?.textContent).toContain("now");
  const before = within(table).getByText("0/121").closest("tr");
  expect(before?.textContent).toContain("before the record");
});
