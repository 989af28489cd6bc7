/** Load of a link in a fixed range, for pages about something that happened to it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { historyQuery, linkQuery } from "@/api/queries";
import { History } from "./LinkChart";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { describe, type Range } from "@/util/time";

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();

export function LinkPeriod({ id, range: whole }: { id: number; range: Range }) {
  const [narrow, setNarrow] = useState<Range | null>(null);
  const range = narrow ?? whole;
  const link = useQuery(linkQuery(id));
  const history = useQuery(historyQuery(id, range));
  const both = {
    data: link.data && history.data && { link: link.data, history: history.data },
    error: link.error ?? history.error,
    refetch: () => Promise.all([link.refetch(), history.refetch()]),
  };
  return (
    <Panel title={`Load${link.data === undefined ? "" : ` of ${link.data.name}`}, ${describe(range)}`}>
      <QueryBoundary query={both} what="the history of this link">
        {(data) => (
          <History
            {...data}
            range={range}
            onBrush={(start, end) => setNarrow({ from: iso(start), to: iso(end) })}
            onBack={() => setNarrow(null)}
            controls={null}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
