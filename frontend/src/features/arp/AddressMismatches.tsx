/** Members of a fabric whose running address differs from the site file. */
import type { AddressMismatch } from "@/api/arp";
import { formatAddresses } from "./arp";
import classes from "./Arp.module.css";
import { Anchor } from "@/ui/Anchor";
import { DataTable } from "@/ui/table/DataTable";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";

const COLUMNS: readonly Column<AddressMismatch>[] = [
  {
    id: "state",
    header: "state",
    value: () => 0,
    cell: ({ text }) => <StateLabel state="critical" label="mismatch" title={text} />,
  },
  {
    id: "node",
    header: "node",
    value: ({ node }) => node,
    cell: ({ node, node_id }) => (
      <span className={classes.member}>
        <Anchor href={`/devices/${node_id}`}>{node}</Anchor>
      </span>
    ),
  },
  { id: "port", header: "port", value: ({ port }) => port },
  {
    id: "intended",
    header: "intended",
    value: ({ intended }) => formatAddresses(intended),
    cell: ({ intended }) => <span className="mono">{formatAddresses(intended)}</span>,
  },
  {
    id: "running",
    header: "running",
    value: ({ running }) => formatAddresses(running),
    cell: ({ running }) => <span className="mono">{formatAddresses(running)}</span>,
  },
];

export function AddressMismatches({ rows }: { rows: readonly AddressMismatch[] }) {
  return (
    <>
      <p className={classes.summary}>
        With ARP off, these nodes are unreachable. Set each address as in the site file, or correct the site
        file. Plans that turn ARP off are rejected until then.
      </p>
      <DataTable
        label="Address mismatches"
        noun="ports"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ node, port }) => `${node}:${port}`}
        empty={null}
      />
    </>
  );
}
