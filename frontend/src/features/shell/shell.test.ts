import { expect, it } from "vitest";
import { find, type Target } from "./Search";
import { formatScale } from "./TopBar";

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

it("formats the scale of a lab", () =>
  expect([0.1, 0.01, 0.25, 2].map(formatScale)).toEqual(["1:10", "1:100", "1:4", "2:1"]));
