/** The one typed client of the public API: same origin, session cookie, CSRF header on what changes something. */
import createClient, { type Middleware } from "openapi-fetch";
import { asApiError, fromAnswer } from "@/api/problem";
import type { paths } from "@/api/schema";
import type { Page } from "@/api/types";

const PAGE_SIZE = 500;
const MOST_PAGES = 40;

let csrfToken = "";

/** Kept from the session's answer, because the cookie may be unreadable to scripts. */
export function rememberCsrf(token: string): void {
  csrfToken = token;
}

const csrf: Middleware = {
  onRequest({ request }) {
    if (request.method !== "GET") request.headers.set("X-CSRFToken", csrfToken);
    return request;
  },
};

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "http://localhost",
  credentials: "same-origin",
  // Looked up at each call, so that tests and the mock worker may replace it.
  fetch: (request) => globalThis.fetch(request),
});
client.use(csrf);

interface ApiResponse<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The body of a good answer; ApiError for any other. */
export async function unwrap<T>(answer: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await answer.catch((thrown: unknown) => {
    throw asApiError(thrown);
  });
  if (!response.ok || error !== undefined) throw fromAnswer(response.status, error);
  return data as T;
}

/** Every item of a list, page after page: the sort, the filter and the CSV of a table need all of them. */
export async function fetchAll<T>(
  page: (query: { limit: number; cursor?: string }) => Promise<ApiResponse<Page<T>>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const answer = await unwrap(page({ limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) }));
    items.push(...answer.items);
    if (answer.next == null) break;
    cursor = answer.next;
  }
  return items;
}
