import { describe, expect, it } from "vitest";
import { belongs, patchLink, patchLinks, patchTopology, prependEvent } from "@/api/patch";
import type { LinkLoad, NetworkEvent } from "@/api/types";
import { events } from "@/mocks/incidents";
import { linkDetails, topology } from "@/mocks/network";

const NOW = Date.parse("2026-05-01T12:00:00Z");
const LOAD: LinkLoad = {
  id: 12,
  forward: { bps: 52_000_000, utilisation: 0.97, peak_bps: null, at: "2026-05-01T12:00:02Z", fresh: true },
  back: null,
};

describe("a live load", () => {
  it("changes only its own links", () => {
    const before = topology(NOW, "normal");
    const after = patchTopology(before, [LOAD], "2026-05-01T12:00:02Z");
    expect(after.links.find(({ id }) => id === 12)).toMatchObject({
      forward: LOAD.forward,
      back: null,
      carries: "active",
    });
    expect(after.links.filter((link, index) => link !== before.links[index]).map(({ id }) => id)).toEqual([
      12,
    ]);
    expect(after.nodes).toBe(before.nodes);
    expect(after.at).toBe("2026-05-01T12:00:02Z");
  });

  it("of links that are not shown leaves the data unchanged", () => {
    const before = topology(NOW, "normal");
    expect(patchTopology(before, [{ ...LOAD, id: 999 }], "later")).toBe(before);
    const list = { pages: [{ items: linkDetails(NOW, "normal"), next: null }], pageParams: [""] };
    expect(patchLinks(list, []).pages[0]?.items).toBe(list.pages[0]?.items);
  });

  it("updates the link's page", () => {
    const link = linkDetails(NOW, "normal").find(({ id }) => id === 12);
    expect(link && patchLink(link, [LOAD]).forward?.utilisation).toBe(0.97);
  });
});

describe("a live event", () => {
  const [first, second] = events(NOW, "cut", new URLSearchParams()) as [NetworkEvent, NetworkEvent];
  const list = {
    pages: [
      { items: [second], next: "more" },
      { items: [], next: null },
    ],
    pageParams: ["", "more"],
  };

  it("is inserted first on the first page", () => {
    expect(prependEvent(list, first).pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
      [first.id, second.id],
      [],
    ]);
  });

  it("is replaced when its outage is measured later", () => {
    const measured = { ...second, message: `${second.message}, 131 ms lost` };
    expect(prependEvent(list, measured).pages[0]?.items).toEqual([measured]);
  });

  it("is inserted only into lists whose filters it matches", () => {
    const event = { ...first, kind: "path.switched" as const, node: "sp01", link_id: 12 };
    expect(belongs(event, {})).toBe(true);
    expect(belongs(event, { kind: "path.switched", node: "sp01", start: "now-1h", end: "now" })).toBe(true);
    expect(belongs(event, { kind: "port.down" })).toBe(false);
    expect(belongs(event, { node: "sp02" })).toBe(false);
    expect(belongs(event, { link_id: 3 })).toBe(false);
    expect(belongs(event, { end: "2026-05-01T11:00:00Z" })).toBe(false);
    expect(belongs(event, { q: "moved" })).toBe(false);
  });
});
