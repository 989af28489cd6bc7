/** The map without a picture: the table and the list for screen readers, of small and large sites. */
import { MantineProvider } from "@mantine/core";
import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Topology } from "@/api/types";
import { siteGroups } from "./nodeGroups";
import { LinkList } from "./LinkList";
import { buildMapModel } from "./mapModel";
import { MapTables } from "./MapTables";
import { AT, rackSite, site } from "./testing";

const SITE = { id: 1, name: "a", title: "A", interval_s: 2, rate_scale: 1, imported_at: AT };
const CLOSED: ReadonlySet<string> = new Set();
const NO_EMPHASIS = { nodes: new Map(), links: new Map(), strokes: new Map() };
const NO_FILTERS = { fabric: "", load: 0, search: "", node: "", policy: "" };
const LARGE = rackSite(45, 25);
const BROKEN = LARGE.links.find(({ name }) => name === "h2-03-rack2")?.id ?? 0;
const FAULTY = {
  ...LARGE,
  links: LARGE.links.map((link) => (link.id === BROKEN ? { ...link, carrier: "down" as const } : link)),
};

type Network = Pick<Topology, "nodes" | "links">;
const modelOf = (network: Network, open = CLOSED) => buildMapModel(network, open, siteGroups(network, null));

function list(network: Network, open = CLOSED): HTMLElement {
  return render(<LinkList links={network.links} model={modelOf(network, open)} stale={false} />).container;
}

test("the table of a large site has every node and link, whether groups are open or closed", () => {
  const groups = siteGroups(LARGE, null);
  for (const open of [CLOSED, new Set([...groups.names.keys()].slice(0, 3))]) {
    const { unmount } = render(
      <MapTables
        model={modelOf(LARGE, open)}
        emphasis={NO_EMPHASIS}
        filters={NO_FILTERS}
        site={SITE}
        version="1"
        stale={false}
      />,
      { wrapper: MantineProvider },
    );
    expect(screen.getByText(/^1,?.?174 nodes$/)).toBeDefined();
    expect(screen.getByText(/^2,?.?343 links$/)).toBeDefined();
    unmount();
  }
});

test("the list of a small site has every link", () => {
  const network = site(8);
  const container = list(network);
  expect(container.querySelectorAll("[data-link-id]")).toHaveLength(network.links.length);
});

test("the list of a large site has its groups with their faults, its bundles, and each faulty link", () => {
  const container = list(FAULTY);
  const groups = within(screen.getByRole("list", { name: "Groups on the map" }));
  expect(groups.getAllByRole("listitem")).toHaveLength(45);
  expect(groups.getByText("rack2 ×26, closed: 1 link down: h2-03-rack2")).toBeDefined();
  expect(groups.getByText("rack3 ×26, closed: all 26 ok")).toBeDefined();
  // The two links of the gateway, the one of the router, and the faulty one.
  const single = [...container.querySelectorAll<HTMLElement>("[data-link-id]")];
  expect(single.map(({ dataset }) => dataset["name"])).toContain("h2-03-rack2");
  expect(single).toHaveLength(4);
  const links = within(screen.getByRole("list", { name: "Links on the map" }));
  expect(links.getAllByRole("listitem")).toHaveLength(4 + 90);
  expect(
    links.getByText(/^rack2 ×26 to spine0, 1 link on lan: 1 of 1 ok, at most 10 % out, 20 % back$/),
  ).toBeDefined();
});
