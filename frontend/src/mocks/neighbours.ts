/** Neighbour tables of the mock API: a flooded port, a quiet one, one of unknown capacity; a duplicate; a history. */
import type { Duplicate, NeighbourHistory, NeighbourTable } from "@/api/neighbours";
import { iso } from "@/mocks/network";

export function neighbourTables(now: number): NeighbourTable[] {
  const make = (
    node: string,
    node_id: number,
    port: string,
    counts: readonly number[],
    more: Partial<NeighbourTable> = {},
  ): NeighbourTable => {
    const ipv4 = counts.at(-1) ?? 0;
    return {
      node,
      node_id,
      port,
      fabric: "sp-switch",
      state: "ok",
      at: iso(now - 2000),
      age_s: 2,
      ipv4,
      ipv6: 0,
      permanent: 0,
      incomplete: 0,
      capacity_ipv4: 1024,
      capacity_ipv6: 1024,
      share: ipv4 / 1024,
      device_share: ipv4 / 1024,
      growth_per_s: 0,
      broadcasts_per_s: 0.4,
      top_mac: "",
      top_mac_entries: 0,
      top_owner: "",
      talker: "",
      talker_share: 0,
      talker_owner: "",
      recent: counts.map((entries, index) => ({
        at: iso(now - 2000 - 5000 * (counts.length - 1 - index)),
        entries,
      })),
      incidents: [],
      url: `/devices/${node_id}`,
      ...more,
    };
  };
  const flood: NeighbourTable["incidents"][number] = {
    id: 1,
    kind: "neighbour_flood",
    title: "grf1:gh010: broadcasts of onyx1:hip0 fill the neighbour table, 812 of 1,024 entries",
    severity: "warning",
    url: "/incidents/9",
  };
  const onyx = {
    top_mac: "02:00:00:00:00:99",
    top_mac_entries: 809,
    top_owner: "onyx1:hip0",
    talker: "02:00:00:00:00:99",
    talker_share: 0.98,
    talker_owner: "onyx1:hip0",
  };
  return [
    make("grf1", 4, "gh010", [3, 3, 120, 410, 640, 812], {
      fabric: "hippi",
      state: "warning",
      growth_per_s: 46,
      broadcasts_per_s: 300,
      incidents: [flood],
      device_share: 0.81,
      ...onyx,
    }),
    make("grf1", 4, "gt000", [11, 11, 12], { device_share: 0.81, permanent: 2 }),
    make("sp01", 1, "css0", [9, 10], { ipv6: 4, incomplete: 1 }),
    make("sp02", 2, "css0", [10], { state: "unknown", at: iso(now - 90_000), age_s: 90 }),
    make("cat5000", 9, "2/1", [44], {
      fabric: "ethernet",
      capacity_ipv4: null,
      capacity_ipv6: null,
      share: null,
      device_share: null,
      broadcasts_per_s: null,
    }),
  ];
}

export function neighbourDuplicates(now: number): Duplicate[] {
  return [
    {
      address: "10.1.0.7",
      fabric: "sp-switch",
      since: iso(now - 300_000),
      age_s: 300,
      incident: {
        id: 2,
        kind: "neighbour_clash",
        title: "10.1.0.7 on sp-switch has 2 hardware addresses",
        severity: "critical",
        url: "/incidents/9",
      },
      macs: [
        {
          mac: "02:00:00:00:00:07",
          owner: "sp07:css0",
          since: iso(now - 86_400_000),
          nodes: ["sp01:css0", "grf1:gt000"],
        },
        { mac: "02:ba:00:00:00:01", owner: "", since: iso(now - 300_000), nodes: ["sp02:css0"] },
      ],
    },
  ];
}

export function neighbourHistory(now: number, address: string, at: string | null): NeighbourHistory {
  const known = { node: "sp01", node_id: 1, port: "css0" };
  const items = [
    { ...known, mac: "02:00:00:00:00:07", owner: "sp07:css0", since: iso(now - 3_600_000), until: null },
    {
      ...known,
      mac: "02:00:00:00:00:03",
      owner: "sp03:css0",
      since: iso(now - 90_000_000),
      until: iso(now - 3_600_000),
    },
  ];
  return {
    address,
    at: at === null ? null : iso(now),
    kept_days: 7,
    items: address === "10.1.0.7" ? items : [],
  };
}
