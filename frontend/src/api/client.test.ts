import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { afterResponse, client, fetchAll, READ_LIMIT_MS, unwrap, WRITE_LIMIT_MS } from "@/api/client";
import { ApiError, worthRetrying } from "@/api/problem";

/** Limits of the requests, and how to let the newest one pass. */
const limits: { ms: number; pass: () => void }[] = [];

beforeEach(() => {
  limits.length = 0;
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const controller = new AbortController();
    limits.push({ ms, pass: () => controller.abort(new DOMException("timed out", "TimeoutError")) });
    return controller.signal;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A server that never answers: the request ends only by its signal. */
function hang(): void {
  vi.stubGlobal(
    "fetch",
    (_request: Request, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      ),
  );
}

it("ends a request that is never answered, with an error that is worth a retry", async () => {
  hang();
  const answer = unwrap(client.GET("/api/v1/session")).catch((error: unknown) => error);
  await vi.waitFor(() => expect(limits.map(({ ms }) => ms)).toEqual([READ_LIMIT_MS]));
  limits[0]?.pass();
  const error = await answer;
  expect(error).toBeInstanceOf(ApiError);
  expect((error as ApiError).message).toMatch(/^The server did not answer in time/);
  expect(worthRetrying(error)).toBe(true);
});

it("gives writes more time, but not for ever", async () => {
  hang();
  const answer = unwrap(client.DELETE("/api/v1/session")).catch((error: unknown) => error);
  await vi.waitFor(() => expect(limits.map(({ ms }) => ms)).toEqual([WRITE_LIMIT_MS]));
  limits[0]?.pass();
  expect(await answer).toBeInstanceOf(ApiError);
});

it("counts the interval of a polled query from its newest response, failed ones too", () => {
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now);
  const next = (dataUpdatedAt: number, errorUpdatedAt = 0) =>
    afterResponse(5000)({ state: { dataUpdatedAt, errorUpdatedAt } });
  expect([next(now), next(now - 2000), next(now - 60_000), next(now - 60_000, now)]).toEqual([
    5000, 3000, 1000, 5000,
  ]);
  // The clock was set back.
  expect(next(now + 60_000)).toBe(5000);
});

it("returns a list whole, or an error that is not retried", async () => {
  const pages = (number: number) => {
    let asked = 0;
    return fetchAll<number>(() => {
      asked += 1;
      const data = { items: [asked], next: asked < number ? String(asked) : null };
      return Promise.resolve({ data, response: new Response() });
    });
  };
  expect(await pages(1000)).toHaveLength(1000);
  const error = await pages(1001).catch((thrown: unknown) => thrown);
  expect((error as ApiError).message).toMatch(/^The list has more than 1.000 entries/);
  expect(worthRetrying(error)).toBe(false);
});
