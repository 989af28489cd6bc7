/** How often a port was how full: bars of both directions per tenth of the usable rate. */
import { histogram } from "./series";
import type { PortHistory } from "@/api/ports";
import classes from "./PortPage.module.css";
import { EmptyState } from "@/ui/ErrorState";
import { percent } from "@/util/units";

export function Histogram({ history }: { history: PortHistory }) {
  const bars = histogram(history);
  if (bars.length === 0) return <EmptyState title="No utilisation known in this range." />;
  return (
    <table className={classes.histogram} aria-label="Share of the time by utilisation">
      <thead>
        <tr>
          <th scope="col">utilisation</th>
          <th scope="col">in</th>
          <th scope="col">out</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.label}>
            <th scope="row" className="num">
              {bar.label}
            </th>
            <Share side="in" value={bar.in} />
            <Share side="out" value={bar.out} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Share({ side, value }: { side: "in" | "out"; value: number | null }) {
  return (
    <td>
      <span className={classes.bar} data-side={side} style={{ width: `${(value ?? 0) * 70}%` }} />
      <span className="num"> {percent(value)}</span>
    </td>
  );
}
