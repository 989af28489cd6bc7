/** One figure over the page's time range: its shape, its mean and its greatest. */
import { useQuery } from "@tanstack/react-query";
import { figureHistoryQuery } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { Figure } from "@/api/types";
import { pastWords } from "./figure";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Sparkline } from "@/ui/Sparkline";
import { describe } from "@/util/time";

export function FigurePast({
  node,
  figure: { metric, subject, collector, sentence },
}: {
  node: number;
  figure: Figure;
}) {
  const [range] = useRange();
  const past = useQuery(figureHistoryQuery(node, { metric, subject, collector }, range));
  return (
    <div className={classes.past}>
      <QueryBoundary query={past} what="its past">
        {(data) => {
          const words = pastWords(data);
          const most = Math.max(...data.max.map((value) => value ?? 0), 1e-9);
          return (
            <>
              <Sparkline up={data.mean} down={[]} most={most} description={words} width={480} height={72} />
              <p>
                <b>{words}</b>{" "}
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
