/** Typed client of the public API: same origin, session cookie, CSRF header on unsafe methods. */
import createClient, { type Middleware } from "openapi-fetch";
import { ApiError, asApiError, fromAnswer } from "@/api/problem";
import type { paths } from "@/api/schema";
import type { Page } from "@/api/types";
import { grouped } from "@/util/units";

/** Longest wait for a response, milliseconds: a lost connection would keep its request pending for ever. */
export const READ_LIMIT_MS = 30_000;
/** A plan of a large site or a test message takes longer. */
export const WRITE_LIMIT_MS = 120_000;

const PAGE_SIZE = 500;
/** 500,000 entries: an endless list is an error. */
const MOST_PAGES = 1000;

let csrfToken = "";

/** From the session response, because scripts may be unable to read the cookie. */
export function rememberCsrf(token: string): void {
  csrfToken = token;
}

let screenToken = "";

/** Requests carry a wallboard's token, and no cookies of somebody who is signed in here. Empty: the session. */
export function setScreenToken(token: string): void {
  screenToken = token;
}

function ofScreen(request: Request): Request {
  const own = new Request(request, { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
  own.headers.set("Authorization", `Bearer ${screenToken}`);
  return own;
}

const csrf: Middleware = {
  onRequest({ request }) {
    if (screenToken !== "") return ofScreen(request);
    if (request.method !== "GET") request.headers.set("X-CSRFToken", csrfToken);
    return request;
  },
};

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "http://localhost",
  credentials: "same-origin",
  // Looked up at each call, so that tests and the mock worker can replace it.
  fetch: (request) => limited(request),
});
client.use(csrf);

/** The response, or an error after the limit; until the body is read, too. */
function limited(request: Request): Promise<Response> {
  const limit = request.method === "GET" ? READ_LIMIT_MS : WRITE_LIMIT_MS;
  return globalThis.fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(limit)]) });
}

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a successful response; throws ApiError otherwise. */
export async function unwrap<T>(answer: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await answer.catch((thrown: unknown) => {
    throw asApiError(thrown);
  });
  if (!response.ok || error !== undefined) throw fromAnswer(response.status, error);
  return data as T;
}

/** All items of a list, page by page; throws beyond `MOST_PAGES`, so that nothing is missing without notice. */
export async function fetchAll<T>(
  page: (query: { limit: number; cursor?: string }) => Promise<ApiResponse<Page<T>>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const answer = await unwrap(page({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }));
    items.push(...answer.items);
    if (answer.next == null) return items;
    cursor = answer.next;
  }
  throw new ApiError(
    422,
    "too_long",
    `The list has more than ${grouped(items.length)} entries. Filter it, or use a page that shows a part of it.`,
  );
}

/** Shortest interval: a request that failed at once is not repeated at once. */
const LEAST_MS = 1000;

/**
 * Refetches `ms` after the newest response. A plain interval begins anew with each update of the data, so that live
 * messages that patch it more often than that would put off every request.
 */
export function afterResponse(ms: number) {
  return ({ state }: { state: { dataUpdatedAt: number; errorUpdatedAt: number } }): number => {
    const waited = Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
    return Math.min(ms, Math.max(LEAST_MS, ms - waited));
  };
}
