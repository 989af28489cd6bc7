/** Links of the site with their load in both directions. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { LINKS } from "@/api/models/list-pages";
import { fabricsQuery, linksList } from "@/api/queries";
import { usePast } from "@/api/scope";
import { usePlanMaintenance } from "@/api/models/maintenance-plan";
import { useListPage } from "@/api/useListPage";
import type { Link } from "@/api/types";
import { ExportButton } from "./ExportButton";
import type { Selection } from "./exports";
import { useLinkTrends } from "./trends";
import { Anchor } from "@/ui/Anchor";
import { FactMark, factSpec } from "@/ui/FactMark";
import { trendColumn, TrendsProvider } from "@/ui/chart/TrendColumn";
import { PlanMaintenance } from "@/ui/lists/PlanMaintenance";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table/columns";
import { greater, NEARLY_FULL, partOf, percent, rate } from "@/util/units";

const FIRST: readonly Column<Link>[] = [
  { id: "name", sortable: true, header: "link", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  {
    id: "carrier",
    sortable: true,
    header: "carrier",
    value: ({ carrier }) => factSpec("carrier", carrier).label,
    cell: ({ carrier }) => <FactMark fact="carrier" state={carrier} />,
    wide: true,
  },
  { id: "fabric", sortable: true, header: "fabric", value: ({ fabric }) => fabric, wide: true },
  {
    id: "carries",
    sortable: true,
    header: "path status",
    value: ({ carries }) => factSpec("link_use", carries).label,
    cell: ({ carries }) => <FactMark fact="link_use" state={carries} />,
    wide: true,
  },
  {
    id: "forward",
    sortable: true,
    header: "out →",
    csvHeader: "forward (bit/s)",
    align: "right",
    value: ({ forward }) => forward?.bps,
    cell: ({ forward }) => (
      <RateCell bps={forward?.bps} utilisation={forward?.utilisation} fresh={forward?.fresh ?? false} />
    ),
  },
  {
    id: "back",
    sortable: true,
    header: "← back",
    csvHeader: "back (bit/s)",
    align: "right",
    value: ({ back }) => back?.bps,
    cell: ({ back }) => (
      <RateCell bps={back?.bps} utilisation={back?.utilisation} fresh={back?.fresh ?? false} />
    ),
  },
];

const REST: readonly Column<Link>[] = [
  {
    id: "utilisation",
    sortable: true,
    header: "max. direction",
    csvHeader: "utilisation (0..1)",
    align: "right",
    value: utilisation,
    cell: (link) => percent(utilisation(link)),
    wide: true,
  },
  {
    id: "usable_rate",
    sortable: true,
    header: "usable rate",
    csvHeader: "usable rate (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate),
    // With it, names wrap at 1366 pixels; the shares of the loads are of it.
    isExtra: true,
  },
];

const SORTED = [...FIRST, ...REST];
const NO_LINKS: readonly Link[] = [];

export function LinksPage() {
  const past = usePast();
  const list = useListPage(linksList, {
    ...(past === null ? {} : { fixed: { at: past.at } }),
    columns: SORTED,
    ...LINKS,
  });
  const fabrics = useQuery({ ...fabricsQuery(list.site ?? ""), enabled: list.site !== undefined });
  const trends = useLinkTrends(list.site ?? "", list.query.data ?? NO_LINKS);
  const columns = useMemo(() => [...FIRST, trendColumn<Link>(trends.most), ...REST], [trends.most]);
  const plan = usePlanMaintenance("link", list.all);
  return (
    <>
      <PageHeader title="Links" headline={list.headline(linksHeadline)}>
        <Anchor href="/exports">Exports</Anchor>
        <ExportButton selection={selectionOf(list.values.fabric)} />
      </PageHeader>
      <TrendsProvider value={trends}>
        <ListTable
          list={list}
          label="Links"
          noun="links"
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ url }) => url}
          tools={
            plan && (
              <PlanMaintenance
                of="all matching links"
                disabled={(list.query.data ?? []).length === 0}
                plan={plan}
              />
            )
          }
          search="Search by name"
          filters={[
            { name: "state", label: "State", choices: STATE_CHOICES },
            {
              name: "fabric",
              label: "Fabric",
              choices: [
                { value: "", label: "all fabrics" },
                ...(fabrics.data ?? []).map(({ name }) => ({ value: name, label: name })),
              ],
            },
          ]}
          none={
            <EmptyState title="No links defined." command="python manage.py import_site site.yaml">
              Links come from the site file and from the neighbour tables that agents report.
            </EmptyState>
          }
        />
      </TrendsProvider>
    </>
  );
}

/** The links of the chosen fabric, or all. */
export const selectionOf = (fabric: string): Selection =>
  fabric === "" ? { text: "all links" } : { fabric, text: `links of ${fabric}` };

/** The greater utilisation of both directions, 0..1. */
export function utilisation({ forward, back }: Link): number | null {
  return greater(forward, back);
}

export function linksHeadline(links: readonly Link[]): string {
  const full = links.filter((link) => (utilisation(link) ?? 0) >= NEARLY_FULL);
  const down = links.filter(({ carrier }) => carrier === "down" || carrier === "admin_down");
  const dead = links.filter(({ carries }) => carries === "dead");
  const unknown = links.filter(({ state }) => state === "unknown");
  const parts = [
    full.length === 0
      ? `No link is above ${percent(NEARLY_FULL)} of its usable rate`
      : `${partOf(full.length, links.length, "link")} above ${percent(NEARLY_FULL)} of the usable rate`,
    ...(down.length === 0 ? [] : [`${down.length} down`]),
    ...(dead.length === 0 ? [] : [`${dead.length} on a dead path`]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} unknown`]),
  ];
  return `${parts.join(", ")}.`;
}
