/** The ports of a node with their load; in and out from the port's point of view. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { portTrendsQuery } from "@/api/ports/trends";
import { portsList } from "@/api/queries";
import { useRange } from "@/api/scope";
import { useListPage } from "@/api/useListPage";
import type { Port } from "@/api/types";
import { trendColumn, TrendsProvider, useRenderedRows, useTrends } from "@/ui/chart/TrendColumn";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { STATE_CHOICES } from "@/ui/Filters";
import { Panel } from "@/ui/Panel";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { amount, grouped, NONE, rate } from "@/util/units";

const errorsOf = (port: Port): number | null =>
  port.in_errors_ps === null && port.out_errors_ps === null
    ? null
    : (port.in_errors_ps ?? 0) + (port.out_errors_ps ?? 0);

/** More ports than these can be filtered. */
const FEW = 12;
const FILTERS = [{ name: "state", label: "State of ports", choices: STATE_CHOICES }] as const;

const isKnown = (port: Port): boolean => port.state !== "unknown";

/** The speed that the device states, marked if its own counters exceed it. */
function Speed({ port: { speed, contradicted_speed } }: { port: Port }) {
  if (contradicted_speed === null) return rate(speed || null);
  const stated = rate(contradicted_speed);
  return (
    <StateLabel
      state="warning"
      label={`not ${stated}`}
      title={`The device states ${stated}, but the port carried more: its speed is treated as unknown.`}
    />
  );
}

const FIRST: readonly Column<Port>[] = [
  { id: "name", sortable: true, header: "port", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  { id: "fabric", sortable: true, header: "fabric", value: ({ fabric, kind }) => fabric ?? kind, wide: true },
  {
    id: "in_bps",
    sortable: true,
    header: "in",
    csvHeader: "in (bit/s)",
    align: "right",
    value: ({ in_bps }) => in_bps,
    cell: (port) => <RateCell bps={port.in_bps} utilisation={port.in_utilisation} fresh={isKnown(port)} />,
  },
  {
    id: "out_bps",
    sortable: true,
    header: "out",
    csvHeader: "out (bit/s)",
    align: "right",
    value: ({ out_bps }) => out_bps,
    cell: (port) => <RateCell bps={port.out_bps} utilisation={port.out_utilisation} fresh={isKnown(port)} />,
  },
];

const REST: readonly Column<Port>[] = [
  {
    id: "usable_rate",
    sortable: true,
    header: "usable",
    csvHeader: "usable (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate || null),
    wide: true,
  },
  {
    id: "speed",
    sortable: true,
    header: "speed",
    csvHeader: "speed stated by the device (bit/s)",
    align: "right",
    value: ({ speed, contradicted_speed }) => contradicted_speed ?? speed,
    cell: (port) => <Speed port={port} />,
    wide: true,
  },
  {
    id: "errors",
    sortable: true,
    header: "errors/s",
    align: "right",
    value: errorsOf,
    cell: (port) => amount(errorsOf(port)),
    wide: true,
  },
  {
    id: "mtu",
    sortable: true,
    header: "MTU",
    align: "right",
    value: ({ mtu }) => mtu,
    cell: ({ mtu }) => grouped(mtu || null),
    wide: true,
  },
  {
    id: "addresses",
    header: "addresses",
    value: ({ addresses }) => addresses.join(" "),
    cell: ({ addresses }) => <span className="num">{addresses.join(", ") || NONE}</span>,
    wide: true,
  },
];

const SORTED = [...FIRST, ...REST];

/** Trends of the ports on the screen: in above, out below. */
function usePortTrends(site: string) {
  const [range] = useRange();
  const { rows, onRendered } = useRenderedRows();
  const { data } = useQuery(portTrendsQuery(site, rows, range));
  const found = useMemo(
    () =>
      data === undefined
        ? null
        : new Map(data.ports.map((port) => [port.port_id, { up: port.in_mean, down: port.out_mean }])),
    [data],
  );
  return useTrends(found, onRendered);
}

export function Ports({ node }: { node: string }) {
  const list = useListPage(portsList, {
    columns: SORTED,
    sort: "state",
    filters: { state: "" },
    names: { q: "port", state: "port_state" },
    fixed: { node },
  });
  const trends = usePortTrends(list.site ?? "");
  const columns = useMemo(() => [...FIRST, trendColumn<Port>(trends.most), ...REST], [trends.most]);
  const isLong = list.isFiltered || (list.query.data?.length ?? 0) > FEW;
  return (
    <Panel title="Ports" flush>
      <TrendsProvider value={trends}>
        <ListTable
          list={list}
          label={`Ports of ${node}`}
          noun="ports"
          columns={columns}
          rowKey={({ id }) => id}
          rowHref={({ url }) => url}
          search={isLong ? "Search ports" : undefined}
          filters={isLong ? FILTERS : undefined}
          none={
            <EmptyState title="No ports reported.">
              The agent of this node reports them; see “collected by” below.
            </EmptyState>
          }
        />
      </TrendsProvider>
    </Panel>
  );
}
