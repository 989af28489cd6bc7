/** The ports of a node with their load; in and out from the port's point of view. */
import { useQuery } from "@tanstack/react-query";
import { portsQuery } from "@/api/queries";
import { useParam } from "@/api/scope";
import { matchesPort } from "./filter";
import type { Port } from "@/api/types";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, STATE_CHOICES, TextFilter } from "@/ui/Filters";
import { Panel } from "@/ui/Panel";
import { RateCell } from "@/ui/RateCell";
import { StateBadge } from "@/ui/StateBadge";
import type { Column } from "@/ui/table";
import { amount, grouped, NONE, rate } from "@/util/units";

const errorsOf = (port: Port): number | null =>
  port.in_errors_ps === null && port.out_errors_ps === null
    ? null
    : (port.in_errors_ps ?? 0) + (port.out_errors_ps ?? 0);

/** Rows rendered at once; number of ports from which on a filter is offered. */
const ROWS = 200;
const FEW = 12;

const isKnown = (port: Port): boolean => port.state !== "unknown";

const COLUMNS: readonly Column<Port>[] = [
  { id: "name", header: "port", value: ({ name }) => name, cell: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: ({ state, state_text }) => <StateBadge state={state} text={state_text} />,
  },
  { id: "fabric", header: "fabric", value: ({ fabric, kind }) => fabric ?? kind, wide: true },
  {
    id: "in",
    header: "in",
    csvHeader: "in (bit/s)",
    align: "right",
    value: ({ in_bps }) => in_bps,
    cell: (port) => <RateCell bps={port.in_bps} utilisation={port.in_utilisation} fresh={isKnown(port)} />,
  },
  {
    id: "out",
    header: "out",
    csvHeader: "out (bit/s)",
    align: "right",
    value: ({ out_bps }) => out_bps,
    cell: (port) => <RateCell bps={port.out_bps} utilisation={port.out_utilisation} fresh={isKnown(port)} />,
  },
  {
    id: "usable_rate",
    header: "usable",
    csvHeader: "usable (bit/s)",
    align: "right",
    value: ({ usable_rate }) => usable_rate,
    cell: ({ usable_rate }) => rate(usable_rate || null),
    wide: true,
  },
  {
    id: "errors",
    header: "errors/s",
    align: "right",
    value: errorsOf,
    cell: (port) => amount(errorsOf(port)),
    wide: true,
  },
  {
    id: "mtu",
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

export function Ports({ site, node }: { site: string; node: string }) {
  const [sort, setSort] = useParam("sort", "name");
  const [q, setQ] = useParam("port", "");
  const [state, setState] = useParam("port_state", "");
  const ports = useQuery(portsQuery(site, node));
  return (
    <Panel title="Ports" flush>
      <QueryBoundary query={ports} what="the ports">
        {(rows) => (
          <DataTable
            label={`Ports of ${node}`}
            noun="ports"
            rows={rows.filter((port) => matchesPort(port, { q, state }))}
            step={ROWS}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            rowHref={({ link_id }) => (link_id === null ? undefined : `/links/${link_id}`)}
            tools={
              rows.length > FEW && (
                <>
                  <TextFilter label="Search ports" value={q} onChange={setQ} />
                  <ChoiceFilter
                    label="State of ports"
                    value={state}
                    choices={STATE_CHOICES}
                    onChange={setState}
                  />
                </>
              )
            }
            empty={
              rows.length === 0 ? (
                <EmptyState title="No ports reported.">
                  The agent of this node reports them; see “collected by” above.
                </EmptyState>
              ) : (
                <EmptyState title="No ports match these filters." />
              )
            }
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
