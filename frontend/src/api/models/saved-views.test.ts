import { expect, it } from "vitest";
import { applied, savedOf, unknownFilters } from "@/api/models/saved-views";

const PAGE = { defaults: { q: "", sort: "-since", phase: "current", kind: "" }, names: { q: "node" } };
const NOTHING = { filters: {}, sort: "", columns: [] };
const text = (view: Parameters<typeof applied>[0], before = "") =>
  applied(view, PAGE, new URLSearchParams(before)).toString();

it("saves the API's parameters, without those that do not filter", () => {
  expect(
    savedOf({ values: { q: "sp", sort: "-since", phase: "all", kind: "" }, columns: "name.state*" }),
  ).toEqual({ filters: { q: "sp" }, sort: "-since", columns: ["name", "state*"] });
  expect(savedOf({ values: {}, columns: "default" }).columns).toEqual([]);
});

it("replaces filters, sort and columns in the URL, and keeps the rest", () => {
  const view = { filters: { q: "sp", phase: "open" }, sort: "age", columns: ["name", "state*"] };
  expect(text(view, "site=argonne&kind=port_down&from=now-1d")).toBe(
    "site=argonne&from=now-1d&node=sp&sort=age&phase=open&columns=name.state*",
  );
});

it("shows everything for a view without the filter that the page sets by default", () => {
  expect(text(NOTHING)).toBe("phase=all&columns=default");
  expect(text({ ...NOTHING, filters: { phase: "current" } })).toBe("columns=default");
});

it("reads what it saved", () => {
  const values = { q: "", sort: "age", phase: "all", kind: "port_down" };
  const view = savedOf({ values, columns: "name" });
  expect(text(view, "node=x&phase=open")).toBe("phase=all&sort=age&kind=port_down&columns=name");
});

it("names filters that the page does not have", () => {
  expect(unknownFilters({ filters: { kind: "x", owner: "ada" } }, PAGE)).toEqual(["owner"]);
});
