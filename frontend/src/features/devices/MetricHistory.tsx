/** One device metric over the time range of the page: trend, mean and maximum. */
import { useQuery } from "@tanstack/react-query";
import { figureHistoryQuery } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { Figure } from "@/api/types";
import { describeHistory } from "./metric";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Sparkline } from "@/ui/chart/Sparkline";
import { describe } from "@/util/time";

export function MetricHistory({
  node,
  figure: { metric, subject, collector, sentence },
}: {
  node: number;
  figure: Figure;
}) {
  const [range] = useRange();
  const history = useQuery(figureHistoryQuery(node, { metric, subject, collector }, range));
  return (
    <div className={classes.past}>
      <QueryBoundary query={history} what="the metric history">
        {(data) => {
          const description = describeHistory(data);
          const most = Math.max(...data.max.map((value) => value ?? 0), 1e-9);
          return (
            <>
              <Sparkline
                up={data.mean}
                down={[]}
                most={most}
                description={description}
                width={480}
                height={72}
              />
              <p>
                <b>{description}</b>{" "}
                <span className="dim">
                  In the {describe(range)}. {sentence}
                </span>
              </p>
            </>
          );
        }}
      </QueryBoundary>
    </div>
  );
}
