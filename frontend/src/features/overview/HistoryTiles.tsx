/** The tiles of the overview at a past moment, and what history does not keep of it. */
import type { ReactNode } from "react";
import type { PastOverview, PastTile } from "@/api/types";
import { TileFrame } from "./Tiles";
import classes from "./Tiles.module.css";
import { shortClock } from "@/util/time";
import { NEARLY_FULL, percent } from "@/util/units";

interface Spec {
  readonly title: string;
  readonly none: string;
  /** Of the range before the moment. */
  readonly isRange?: boolean;
}

const TILES: Record<PastTile["kind"], Spec> = {
  problems: { title: "Problems", none: "No incident was open." },
  worst_paths: { title: "Worst paths", none: "No path is known to have been dead or on a fallback." },
  failovers: { title: "Failovers", none: "None recorded", isRange: true },
  outages: { title: "Outages", none: "None recorded", isRange: true },
  nearly_full: {
    title: "Nearly full",
    none: `No measured link was above ${percent(NEARLY_FULL)} of its usable rate.`,
  },
  recent_changes: { title: "Changes before", none: "None recorded", isRange: true },
  not_measured: { title: "Not measured", none: "All nodes were measured." },
};

/** `overview.start` begins the range of failovers, outages and changes. */
export function PastTiles({ overview, children }: { overview: PastOverview; children: ReactNode }) {
  const { tiles, start, at } = overview;
  const since = shortClock(start, Date.parse(at) / 1000).slice(0, -3);
  return (
    <div className={classes.tiles} data-past="true">
      {tiles.map((tile) => {
        const { title, none, isRange = false } = TILES[tile.kind];
        return (
          <TileFrame
            key={tile.kind}
            {...tile}
            title={title}
            none={isRange ? `${none} since ${since}.` : none}
            hasPeriods={isRange}
          />
        );
      })}
      {children}
    </div>
  );
}

/** Names what the present overview has and history does not keep. */
export function NotKeptTile({ names }: { names: readonly string[] }) {
  return (
    <section className={classes.tile} aria-label="Not kept" data-testid="tile-not-kept">
      <h2 className={classes.notKept}>Not kept</h2>
      <ul className={classes.names}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}
