/** Links of the site with their load in both directions. */
import { useQuery } from "@tanstack/react-query";
import { linksQuery } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Link } from "@/api/types";
import { linksHeadline, matches, utilisation } from "./filter";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { CARRIES_LABELS, CarriesMark } from "@/ui/Carries";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { compare } from "@/util/compare";
import { percent, rate } from "@/util/units";

const COLUMNS: readonly Column<Link>[] = [
  { id: "name", header: "link", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  { id: "fabric", header: "fabric", value: ({ fabric }) => fabric, wide: true },
  {
    id: "carries",
    header: "path status",
    value: ({ carries }) => CARRIES_LABELS[carries],
    cell: ({ carries }) => <CarriesMark carries={carries} />,
    wide: true,
  },
  {
    id: "forward",
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
    header: "← back",
    csvHeader: "back (bit/s)",
    align: "right",
    value: ({ back }) => back?.bps,
    cell: ({ back }) => (
      <RateCell bps={back?.bps} utilisation={back?.utilisation} fresh={back?.fresh ?? false} />
    ),
  },
  {
    id: "utilisation",
    header: "max. direction",
    csvHeader: "utilisation (0..1)",
    align: "right",
    value: utilisation,
    cell: (link) => percent(utilisation(link)),
    wide: true,
  },
  {
    id: "usable_rate",
    header: "usable rate",
    csvHeader: "usable rate (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate),
    wide: true,
  },
];

export function LinksPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "-utilisation");
  const [q, setQ] = useParam("q", "");
  const [state, setState] = useParam("state", "");
  const [fabric, setFabric] = useParam("fabric", "");
  const links = useQuery({ ...linksQuery(site?.name ?? ""), enabled: site !== undefined });
  const fabrics = [...new Set(links.data?.map((link) => link.fabric))].sort((a, b) => compare(a, b));
  return (
    <>
      <PageHeader title="Links" headline={links.data === undefined ? "" : linksHeadline(links.data)} />
      <QueryBoundary query={links} what="the links">
        {(rows) => (
          <DataTable
            label="Links"
            noun="links"
            rows={rows.filter((link) => matches(link, { q, state, fabric }))}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowHref={({ url }) => url}
            sort={sort}
            onSort={setSort}
            tools={
              <>
                <TextFilter label="Filter by name" value={q} onChange={setQ} />
                <ChoiceFilter label="State" value={state} choices={STATE_CHOICES} onChange={setState} />
                <ChoiceFilter
                  label="Fabric"
                  value={fabric}
                  choices={[
                    { value: "", label: "all fabrics" },
                    ...fabrics.map((name) => ({ value: name, label: name })),
                  ]}
                  onChange={setFabric}
                />
              </>
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="No links defined.">
                  Links come from the site file and from the neighbour tables that agents report.
                </EmptyState>
              ) : (
                <EmptyState title="No links match these filters.">
                  Clear a filter to see all {rows.length}.
                </EmptyState>
              )
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
