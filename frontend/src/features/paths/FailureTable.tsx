/** The same path under each single failure: what fails, the path then, its narrowest rate. */
import type { NodeRoute } from "@/api/models/paths";
import { trail } from "./route";
import classes from "./RoutePage.module.css";
import { EmptyState } from "@/ui/ErrorState";
import { StateLabel } from "@/ui/StateLabel";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { rate } from "@/util/units";

interface Props {
  routes: readonly NodeRoute[];
  /** The failure whose path is shown; null: none. */
  selected: string | null;
  onSelect: (failed: string) => void;
}

const keyOf = ({ failed }: NodeRoute): string => failed ?? "";

function columnsOf({ selected, onSelect }: Omit<Props, "routes">): Column<NodeRoute>[] {
  return [
    {
      id: "failed",
      header: "what fails",
      value: ({ failed_name }) => failed_name,
      cell: (route) => (
        <button
          type="button"
          className={classes.plain}
          aria-pressed={route.failed === selected}
          aria-label={`Show the path if ${route.failed_name} fails`}
          onClick={() => onSelect(route.failed === selected ? "" : keyOf(route))}
        >
          {route.failed_name}
        </button>
      ),
      wraps: true,
    },
    {
      id: "kind",
      header: "kind",
      value: ({ failed_kind }) => (failed_kind === "fabric" ? "medium" : failed_kind),
      wide: true,
    },
    { id: "path", header: "path", value: pathText, cell: (route) => <PathCell route={route} />, wraps: true },
    {
      id: "usable_rate",
      header: "narrowest rate",
      csvHeader: "narrowest rate (bit/s)",
      align: "right",
      value: ({ usable_rate }) => usable_rate,
      cell: (route) => <span className="num">{rateText(route)}</span>,
    },
    {
      id: "mtu",
      header: "MTU",
      align: "right",
      value: ({ mtu }) => mtu,
      cell: ({ outcome, mtu }) => (outcome === "delivered" ? (mtu ?? "unknown") : ""),
      wide: true,
    },
  ];
}

export function FailureTable({ routes, ...choice }: Props) {
  return (
    <DataTable
      label="Single failures on the path"
      noun="failures"
      rows={routes}
      columns={columnsOf(choice)}
      rowKey={keyOf}
      empty={<EmptyState title="Nothing on this path can fail." />}
      isPlain
    />
  );
}

const pathText = (route: NodeRoute): string =>
  route.outcome === "delivered" ? trail(route) : route.outcome === "loop" ? "loop" : "no path";

function rateText({ outcome, usable_rate }: NodeRoute): string {
  if (outcome !== "delivered") return "";
  return usable_rate === null ? "unknown" : rate(usable_rate);
}

function PathCell({ route }: { route: NodeRoute }) {
  if (route.outcome !== "delivered")
    return (
      <span className={classes.reason} data-outcome={route.outcome}>
        <StateLabel state="critical" label={pathText(route)} title={route.reason} />{" "}
        <span className="dim">{route.reason}</span>
      </span>
    );
  return (
    <span data-outcome={route.outcome}>
      {trail(route)}
      {!route.is_moved && <span className="dim"> as without the failure</span>}
    </span>
  );
}
