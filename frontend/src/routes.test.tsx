import { readdirSync } from "node:fs";
import { QueryClient } from "@tanstack/react-query";
import { matchRoutes, type RouteObject } from "react-router";
import { expect, it } from "vitest";
import { handlers } from "@/mocks/handlers";
import { makeRoutes } from "@/routes";
import { baselineName, pagesOf, SCHEMES } from "../e2e/mock/pages.ts";

/** Routes that show a page: others only redirect or group. */
const pagesBelow = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.flatMap(({ children, ...route }) =>
    children === undefined
      ? route.lazy || route.Component
        ? [route as RouteObject]
        : []
      : pagesBelow(children),
  );

it("visits every route of the application in e2e/support/routes.ts", async () => {
  const routes = makeRoutes(new QueryClient());
  const visited = new Set(
    (await pagesOf(handlers)).map(
      ([, path]) => matchRoutes(routes, new URL(path, "http://mock.example").pathname)?.at(-1)?.route.path,
    ),
  );
  const missing = pagesBelow(routes).filter(({ path }) => !visited.has(path));
  expect(missing.map(({ path }) => path)).toEqual([]);
});

it("has one baseline per page and theme: make baselines", async () => {
  const named = (await pagesOf(handlers)).flatMap(([name]) =>
    SCHEMES.map((scheme) => baselineName(name, scheme)),
  );
  expect(readdirSync("e2e/mock/baselines").toSorted()).toEqual(named.toSorted());
});
