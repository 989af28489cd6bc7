/** Members of a fabric that run another address than the site file gives them: what is intended beside what runs. */
import type { ArpAstray } from "@/api/arp";
import { formatAddresses } from "./arp";
import classes from "./Arp.module.css";
import { useParam } from "@/api/scope";
import { Anchor } from "@/ui/Anchor";
import { DataTable } from "@/ui/DataTable";
import { StateWord } from "@/ui/StateWord";
import type { Column } from "@/ui/table";

const COLUMNS: readonly Column<ArpAstray>[] = [
  {
    id: "state",
    header: "state",
    value: () => 0,
    cell: ({ text }) => <StateWord state="critical" word="wrong" title={text} />,
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
    header: "site file says",
    value: ({ intended }) => formatAddresses(intended),
    cell: ({ intended }) => <span className="mono">{formatAddresses(intended)}</span>,
  },
  {
    id: "running",
    header: "runs",
    value: ({ running }) => formatAddresses(running),
    cell: ({ running }) => <span className="mono">{formatAddresses(running)}</span>,
  },
];

export function AddressMismatches({ rows }: { rows: readonly ArpAstray[] }) {
  const [sort, setSort] = useParam("address_mismatches-sort", "node");
  return (
    <>
      <p className={classes.words}>
        Without ARP nobody finds these: set each as the site file says, or correct the site file. A plan for
        ARP off is refused until then.
      </p>
      <DataTable
        label="Other addresses than intended"
        noun="ports"
        rows={rows}
        columns={COLUMNS}
        rowKey={({ node, port }) => `${node}:${port}`}
        sort={sort}
        onSort={setSort}
        empty={null}
      />
    </>
  );
}
