/** The history of one path as a strip: gateways, outages in red, hatched where its node did not report. */
import { useElementSize } from "@mantine/hooks";
import { labels, outages, periods } from "./timeline";
import classes from "./Timeline.module.css";
import type { PathHistory } from "@/api/types";

const percent = (fraction: number): string => `${fraction * 100}%`;

export function HistoryStrip({ history }: { history: PathHistory }) {
  const { ref, width } = useElementSize<HTMLSpanElement>();
  const [blocks, marks] = [periods(history), outages(history)];
  return (
    <span
      ref={ref}
      className={classes.strip}
      role="img"
      aria-label={[...blocks, ...marks].map(({ title }) => title).join(", ")}
    >
      {blocks.map((block) => (
        <i
          key={block.key}
          className={block.state === "unknown" ? `${classes.block} hatched` : classes.block}
          data-state={block.state}
          style={{ left: percent(block.left), width: percent(block.width) }}
          title={block.title}
        />
      ))}
      {marks.map((mark) => (
        <i
          key={mark.key}
          className={classes.block}
          data-state={mark.state}
          style={{ left: percent(mark.left), width: percent(mark.width) }}
          title={mark.title}
        />
      ))}
      {labels(blocks, marks, width).map((label) => (
        <b
          key={label.key}
          className={classes.label}
          data-outage={label.isOutage}
          data-before={label.isBefore}
          style={{ left: label.left, width: label.width }}
        >
          {label.text}
        </b>
      ))}
    </span>
  );
}

const KEYS = [
  ["preferred", "preferred gateway"],
  ["fallback", "fallback"],
  ["dead", "outage"],
  ["unknown", "no data"],
] as const;

export function HistoryLegend() {
  return (
    <ul className={classes.legend} aria-label="Legend">
      {KEYS.map(([state, text]) => (
        <li key={state}>
          <i className={state === "unknown" ? `${classes.key} hatched` : classes.key} data-state={state} />
          {text}
        </li>
      ))}
    </ul>
  );
}
