import { expect, it } from "vitest";
import { serverFault, WAIT_S } from "./Banners";
import { GROUPS, isHere, PAGES, placeOf } from "./pages";
import { requireNumber } from "./missing";
import {
  find,
  isClose,
  localTargets,
  MOST_RECENT,
  reportOf,
  themeOf,
  THEMES,
  withRecent,
  type Target,
} from "./targets";
import { formatScale } from "./TopBar";
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/problem";
import { runbookText } from "@/features/runbooks/runbooks";
import { DOCUMENTS } from "@/features/runbooks/documents";
import { makeRoutes } from "@/routes";

const target = (name: string, detail = "", kind: Target["kind"] = "node"): Target => ({
  kind,
  name,
  detail,
  url: `/${name}`,
});
const ALL = [
  target("Links", "page", "page"),
  target("origin1", "Origin2000 on ATM OC-12"),
  target("grf1:ga030-origin1:at0", "atm-oc12", "link"),
  target("grf1", "GigaRouter"),
];
const names = (text: string) => find(ALL, text).map(({ name }) => name);

it("finds any part of a name, prefixes first", () => {
  expect(names("origin")).toEqual(["origin1", "grf1:ga030-origin1:at0"]);
  expect(names("GRF")).toEqual(["grf1", "grf1:ga030-origin1:at0"]);
});

it("requires every word in name or description", () => {
  expect(names("grf oc12")).toEqual(["grf1:ga030-origin1:at0"]);
  expect(names("giga")).toEqual(["grf1"]);
  expect(names("nowhere")).toEqual([]);
});

it("offers the pages if nothing is typed", () => expect(names(" ")).toEqual(["Links"]));

it("has an entry of the navigation for every page", () => {
  const behindSignIn = makeRoutes(new QueryClient())[0]?.children?.find(({ path }) => path === "/");
  const pages = behindSignIn?.children?.[0]?.children ?? [];
  const paths = pages.map(({ path = "" }) => `/${path}`).filter((path) => !path.endsWith("*"));
  expect(paths.length).toBeGreaterThan(50);
  const entries = paths.map((path) => [path, PAGES.filter((page) => isHere(page, path)).length]);
  expect(entries.filter(([, number]) => number !== 1)).toEqual([]);
});

it("has few first-level entries, and one name, address and key for each page", () => {
  expect(GROUPS.length).toBeLessThanOrEqual(9);
  for (const values of [
    PAGES.map(({ path }) => path),
    PAGES.map(({ name }) => name),
    PAGES.map(({ key }) => key),
  ])
    expect(new Set(values).size).toBe(values.length);
});

it("names the group and the shortcut of a page", () => {
  const place = (path: string) => PAGES.filter((page) => page.path === path).map(placeOf);
  expect(place("/paths")).toEqual(["Failover, g p"]);
  expect(place("/settings")).toEqual(["g s"]);
});

it("formats the scale of a lab", () =>
  expect([0.1, 0.01, 0.25, 2].map(formatScale)).toEqual(["1:10", "1:100", "1:4", "2:1"]));

it("names a server that refuses or does not answer, and only that", () => {
  expect(serverFault(null, WAIT_S)).toBeNull();
  expect(serverFault(null, WAIT_S + 1)).toBe("The server has not answered for 9 s.");
  expect(serverFault(new ApiError(503, "unavailable", "PostgreSQL does not answer."), 0)).toBe(
    "PostgreSQL does not answer.",
  );
  expect(serverFault(new ApiError(404, "not_found", "No such site."), 0)).toBeNull();
});

it("names the object of an address that has no number", () => {
  expect(() => requireNumber("devices/:id", "grf9")).toThrow("No device named grf9.");
  expect(() => requireNumber("policies/:id/edit", "sp")).toThrow("No policy named sp.");
  expect(() => requireNumber("extension-nodes/:id", "en1")).toThrow("No extension node named en1.");
  expect(() => requireNumber("notifications/channels/:id", "mail")).toThrow("No channel named mail.");
  expect(requireNumber("devices/:id", "12")).toBeUndefined();
});

it("has a sentence and a document for every page", () => {
  for (const { about, docs } of PAGES) {
    expect(about).toMatch(/^[A-Z].*\.$/);
    expect(DOCUMENTS).toContain(docs);
  }
  expect(DOCUMENTS.filter((name) => PAGES.every(({ docs }) => docs !== name))).toEqual([]);
});

it("finds a page in spite of one typing error, and offers actions to those who may act", () => {
  const found = (text: string, canOperate = true) =>
    find(localTargets(canOperate), text).map(({ name }) => name);
  expect(found("polciies")).toEqual(["Policies"]);
  expect(found("new policy")).toEqual(["New policy"]);
  expect(found("new policy", false)).toEqual([]);
  expect(found("dark")).toEqual(["Dark theme"]);
  expect(found("snooze")).toEqual(["Snooze an incident"]);
});

it("finds a runbook by the kinds of incident that it is for", () => {
  const fullest = find(localTargets(false), "would not hold").find(({ kind }) => kind === "runbook");
  expect(fullest?.url).toBe("/runbooks/fallback-would-not-hold");
  const runbooks = localTargets(false).filter(({ kind }) => kind === "runbook");
  for (const { url } of runbooks) expect(runbookText(url.replace("/runbooks/", ""))).toBeDefined();
});

it.each([
  ["drift", "drfit", true],
  ["drift", "drifts", true],
  ["drift", "drft", true],
  ["drift", "draft", true],
  ["drift", "drools", false],
  ["map", "mop", false],
])("compares %s and %s", (name, typed, close) => expect(isClose(name, typed)).toBe(close));

it("changes the theme by an action", () => {
  expect(THEMES.map(themeOf)).toEqual(["light", "dark", "auto"]);
  expect(themeOf(target("Links"))).toBeUndefined();
});

it("keeps the newest choices once each", () => {
  const names20 = Array.from({ length: 20 }, (_, at) => target(`n${at}`));
  const recents = names20.reduce<Target[]>(withRecent, []);
  expect(recents.map(({ name }) => name)).toHaveLength(MOST_RECENT);
  expect(withRecent(recents, target("n19"))).toEqual(recents);
});

it("leads to the report of a fabric that has one", () => {
  const fabric = { kind: "fabric", name: "hippi", why: "name", url: "/fabrics/3" } as const;
  expect(reportOf({ ...fabric, detail: "hippi HIPPI-800" })[0]?.url).toBe("/hippi/3");
  expect(reportOf({ ...fabric, detail: "atm OC-12" })).toEqual([]);
});
