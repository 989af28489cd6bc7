import { describe, expect, it } from "vitest";
import { capacityOf, headline, formatTopHolder, formatTopSender, trendPoints } from "./labels";
import { neighbourTables } from "@/mocks/neighbours";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const [flooded, quiet, host, , unknown] = neighbourTables(NOW) as [
  ReturnType<typeof neighbourTables>[0],
  ReturnType<typeof neighbourTables>[0],
  ReturnType<typeof neighbourTables>[0],
  ReturnType<typeof neighbourTables>[0],
  ReturnType<typeof neighbourTables>[0],
];

describe("neighbour table labels", () => {
  it("names the top sender and holder, and omits small ones", () => {
    expect(formatTopSender(flooded)).toBe("onyx1:hip0, 98\u00a0%");
    expect(formatTopHolder(flooded)).toBe("onyx1:hip0, 809 of 812");
    expect(formatTopSender(quiet)).toBe("");
    expect(formatTopHolder(quiet)).toBe("");
    expect(formatTopSender({ ...flooded, talker_owner: "" })).toBe("02:00:00:00:00:99, 98\u00a0%");
  });

  it("uses the capacity of the fuller address family", () => {
    expect(capacityOf(host)).toBe(1024);
    expect(capacityOf({ ...host, ipv6: 400, capacity_ipv6: 512 })).toBe(512);
    expect(capacityOf(unknown)).toBeNull();
  });

  it("the headline names an incident, else the highest utilisation", () => {
    expect(headline([flooded, quiet], 1)).toBe(
      "grf1:gh010: broadcasts of onyx1:hip0 fill the neighbour table, 812 of 1,024 entries. 1 address with several hardware addresses.",
    );
    expect(headline([quiet, host], 0)).toBe("2 ports, highest utilisation 1.2 % (grf1:gt000).");
    expect(headline([], 0)).toBe("No neighbour tables reported yet.");
  });

  it("draws the recent counts over time", () => {
    expect(trendPoints([])).toBe("");
    expect(
      trendPoints([
        { at: "2026-11-21T12:00:00Z", entries: 0 },
        { at: "2026-11-21T12:00:10Z", entries: 50 },
        { at: "2026-11-21T12:00:20Z", entries: 100 },
      ]),
    ).toBe("0.0,18.0 36.0,10.0 72.0,2.0");
  });
});
