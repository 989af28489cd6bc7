/** Which single improvement would make most failing fallbacks hold, and how to apply it. */
import { useQuery } from "@tanstack/react-query";
import { adviceQuery, type Advice } from "@/api/models/capacity";
import classes from "./Capacity.module.css";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { count } from "@/util/units";

type Item = Advice["items"][number];

export function AdvicePanel({ site }: { site: string }) {
  const advice = useQuery(adviceQuery(site));
  return (
    <Panel title="What would help" aside={<span className="dim">{advice.data?.headline}</span>}>
      <QueryBoundary query={advice} what="the advice">
        {(found) => <Found advice={found} />}
      </QueryBoundary>
    </Panel>
  );
}

function Found({ advice }: { advice: Advice }) {
  const { items, further, skipped, error, is_stale, computed_at } = advice;
  if (items.length === 0)
    return (
      <EmptyState title={error === "" ? `${advice.headline}.` : "The advice cannot be computed."}>
        {error === ""
          ? "More capacity, a further gateway and other stripes are tried while a fallback would not hold."
          : error}
      </EmptyState>
    );
  return (
    <>
      {is_stale && computed_at !== null && (
        <p className="dim">This advice is old: loads or failures have changed since.</p>
      )}
      <ol className={classes.advice} aria-label="Improvements, the most useful first">
        {items.map((item) => (
          <Improvement key={item.title} item={item} />
        ))}
      </ol>
      {further + skipped > 0 && (
        <p className="dim">
          {count(further, "further improvement")} would help too; {skipped} could not be judged in time.
        </p>
      )}
    </>
  );
}

function Improvement({ item }: { item: Item }) {
  const { title, holds, holds_total, eased, eased_total, worse, worse_total, remaining, steps } = item;
  return (
    <li>
      <b>{title}</b>{" "}
      <span className="dim">
        {holds_total > 0 && `Then ${names(holds, holds_total)} hold. `}
        {eased_total > 0 &&
          `${names(eased, eased_total)} overload no link then, and fail for another reason. `}
        {worse_total > 0 && `${names(worse, worse_total)} would not hold any more. `}
        {remaining === 0 ? "No fallback fails then." : `${count(remaining, "fallback")} would still fail.`}
      </span>
      <details>
        <summary>How to apply it</summary>
        <ol>
          {steps.map((step) => (
            <li key={step}>{step.startsWith("backstay ") ? <code>{step}</code> : step}</li>
          ))}
        </ol>
        <Where item={item} />
      </details>
    </li>
  );
}

function Where({ item: { policy, fabric, fabric_id } }: { item: Item }) {
  if (policy !== null)
    return <Anchor href={`/policies?q=${encodeURIComponent(policy)}`}>The policy {policy}</Anchor>;
  return fabric_id === null ? null : <Anchor href={`/fabrics/${fabric_id}`}>The fabric {fabric}</Anchor>;
}

/** The first names, and how many more: `grf1, atmgw and 3 more`. */
function names(first: readonly string[], total: number): string {
  const rest = total - first.length;
  return first.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
