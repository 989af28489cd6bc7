/** The five tiles of the overview; each shows a count, its first items and a link to the full list. */
import type { OverviewTile } from "@/api/types";
import classes from "./Tiles.module.css";
import { Anchor } from "@/ui/Anchor";
import { StateBadge } from "@/ui/StateBadge";
import { NEARLY_FULL, percent } from "@/util/units";

const TILES: Record<OverviewTile["kind"], { title: string; none: string }> = {
  problems: { title: "Problems", none: "No problems." },
  nearly_full: { title: "Nearly full", none: `No link is above ${percent(NEARLY_FULL)} of its usable rate.` },
  recent_changes: { title: "Recent changes", none: "No changes in the last hour." },
  awaiting_confirmation: { title: "Awaiting confirmation", none: "No changes awaiting confirmation." },
  not_reporting: { title: "Not reporting", none: "All nodes and agents report." },
};

const MAX_ITEMS = 3;

export function Tiles({ tiles }: { tiles: readonly OverviewTile[] }) {
  return (
    <div className={classes.tiles}>
      {tiles.map((tile) => (
        <Tile key={tile.kind} tile={tile} />
      ))}
    </div>
  );
}

function Tile({ tile: { kind, total, items, url } }: { tile: OverviewTile }) {
  const { title, none } = TILES[kind];
  const more = total - Math.min(items.length, MAX_ITEMS);
  return (
    <section className={classes.tile} aria-label={title} data-testid={`tile-${kind}`} data-total={total}>
      <h2>
        <Anchor href={url} className={classes.title}>
          {title}
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
            <li key={`${item.url} ${item.title}`} className={classes.item}>
              <StateBadge state={item.state} quiet />
              <Anchor href={item.url} className={classes.link} title={`${item.title}: ${item.detail}`}>
                <span className={classes.what}>{item.title}</span>
                <span className={classes.detail}>{item.detail}</span>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Anchor href={url} className={classes.more}>
          and {more} more
        </Anchor>
      )}
    </section>
  );
}
