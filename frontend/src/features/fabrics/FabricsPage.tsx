/** Fabrics of the site: media rate, usable rate and MTU. */
import { fabricsList } from "@/api/queries";
import { useSite } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import type { Fabric } from "@/api/types";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";
import type { Column } from "@/ui/table/columns";
import { count, grouped, rate } from "@/util/units";

const ARP_LABELS: Record<Fabric["arp"], string> = { on: "ARP on", off: "ARP off", none: "no ARP" };

const COLUMNS: readonly Column<Fabric>[] = [
  { id: "name", sortable: true, header: "name", value: ({ name }) => name, cell: ({ name }) => name },
  { id: "title", sortable: true, header: "technology", value: ({ title }) => title },
  {
    id: "media_rate",
    sortable: true,
    header: "media rate",
    csvHeader: "media rate (bit/s)",
    align: "right",
    value: ({ media_rate }) => media_rate,
    cell: ({ media_rate }) => rate(media_rate),
  },
  {
    id: "usable_rate",
    sortable: true,
    header: "usable rate",
    csvHeader: "usable rate (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate),
  },
  {
    id: "mtu",
    sortable: true,
    header: "MTU",
    align: "right",
    value: ({ mtu }) => mtu,
    cell: ({ mtu }) => grouped(mtu),
    wide: true,
  },
  {
    id: "arp",
    sortable: true,
    header: "address resolution",
    value: ({ arp }) => ARP_LABELS[arp],
    wide: true,
  },
  { id: "ports", sortable: true, header: "ports", align: "right", value: ({ ports }) => ports },
];

export function FabricsPage() {
  const site = useSite();
  const list = useListPage(fabricsList, { columns: COLUMNS, sort: "name" });
  const scaled = site !== undefined && site.rate_scale !== 1;
  return (
    <>
      <PageHeader
        title="Fabrics"
        headline={list.headline(
          (fabrics) =>
            `${count(fabrics.length, "fabric")}.${scaled ? " Media rates are those of the real media; usable rates are scaled for the lab." : ""}`,
        )}
      />
      <ListTable
        list={list}
        label="Fabrics"
        noun="fabrics"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowHref={({ url }) => url}
        none={
          <EmptyState title="No fabrics defined." command="python manage.py import_site site.yaml">
            Define the networks in a site file and import it.
          </EmptyState>
        }
      />
    </>
  );
}
