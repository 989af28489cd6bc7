import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Link } from "@/api/types";
import { handlers } from "@/mocks/handlers";
import { history, linkDetails } from "@/mocks/network";
import { Theme } from "@/Theme";
import { LinkChart } from "./LinkChart";

const server = setupServer(...handlers);
beforeAll(() => server.listen());
afterEach(() => {
  cleanup();
  server.resetHandlers();
});
afterAll(() => server.close());

const [link] = linkDetails(Date.now(), "normal") as [Link];

function drawTable(): void {
  render(
    <Theme>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={["/links/1?show=table"]}>
          <LinkChart link={link} />
        </MemoryRouter>
      </QueryClientProvider>
    </Theme>,
  );
}

it("asks for the baseline only while it is switched on, and lists it in the table", async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get("*/api/v1/links/:id/history", ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query.get("baseline"));
      const isOn = query.get("baseline") === "true";
      return HttpResponse.json(history(link.id, "now-1h", "now", Date.now(), "normal", isOn));
    }),
  );
  drawTable();
  const toggle = await screen.findByRole<HTMLInputElement>("checkbox", { name: "baseline" });
  expect(toggle.checked).toBe(false);
  expect(screen.queryByText(/^The baseline rests/)).toBeNull();
  expect(screen.queryByText(/usually/)).toBeNull();
  fireEvent.click(toggle);
  expect(await screen.findByText(/^The baseline rests on .* of 6 earlier weeks/)).toBeDefined();
  expect(screen.getAllByText(/usually/)).toHaveLength(2);
  expect(new Set(asked)).toEqual(new Set(["false", "true"]));
  fireEvent.click(screen.getByRole("checkbox", { name: "baseline" }));
  await expect.poll(() => screen.queryByText(/^The baseline rests/)).toBeNull();
});

it("asks for the period a week before only when it is compared, and lists its means", async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get("*/api/v1/links/:id/history", ({ request }) => {
      asked.push(new URL(request.url).searchParams.get("start"));
      return HttpResponse.json(history(link.id, "now-1h", "now", Date.now(), "normal", false));
    }),
  );
  drawTable();
  const picker = await screen.findByLabelText("Compare with");
  const headers = () => screen.queryAllByRole("columnheader", { name: /1 week before$/ });
  expect(asked).not.toContain("now-7d1h");
  expect(headers()).toHaveLength(0);
  fireEvent.change(picker, { target: { value: "7" } });
  await expect.poll(headers).toHaveLength(2);
  expect(asked).toContain("now-7d1h");
});
