/** Outage time of a policy's paths by day or month, as bars and a table. */
import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { policyOutagesQuery, type OutagePeriod } from "@/api/failover";
import type { PolicyOutages as Outages } from "@/api/types";
import classes from "./PolicyOutages.module.css";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { duration, NONE } from "@/util/units";

type Total = Outages["items"][number];

/** The date in UTC, as the server counts: `2026-11-23`, `2026-11`. */
export const dateOf = ({ start }: Total, by: OutagePeriod): string =>
  new Date(start).toISOString().slice(0, by === "day" ? 10 : 7);

/** Heights 0..1 of the longest; null: no data. */
export function heights(items: readonly Total[]): (number | null)[] {
  const most = Math.max(...items.map(({ outage_s }) => outage_s), 0);
  return items.map(({ outage_s, observed_s }) =>
    outage_s > 0 ? outage_s / most : observed_s > 0 ? 0 : null,
  );
}

export function PolicyOutages({ id }: { id: number }) {
  const [by, setBy] = useState<OutagePeriod>("day");
  const outages = useQuery(policyOutagesQuery(id, by));
  return (
    <Panel
      title="Outage time"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Outage time by"
          value={by}
          onChange={(value) => setBy(value as OutagePeriod)}
          data={[
            { value: "day", label: "days" },
            { value: "month", label: "months" },
          ]}
        />
      }
    >
      <QueryBoundary query={outages} what="the outage time">
        {(data) => (
          <div className={classes.page}>
            <p>
              {data.text}, sum over the paths. Days and months are in {data.timezone}.
            </p>
            <Bars data={data} />
            <DataTable
              label="Outage time"
              noun={`${data.by}s`}
              rows={data.items
                .filter(({ observed_s, outages: number }) => observed_s > 0 || number > 0)
                .toReversed()}
              columns={columnsOf(data.by)}
              rowKey={({ start }) => start}
              empty={<EmptyState title="No data in this range." />}
            />
          </div>
        )}
      </QueryBoundary>
    </Panel>
  );
}

function Bars({ data: { items, by } }: { data: Outages }) {
  const tall = heights(items);
  const ends = [items[0], items.at(-1)].map((item) => (item === undefined ? "" : dateOf(item, by)));
  return (
    <figure>
      <ol className={classes.bars} aria-label={`Outage time by ${by}`}>
        {items.map((item, index) => (
          <li
            key={item.start}
            className={tall[index] === null ? "hatched" : undefined}
            title={`${dateOf(item, by)}: ${item.text}`}
          >
            <i style={{ height: `${(tall[index] ?? 0) * 100}%` }} data-lost={item.outage_s > 0} />
          </li>
        ))}
      </ol>
      <div className={`${classes.axis} num dim`} aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </figure>
  );
}

const columnsOf = (by: OutagePeriod): Column<Total>[] => [
  { id: "start", header: `${by} (UTC)`, value: (item) => dateOf(item, by), cell: (item) => dateOf(item, by) },
  {
    id: "outage_s",
    header: "outage time",
    csvHeader: "outage time (s)",
    align: "right",
    value: ({ outage_s }) => outage_s,
    cell: ({ text, ongoing }) => (ongoing > 0 ? <b className={classes.ongoing}>{text}</b> : text),
  },
  {
    id: "outages",
    header: "outages",
    align: "right",
    value: ({ outages }) => outages,
    cell: ({ outages }) => outages,
  },
  {
    id: "worst",
    header: "worst path",
    value: ({ worst_text }) => worst_text,
    cell: ({ worst_text }) => worst_text || NONE,
  },
  {
    id: "observed_s",
    header: "observed",
    csvHeader: "observed (s)",
    align: "right",
    value: ({ observed_s }) => observed_s,
    cell: ({ observed_s }) => duration(observed_s),
  },
];
