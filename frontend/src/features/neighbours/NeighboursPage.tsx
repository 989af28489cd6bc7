/** Neighbour tables: usage, duplicate addresses and address history. */
import { duplicatesList, neighbourTablesList, type Duplicate } from "@/api/neighbours";
import { useListPage, usePages } from "@/api/useListPage";
import classes from "./NeighboursPage.module.css";
import { COLUMNS } from "./columns";
import { AddressHistory } from "./AddressHistory";
import { headline } from "./labels";
import { EmptyState } from "@/ui/ErrorState";
import { ListTable } from "@/ui/table/ListTable";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { StateLabel } from "@/ui/StateLabel";

export function NeighboursPage() {
  const list = useListPage(neighbourTablesList, { columns: COLUMNS, sort: "-share" });
  const site = list.site ?? "";
  const { query, rest } = usePages(duplicatesList(site), list.site !== undefined);
  const duplicates = query.data ?? [];
  return (
    <>
      <PageHeader
        title="Neighbours"
        headline={list.headline((tables) => headline(tables, duplicates.length))}
      />
      <div className={classes.page}>
        <AddressHistory site={site} />
        {duplicates.length > 0 && (
          <Panel title="Duplicate addresses" flush>
            <Duplicates duplicates={duplicates} />
            <LoadMore rest={rest} />
          </Panel>
        )}
        <ListTable
          list={list}
          label="Neighbour tables"
          noun="ports"
          columns={COLUMNS}
          rowKey={({ node, port }) => `${node}:${port}`}
          rowHref={({ url }) => url}
          search="Search by port"
          none={
            <EmptyState
              title="No neighbour tables reported yet."
              command="backstay-agent status --state /var/lib/backstay-agent"
            >
              Agents and devices polled over SNMP report them.
            </EmptyState>
          }
        />
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
