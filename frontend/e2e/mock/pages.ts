// Every page with the ids of the mock answers: the list of baselines and crawl.
import { getResponse, type RequestHandler } from "msw";
import { routes, type NamedPath, type Read } from "../support/routes.ts";

export const SCHEMES = ["light", "dark"] as const;

/** Pages outside of the shell, which the tests with a demo visit by themselves, and one that the site's fabrics lack. */
const MORE: readonly NamedPath[] = [
  ["infiniband", "/infiniband/1"],
  ["sign-in", "/sign-in"],
  ["wall", "/wall#bsw_mock0123456789"],
];

export const baselineName = (page: string, scheme: string): string => `${page}-${scheme}.webp`;

/** Pairs of name and URL. */
export async function pagesOf(handlers: RequestHandler[]): Promise<NamedPath[]> {
  const read: Read = async (path) => {
    const request = new Request(`http://mock.example/api/v1/${path}`);
    const response = await getResponse(handlers, request);
    if (response?.ok !== true) throw new Error(`The mock API has no answer to GET /api/v1/${path}.`);
    return response.json();
  };
  return [...(await routes(read)), ...MORE];
}
