/** Neighbour tables: usage, duplicate addresses and address history. */
import { useQuery } from "@tanstack/react-query";
import { duplicatesQuery, neighbourTablesQuery } from "@/api/neighbours";
import { useSite } from "@/api/scope";
import { Duplicates } from "./Duplicates";
import classes from "./NeighboursPage.module.css";
import { Tables } from "./Tables";
import { AddressHistory } from "./AddressHistory";
import { headline } from "./labels";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

export function NeighboursPage() {
  const site = useSite();
  const name = site?.name ?? "";
  const tables = useQuery({ ...neighbourTablesQuery(name), enabled: site !== undefined });
  const duplicates = useQuery({ ...duplicatesQuery(name), enabled: site !== undefined });
  return (
    <>
      <PageHeader
        title="Neighbours"
        headline={tables.data === undefined ? "" : headline(tables.data, duplicates.data?.length ?? 0)}
      />
      <div className={classes.page}>
        <AddressHistory site={name} />
        {duplicates.data !== undefined && duplicates.data.length > 0 && (
          <Panel title="Duplicate addresses" flush>
            <Duplicates duplicates={duplicates.data} />
          </Panel>
        )}
        <QueryBoundary query={tables} what="the neighbour tables">
          {(rows) => <Tables tables={rows} />}
        </QueryBoundary>
      </div>
    </>
  );
}
