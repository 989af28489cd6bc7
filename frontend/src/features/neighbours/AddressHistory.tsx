/** Address history: owners of an address over time; the query is kept in the URL. */
import { Button, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { whoHadQuery, type Holding, type NeighbourHistory } from "@/api/neighbours";
import classes from "./NeighboursPage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Anchor } from "@/ui/Anchor";
import { Panel } from "@/ui/Panel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { canonical, clock } from "@/util/time";

export function AddressHistory({ site }: { site: string }) {
  const [params, setParams] = useSearchParams();
  const address = params.get("address") ?? "";
  const at = params.get("at") ?? "";
  const history = useQuery({ ...whoHadQuery(site, address, at), enabled: site !== "" && address !== "" });
  const search = (next: AddressQuery) =>
    setParams((old) => {
      const fresh = new URLSearchParams(old);
      const moment = next.at.trim() === "" ? "" : canonical(next.at, Date.now() / 1000);
      for (const [name, value] of Object.entries({ ...next, at: moment })) {
        if (value.trim() === "") fresh.delete(name);
        else fresh.set(name, value.trim());
      }
      return fresh;
    });
  return (
    <Panel title="Address history">
      <AddressForm key={`${address} ${at}`} initialValues={{ address, at }} onSearch={search} />
      {address !== "" && (
        <QueryBoundary query={history} what={`the history of ${address}`}>
          {(answer) => <Holdings answer={answer} />}
        </QueryBoundary>
      )}
    </Panel>
  );
}

interface AddressQuery {
  readonly address: string;
  readonly at: string;
}

function AddressForm({
  initialValues,
  onSearch,
}: {
  initialValues: AddressQuery;
  onSearch: (next: AddressQuery) => void;
}) {
  const form = useForm({ initialValues });
  return (
    <form
      role="search"
      aria-label="Address history"
      className={classes.form}
      onSubmit={form.onSubmit(onSearch)}
    >
      <TextInput
        size="xs"
        label="Address"
        placeholder="10.1.0.7 or fe80::1"
        {...form.getInputProps("address")}
      />
      <TextInput
        size="xs"
        label="Time"
        placeholder="any time, 03:00, or now-2h"
        {...form.getInputProps("at")}
      />
      <Button size="xs" type="submit" disabled={form.values.address.trim() === ""}>
        Look up
      </Button>
    </form>
  );
}

const COLUMNS: readonly Column<Holding>[] = [
  {
    id: "owner",
    header: "owner",
    value: ({ owner }) => owner,
    cell: ({ owner }) => owner || <span className="dim">unknown</span>,
  },
  {
    id: "mac",
    header: "hardware address",
    value: ({ mac }) => mac,
    cell: ({ mac }) => <span className="mono">{mac}</span>,
  },
  {
    id: "since",
    header: "from",
    value: ({ since }) => since,
    cell: ({ since }) => <span className="num">{clock(since)}</span>,
  },
  {
    id: "until",
    header: "until",
    value: ({ until }) => until,
    cell: ({ until }) => <span className="num">{until === null ? "now" : clock(until)}</span>,
  },
  {
    id: "node",
    header: "reported by",
    value: ({ node, port }) => `${node}:${port}`,
    cell: ({ node, node_id, port }) => <Anchor href={`/devices/${node_id}`}>{`${node}:${port}`}</Anchor>,
  },
];

function Holdings({ answer: { address, at, kept_days, items } }: { answer: NeighbourHistory }) {
  const when = at === null ? `in the last ${kept_days} days` : `at ${clock(at)}`;
  if (items.length === 0)
    return (
      <p className="dim">
        No neighbour table had {address} {when}.
      </p>
    );
  return (
    <DataTable
      isPlain
      label={`Owners of ${address} ${when}`}
      noun="owners"
      rows={items}
      columns={COLUMNS}
      rowKey={({ node, port, mac, since }) => `${node} ${port} ${mac} ${since}`}
      empty={null}
    />
  );
}
