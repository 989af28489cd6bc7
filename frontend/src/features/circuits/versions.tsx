/** Columns of circuit versions. */
import type { CircuitVersion } from "@/api/circuits";
import { describePath, describeShapes, formatLabels } from "./circuits";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";

export const VERSION_COLUMNS: readonly Column<CircuitVersion>[] = [
  {
    id: "since",
    sortable: true,
    header: "declared since",
    value: ({ since }) => since,
    cell: ({ since }) => <span className="num">{since === null ? "before the record" : clock(since)}</span>,
  },
  {
    id: "until",
    sortable: true,
    header: "until",
    value: ({ until }) => until,
    cell: ({ until }) => <span className="num">{until === null ? "now" : clock(until)}</span>,
  },
  {
    id: "labels",
    sortable: true,
    header: "labels",
    value: formatLabels,
    cell: (version) => <span className="mono">{formatLabels(version)}</span>,
  },
  {
    id: "path",
    header: "hops",
    value: describePath,
    cell: (version) => <span className="mono">{describePath(version)}</span>,
    wide: true,
  },
  { id: "shape", header: "traffic shape", value: ({ hops }) => describeShapes(hops), wide: true },
  { id: "note", header: "note", value: ({ note }) => note || "none", wide: true },
];
