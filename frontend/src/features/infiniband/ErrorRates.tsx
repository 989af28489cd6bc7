/** Error rates of ports over a short and a long window, the highest first. */
import type { ErrorRate } from "@/api/types";
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table/columns";
import { duration, amount } from "@/util/units";

function columns(short: string, long: string): readonly Column<ErrorRate>[] {
  return [
    { id: "port", header: "port", value: ({ node, port }) => `${node}:${port}` },
    {
      id: "title",
      header: "counter",
      value: ({ title }) => title,
      cell: ({ title, sentence }) => <span title={sentence}>{title}</span>,
    },
    {
      id: "short",
      header: `${short}`,
      align: "right",
      value: (rate) => rate.short,
      cell: (rate) => amount(rate.short),
      wide: true,
    },
    {
      id: "short_per_h",
      header: `${short} (per h)`,
      align: "right",
      value: ({ short_per_h }) => short_per_h,
      cell: ({ short_per_h }) => amount(short_per_h),
    },
    {
      id: "long",
      header: `${long}`,
      align: "right",
      value: (rate) => rate.long,
      cell: (rate) => amount(rate.long),
      wide: true,
    },
    {
      id: "long_per_h",
      header: `${long} (per h)`,
      align: "right",
      value: ({ long_per_h }) => long_per_h,
      cell: ({ long_per_h }) => amount(long_per_h),
    },
    { id: "sentence", header: "description", value: ({ sentence }) => sentence, wide: true },
  ];
}

/** 7500 s as `125 min`. */
const minutes = (seconds: number): string => (seconds % 60 === 0 ? `${seconds / 60} min` : duration(seconds));

export function ErrorRates({
  errors,
  short,
  long,
}: {
  errors: readonly ErrorRate[];
  short: number;
  long: number;
}) {
  return (
    <DataTable
      label="Error rates"
      noun="rates"
      rows={errors}
      columns={columns(minutes(short), minutes(long))}
      rowKey={({ node, port, metric }) => `${node}:${port} ${metric}`}
      rowHref={({ url }) => url}
      empty={<EmptyState title="No errors in either window." />}
    />
  );
}
