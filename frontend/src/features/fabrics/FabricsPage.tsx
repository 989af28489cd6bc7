/** Fabrics of the site: media rate, usable rate and MTU. */
import { useQuery } from "@tanstack/react-query";
import { fabricsQuery } from "@/api/queries";
import { useParam, useSite } from "@/api/scope";
import type { Fabric } from "@/api/types";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import type { Column } from "@/ui/table";
import { count, grouped, rate } from "@/util/units";

const ARP_LABELS: Record<Fabric["arp"], string> = { on: "ARP on", off: "ARP off", none: "no ARP" };

const COLUMNS: readonly Column<Fabric>[] = [
  { id: "name", header: "name", value: ({ name }) => name, cell: ({ name }) => name },
  { id: "title", header: "technology", value: ({ title }) => title },
  {
    id: "media_rate",
    header: "media rate",
    csvHeader: "media rate (bit/s)",
    align: "right",
    value: ({ media_rate }) => media_rate,
    cell: ({ media_rate }) => rate(media_rate),
  },
  {
    id: "usable_rate",
    header: "usable rate",
    csvHeader: "usable rate (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate),
  },
  {
    id: "mtu",
    header: "MTU",
    align: "right",
    value: ({ mtu }) => mtu,
    cell: ({ mtu }) => grouped(mtu),
    wide: true,
  },
  { id: "arp", header: "address resolution", value: ({ arp }) => ARP_LABELS[arp], wide: true },
  { id: "ports", header: "ports", align: "right", value: ({ ports }) => ports },
];

export function FabricsPage() {
  const site = useSite();
  const [sort, setSort] = useParam("sort", "name");
  const fabrics = useQuery({ ...fabricsQuery(site?.name ?? ""), enabled: site !== undefined });
  const scaled = site !== undefined && site.rate_scale !== 1;
  const headline =
    fabrics.data === undefined
      ? ""
      : `${count(fabrics.data.length, "fabric")}.${scaled ? " Media rates are those of the real media; usable rates are scaled for the lab." : ""}`;
  return (
    <>
      <PageHeader title="Fabrics" headline={headline} />
      <QueryBoundary query={fabrics} what="the fabrics">
        {(rows) => (
          <DataTable
            label="Fabrics"
            noun="fabrics"
            rows={rows}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            rowHref={({ url }) => url}
            empty={
              <EmptyState title="No fabrics defined.">
                Define the networks in a site file and import it.
              </EmptyState>
            }
          />
        )}
      </QueryBoundary>
    </>
  );
}
