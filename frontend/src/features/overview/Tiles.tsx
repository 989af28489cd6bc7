/** The tiles of the overview; each shows a count, its first items and a link to the full list. */
import type { ReactNode } from "react";
import type { Overview, OverviewItem, OverviewTile } from "@/api/types";
import { useRange } from "@/api/scope";
import classes from "./Tiles.module.css";
import { Anchor } from "@/ui/Anchor";
import { StateBadge } from "@/ui/StateBadge";
import { useClock } from "@/ui/useClock";
import { describe, period } from "@/util/time";
import { NEARLY_FULL, percent } from "@/util/units";

const TILES: Record<OverviewTile["kind"], { title: string; none: string }> = {
  problems: { title: "Problems", none: "No problems." },
  nearly_full: { title: "Nearly full", none: `No link is above ${percent(NEARLY_FULL)} of its usable rate.` },
  recent_changes: { title: "Recent changes", none: "No changes" },
  awaiting_confirmation: { title: "Awaiting confirmation", none: "No changes awaiting confirmation." },
  not_reporting: { title: "Not reporting", none: "All nodes and agents report." },
};

const MAX_ITEMS = 3;

export function Tiles({
  tiles,
  children,
}: {
  tiles: readonly OverviewTile[];
  /** A further tile. */
  children?: ReactNode;
}) {
  return (
    <div className={classes.tiles}>
      {tiles.map((tile) => (
        <Tile key={tile.kind} tile={tile} />
      ))}
      {children}
    </div>
  );
}

function Tile({ tile }: { tile: OverviewTile }) {
  const { title, none } = TILES[tile.kind];
  const [range] = useRange();
  const isRange = tile.kind === "recent_changes";
  return (
    <TileFrame
      {...tile}
      title={title}
      none={isRange ? `${none} in the ${describe(range)}.` : none}
      hasPeriods={isRange}
    />
  );
}

interface TileProps {
  kind: string;
  title: string;
  total: number;
  items: readonly OverviewItem[];
  url: string;
  /** Why it is incomplete; empty: it is not. */
  lag: string;
  /** Shown without items. */
  none: string;
  /** Whether its items show when they happened. */
  hasPeriods?: boolean;
}

/** A count with its first items and a link to the full list. */
export function TileFrame({ kind, title, total, items, url, lag, none, hasPeriods = false }: TileProps) {
  const more = total - Math.min(items.length, MAX_ITEMS);
  return (
    <section className={classes.tile} aria-label={title} data-testid={`tile-${kind}`} data-total={total}>
      <h2>
        <Anchor href={url} className={classes.title}>
          <b>{title}</b>
          <span className="num" data-none={total === 0}>
            {total}
          </span>
        </Anchor>
      </h2>
      {items.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ul>
          {items.slice(0, MAX_ITEMS).map((item) => (
            <Item key={`${item.url} ${item.title} ${item.since}`} hasPeriod={hasPeriods} item={item} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <Anchor href={url} className={classes.more}>
          and {more} more
        </Anchor>
      )}
      {lag !== "" && (
        <p className={classes.lag} data-testid={`lag-${kind}`}>
          {lag}
        </p>
      )}
    </section>
  );
}

function Item({ hasPeriod, item }: { hasPeriod: boolean; item: OverviewItem }) {
  const now = useClock(30_000) / 1000;
  const { title, detail, state, since, until, refusal, url } = item;
  const when = hasPeriod && since !== null ? period(since, until, now) : "";
  const text = [when, detail].filter((part) => part !== "").join(": ");
  return (
    <li className={classes.item} data-state={state}>
      <StateBadge state={state} quiet />
      <Anchor href={url} className={classes.link} title={`${title}. ${text}`}>
        <span className={classes.what}>{title}</span>
        <span className={classes.detail}>{text}</span>
        {refusal !== "" && <span className={classes.refusal}>Not available to you: {refusal}</span>}
      </Anchor>
    </li>
  );
}

export type Fallbacks = Overview["fallbacks"];

const MAX_FALLBACKS = 2;

/** "n of m fallbacks hold", from the newest capacity study. */
export function FallbackTile({ fallbacks }: { fallbacks: Fallbacks }) {
  const { items, url, state, headline, would_not_hold, is_stale, error } = fallbacks;
  const more = would_not_hold - Math.min(items.length, MAX_FALLBACKS);
  return (
    <section className={classes.tile} aria-label="Fallbacks hold" data-testid="tile-fallbacks">
      <h2>
        <Anchor href={url} className={classes.title}>
          <b>Fallbacks hold</b>
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
          {items.slice(0, MAX_FALLBACKS).map(({ title, detail, state: itemState, url: itemUrl }) => (
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
