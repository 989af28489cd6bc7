/** The map as tables: nodes and links with the same values. */

import { useMemo } from "react";

import type { Site, TopologyLink, TopologyNode } from "@/api/types";
import { DataTable } from "@/ui/table/DataTable";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { compare } from "@/util/compare";
import { duration, rate } from "@/util/units";
import type { MapFilters, EmphasisMap } from "./mapFilters";
import { hasLinkFilter, hasPathFilter } from "./mapFilters";
import type { MapModel } from "./mapModel";
import classes from "./MapPage.module.css";
import { FactMark, factSpec } from "@/ui/FactMark";

interface Props {
  model: MapModel;
  emphasis: EmphasisMap;
  filters: MapFilters;
  site: Site;
  /** Of the topology. */
  version: string;
  stale: boolean;
}

type Load = TopologyLink["forward"];

interface Drawn<T> {
  readonly key: string;
  readonly members: readonly T[];
}

/** Members that match the filters; all without a filter. */
function visibleMembers<T>(
  items: readonly Drawn<T>[],
  emphasis: EmphasisMap["links"],
  filtered: boolean,
): T[] {
  return items
    .filter(({ key }) => !filtered || emphasis.get(key) !== "dim")
    .flatMap(({ members }) => members);
}

interface Named {
  readonly name: string;
}

/** Ranks of all names, compared once per version: every live message sorts thousands of rows again. */
function useNameRanks(rows: readonly Named[], version: string): ReadonlyMap<string, number> {
  return useMemo(
    () => {
      const names = [...new Set(rows.map(({ name }) => name))].toSorted((a, b) => compare(a, b));
      return new Map(names.map((name, rank) => [name, rank]));
    },
    // `version` replaces the names; the rows are new with every load.
    // oxlint-disable-next-line react/exhaustive-deps
    [version],
  );
}

export function MapTables({ model, emphasis, filters, site, version, stale }: Props) {
  const filtered = hasLinkFilter(filters) || hasPathFilter(filters);
  // The members of an open group are nodes of their own. Links within a closed group have no line: they follow their group.
  const drawn = model.nodes.filter(({ key, box }) => box !== key);
  const inner = drawn
    .filter(({ kind }) => kind === "group")
    .map(({ key, inner: members }) => ({ key, members }));
  const all = [...drawn, ...model.links, ...inner].flatMap(({ members }): readonly Named[] => members);
  const ranks = useNameRanks(all, version);
  const byName = <T extends Named>(rows: readonly T[]): T[] =>
    rows.toSorted((a, b) => (ranks.get(a.name) ?? 0) - (ranks.get(b.name) ?? 0));
  const nodes = byName(visibleMembers(drawn, emphasis.nodes, filtered));
  const links = byName([
    ...visibleMembers(model.links, emphasis.links, filtered),
    ...visibleMembers(inner, emphasis.nodes, filtered),
  ]);
  return (
    <div className={classes.tables} data-testid="map-table">
      <DataTable
        label="Links of the map"
        noun="links"
        rows={links}
        columns={linkColumns(site, stale)}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        empty="No links match these filters."
      />
      <DataTable
        label="Nodes of the map"
        noun="nodes"
        rows={nodes}
        columns={nodeColumns(stale)}
        rowKey={({ key }) => key}
        rowHref={({ url }) => url}
        empty="No nodes match these filters."
      />
    </div>
  );
}

function linkColumns({ rate_scale: scale }: Site, stale: boolean): Column<TopologyLink>[] {
  const traffic = (id: "forward" | "back", header: string): Column<TopologyLink> => ({
    id,
    header,
    align: "right",
    csvHeader: `${header} (bit/s)`,
    value: (link) => link[id]?.bps,
    cell: (link) => <Traffic load={link[id]} stale={stale} />,
  });
  return [
    { id: "name", header: "link", value: (link) => link.name },
    {
      id: "state",
      header: "state",
      value: (link) => (stale ? "unknown" : link.state),
      cell: (link) => <StateBadge state={stale ? "unknown" : link.state} text={link.state_text} />,
    },
    {
      id: "carrier",
      header: "carrier",
      value: (link) => factSpec("carrier", stale ? "unknown" : link.carrier).label,
      cell: (link) => <FactMark fact="carrier" state={stale ? "unknown" : link.carrier} />,
      wide: true,
    },
    {
      id: "carries",
      header: "path status",
      value: (link) => factSpec("link_use", link.carries).label,
      cell: (link) => <FactMark fact="link_use" state={link.carries} />,
      wide: true,
    },
    traffic("forward", "out"),
    traffic("back", "back"),
    {
      id: "capacity",
      header: "capacity",
      align: "right",
      csvHeader: "capacity (bit/s)",
      value: (link) => link.usable_rate,
      cell: (link) => rate(link.usable_rate),
      wide: true,
    },
    ...(scale === 1
      ? []
      : [
          {
            id: "real",
            header: "real capacity",
            align: "right",
            csvHeader: "real capacity (bit/s)",
            value: (link: TopologyLink) => link.usable_rate / scale,
            cell: (link: TopologyLink) => rate(link.usable_rate / scale),
            wide: true,
          } as const,
        ]),
    { id: "fabric", header: "fabric", value: (link) => link.fabric, wide: true },
    { id: "incidents", header: "incidents", align: "right", value: (link) => link.incidents, wide: true },
  ];
}

function Traffic({ load, stale }: { load: Load; stale: boolean }) {
  return <RateCell bps={load?.bps} utilisation={load?.utilisation} fresh={load?.fresh === true && !stale} />;
}

function nodeColumns(stale: boolean): Column<TopologyNode>[] {
  return [
    { id: "name", header: "node", value: ({ name }) => name },
    { id: "title", header: "title", value: ({ title }) => title, wide: true },
    { id: "kind", header: "kind", value: ({ kind }) => kind },
    { id: "role", header: "role", value: ({ role }) => role, wide: true },
    {
      id: "state",
      header: "state",
      value: ({ state }) => (stale ? "unknown" : state),
      cell: ({ state, state_text: text }) => <StateBadge state={stale ? "unknown" : state} text={text} />,
    },
    {
      id: "because",
      header: "status",
      value: ({ state_text: text }) => (stale ? "no live data" : text),
      wide: true,
    },
    {
      id: "gateway",
      header: "gateway",
      value: ({ gateway }) => (stale ? "" : (gateway?.text ?? "")),
      wide: true,
    },
    {
      id: "age",
      header: "last reported",
      align: "right",
      csvHeader: "last reported (s ago)",
      value: ({ age_s: age }) => age,
      cell: ({ age_s: age }) => duration(age),
      wide: true,
    },
    { id: "incidents", header: "incidents", align: "right", value: ({ incidents }) => incidents },
  ];
}
