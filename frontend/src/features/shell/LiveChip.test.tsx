import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { http } from "msw";
import { setupServer } from "msw/node";
import { MemoryRouter } from "react-router";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { LiveContext } from "@/api/connection";
import type { LiveState, LiveStream } from "@/api/live";
import { countsQuery, overviewQuery, sitesQuery } from "@/api/queries";
import { DEFAULT_RANGE } from "@/util/time";
import { SITE } from "@/mocks/network";
import { overview } from "@/mocks/overview";
import { LiveChip } from "./LiveChip";

// A server that accepts requests and never answers them.
const server = setupServer(http.all("*", () => new Promise<never>(() => undefined)));
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** The stream has this state, and the values of the page are `ageS` old. */
function open(path: string, ageS: number, connection: LiveState["connection"] = "live") {
  const now = Date.now();
  const state: LiveState = { connection, receivedAt: now };
  const stream = { subscribe: () => () => undefined, snapshot: () => state } as unknown as LiveStream;
  const queries = new QueryClient();
  queries.setQueryData(sitesQuery.queryKey, [
    { ...SITE, last_reported_at: new Date(now).toISOString(), confirming: 0 },
  ]);
  const updatedAt = now - ageS * 1000;
  const whole = overview(now, "normal");
  queries.setQueryData(overviewQuery(SITE.name, DEFAULT_RANGE).queryKey, whole, { updatedAt });
  queries.setQueryData(countsQuery(SITE.name).queryKey, whole, { updatedAt });
  render(
    <QueryClientProvider client={queries}>
      <LiveContext value={stream}>
        <MemoryRouter initialEntries={[path]}>
          <LiveChip />
        </MemoryRouter>
      </LiveContext>
    </QueryClientProvider>,
  );
  const chip = screen.getByTestId("live");
  return [chip.dataset.tone, chip.textContent] as const;
}

it.each(["/", "/links"])("does not call values at %s live that no response has renewed for 33 s", (path) => {
  const [tone, text] = open(path, 33);
  expect(tone).toBe("stale");
  expect(text).toMatch(/^not live3[34] s/);
});

it.each(["/", "/links"])("is live at %s while responses arrive", (path) => {
  const [tone, text] = open(path, 4);
  expect(tone).toBe("live");
  expect(text).toMatch(/^live0 s/);
});

it("stays paused, however old the values are", () => expect(open("/", 33, "paused")[0]).toBe("paused"));
