/** Neighbour tables: usage, duplicate addresses and address history. */
import { useQuery } from "@tanstack/react-query";
import { duplicatesQuery, neighbourTablesQuery, type Duplicate } from "@/api/neighbours";
import { useSite } from "@/api/scope";
import classes from "./NeighboursPage.module.css";
import { Tables } from "./Tables";
import { AddressHistory } from "./AddressHistory";
import { headline } from "./labels";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { StateLabel } from "@/ui/StateLabel";

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

/** Addresses with several hardware addresses on one fabric. */
function Duplicates({ duplicates }: { duplicates: readonly Duplicate[] }) {
  return (
    <ul aria-label="Duplicate addresses" className={classes.list}>
      {duplicates.map(({ address, fabric, since, macs, incident }) => (
        <li key={`${address} ${fabric ?? ""}`} className={classes.duplicate}>
          <p className={classes.head}>
            <b className="mono">{address}</b>
            {fabric !== null && <span className="dim">{fabric}</span>}
            <StateLabel
              state={incident?.severity === "critical" ? "critical" : "warning"}
              label={`${macs.length} hardware addresses`}
            />
            <span>
              for <AgeStamp at={since} />
            </span>
            {incident !== null && <Anchor href={incident.url}>incident</Anchor>}
          </p>
          <ul className={classes.places}>
            {macs.map(({ mac, owner, nodes }) => (
              <li key={mac}>
                <b>{owner || "unknown owner"}</b> <span className="mono">{mac}</span>{" "}
                <span className="dim">reported by {nodes.join(", ")}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
