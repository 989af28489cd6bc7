/** The overview's tile "n of m fallbacks hold", from the newest capacity study. */
import type { Overview } from "@/api/types";
import classes from "./Tiles.module.css";
import { Anchor } from "@/ui/Anchor";
import { StateBadge } from "@/ui/StateBadge";

export type Fallbacks = Overview["fallbacks"];

const MAX_ITEMS = 2;

export function FallbackTile({ fallbacks }: { fallbacks: Fallbacks }) {
  const { items, url, state, headline, would_not_hold, is_stale, error } = fallbacks;
  const more = would_not_hold - Math.min(items.length, MAX_ITEMS);
  return (
    <section className={classes.tile} aria-label="Fallbacks hold" data-testid="tile-fallbacks">
      <h2>
        <Anchor href={url} className={classes.title}>
          Fallbacks hold
          <span className="num" data-none={is_stale || fallbacks.total === 0}>
            {heldText(fallbacks)}
          </span>
        </Anchor>
      </h2>
      {items.length === 0 || is_stale ? (
        <p className={classes.none}>
          <StateBadge state={state} quiet /> {headline}.
        </p>
      ) : (
        <ul>
          {items.slice(0, MAX_ITEMS).map(({ title, detail, state: itemState, url: itemUrl }) => (
            <li key={itemUrl} className={classes.item} data-state={itemState}>
              <StateBadge state={itemState} quiet />
              <Anchor href={itemUrl} className={classes.link} title={`${title}. ${detail}`}>
                <span className={classes.what}>If {title} fails</span>
                <span className={classes.detail}>{detail}</span>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && !is_stale && (
        <Anchor href={url} className={classes.more}>
          and {more} more
        </Anchor>
      )}
      {error !== "" && <p className={classes.lag}>The last study failed: {error}</p>}
    </section>
  );
}

/** `3 of 4`, `3 of 4, 1 unknown`; of a study that is too old to say anything, `unknown`. */
export function heldText({ holds, total, unknown, is_stale }: Fallbacks): string {
  if (is_stale) return "unknown";
  return `${holds} of ${total}${unknown > 0 ? `, ${unknown} unknown` : ""}`;
}
