import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LiveStream } from "@/api/live";
import { overviewQuery } from "@/api/queries";
import type { Overview } from "@/api/types";
import { overview } from "@/mocks/overview";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("does not put off the polling of the overview by loads that arrive more often", async () => {
  const responses: number[] = [];
  vi.stubGlobal("fetch", async () => {
    responses.push(Date.now());
    return Response.json(overview(Date.now(), "normal"));
  });
  const source = Object.assign(new EventTarget(), { readyState: 1, close: () => undefined });
  const queries = new QueryClient();
  const live = new LiveStream(queries, {
    open: () => source as unknown as EventSource,
    now: () => Date.now(),
    later: () => () => undefined,
  });
  live.follow("argonne");
  const options = overviewQuery("argonne", { from: "now-1h", to: "now" });
  const leave = new QueryObserver(queries, queries.defaultQueryOptions(options)).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(10);
  const shown = () => queries.getQueryData<Overview>(options.queryKey);
  for (let second = 1; second <= 30; second += 1) {
    const links = shown()?.top_links.map(({ id }) => ({ id, forward: null, back: null }));
    const data = JSON.stringify({ type: "load", site: "argonne", at: "", links, nouns: [] });
    source.dispatchEvent(new MessageEvent("load", { data }));
    expect(shown()?.top_links[0]?.forward).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
  }
  leave();
  live.stop();
  // The first one, and one each five seconds.
  expect(responses.length).toBeGreaterThanOrEqual(6);
  expect(responses.length).toBeLessThanOrEqual(8);
});
