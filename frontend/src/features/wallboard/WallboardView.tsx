/**
 * A wallboard: one site on a screen that nobody operates, by the token in the address.
 *
 * The token follows the `#`, which browsers send to no server, so that it is in no log. The screen has a cache and a
 * live stream of its own, without a session. Its links lead nowhere: a screen shows, and cannot be walked away from.
 */
import { useMantineColorScheme } from "@mantine/core";
import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState, type ReactNode } from "react";
import { useLocation } from "react-router";
import { setScreenToken } from "@/api/client";
import { LiveContext, useLiveState, useLiveStream } from "@/api/connection";
import { overviewQuery } from "@/api/queries";
import { currentWallboardQuery, type CurrentWallboard, type WallboardPage } from "@/api/wallboard/queries";
import { makeScreen, type Screen } from "@/api/wallboard/screen";
import type { Link, Overview } from "@/api/types";
import { faultOf } from "./freshness";
import { reloadScreen } from "./restart";
import { useRotation, useRotationKeys, type Rotation } from "./rotation";
import { BadPaths, UrgentIncidents } from "./ProblemLists";
import classes from "./Wallboard.module.css";
import { AnchorContext, type AnchorProps } from "@/ui/Anchor";
import { useClock } from "@/ui/useClock";
import { clock, DEFAULT_RANGE } from "@/util/time";
import { wallboard } from "@/util/spec.json";
import { duration } from "@/util/units";

/** Parts of other pages; routes.tsx provides them because features do not import each other. */
export interface WallboardParts {
  readonly tiles: (overview: Overview) => ReactNode;
  readonly fallbacks: (overview: Overview) => ReactNode;
  readonly map: (site: string) => ReactNode;
  readonly links: (site: string, links: readonly Link[]) => ReactNode;
}

/** How often a refused screen asks again: its expiry may be extended. */
const REFUSED_MS = 60_000;
const RELOAD_SPREAD_MS = 5000;

/** A link without a target. */
function NoLink({ children, className, title }: AnchorProps) {
  return (
    <span className={className} title={title}>
      {children}
    </span>
  );
}

export function WallboardView({ parts }: { parts: WallboardParts }) {
  const token = useLocation().hash.slice(1);
  if (token === "")
    return <Refused title="No wallboard" text="The address is incomplete: open the whole link." />;
  return <WithToken key={token} token={token} parts={parts} />;
}

function WithToken({ token, parts }: { token: string; parts: WallboardParts }) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [screen] = useState(() => makeScreen(token, setRefusal));
  // Before the effects that fetch.
  useLayoutEffect(() => {
    setScreenToken(token);
    return () => setScreenToken("");
  }, [token]);
  return (
    <QueryClientProvider client={screen.queries}>
      <LiveContext value={screen.live}>
        <AnchorContext value={NoLink}>
          {refusal === null ? (
            <Wall parts={parts} />
          ) : (
            <RefusedScreen screen={screen} reason={refusal} onRefusal={setRefusal} />
          )}
        </AnchorContext>
      </LiveContext>
    </QueryClientProvider>
  );
}

/** Forgets what it showed, and asks again from time to time. */
function RefusedScreen({
  screen,
  reason,
  onRefusal,
}: {
  screen: Screen;
  reason: string;
  onRefusal: (reason: string | null) => void;
}) {
  useEffect(() => {
    screen.queries.clear();
    const timer = setInterval(() => {
      screen.queries.fetchQuery(currentWallboardQuery).then(
        () => onRefusal(null),
        () => undefined,
      );
    }, REFUSED_MS);
    return () => clearInterval(timer);
  }, [screen, onRefusal]);
  return <Refused title={reason} text="Ask an operator of the site for a new link." />;
}

function Refused({ title, text }: { title: string; text: string }) {
  return (
    <main className={classes.refused} data-testid="wall-refused">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  );
}

function Wall({ parts }: { parts: WallboardParts }) {
  const { data: board, error } = useQuery(currentWallboardQuery);
  const stream = useLiveStream();
  const site = board?.site;
  useEffect(() => {
    if (site === undefined) return undefined;
    stream.follow(site);
    return () => stream.stop();
  }, [stream, site]);
  useTheme(board);
  useReload(board?.build ?? "");
  if (board === undefined)
    return (
      <Refused
        title={error === null ? "Connecting" : "No connection"}
        text={error === null ? "Reading the wallboard." : `${error.message} Trying again.`}
      />
    );
  return <Board board={board} parts={parts} />;
}

function useTheme(board: CurrentWallboard | undefined): void {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const theme = board?.theme;
  useEffect(() => {
    if (theme !== undefined) setColorScheme(theme === "system" ? "auto" : theme);
  }, [theme, setColorScheme]);
}

/** Reloads the page once the server has another build than the first one that it named. */
function useReload(build: string): void {
  const [first, setFirst] = useState("");
  if (first === "" && build !== "") setFirst(build);
  const isOld = first !== "" && build !== "" && build !== first;
  useEffect(() => {
    if (!isOld) return undefined;
    const timer = setInterval(() => reloadScreen(Date.now()), 1000 + Math.random() * RELOAD_SPREAD_MS);
    return () => clearInterval(timer);
  }, [isOld]);
}

function Board({ board, parts }: { board: CurrentWallboard; parts: WallboardParts }) {
  const overview = useQuery(overviewQuery(board.site, DEFAULT_RANGE));
  const rotation = useRotation(board.pages.length, board.seconds);
  useRotationKeys(rotation);
  const page = board.pages[rotation.index] ?? "overview";
  const live = useLiveState();
  const now = useClock();
  const [openedAt] = useState(() => Date.now());
  const updatedAt = overview.dataUpdatedAt === 0 ? openedAt : overview.dataUpdatedAt;
  const data = overview.data;
  const fault = faultOf({
    live,
    updatedAt,
    now,
    intervalS: data?.site.interval_s ?? 5,
    evaluationLateS: data?.evaluation_late_s ?? null,
  });
  return (
    <div className={classes.wall} data-size={board.text_size} data-fault={fault !== null}>
      <header className={classes.head}>
        <span className={classes.name}>
          {data?.site.title ?? board.site} <span className="dim">{board.name}</span>
        </span>
        <Age updatedAt={updatedAt} now={now} isOld={fault !== null} connection={live.connection} />
        <time className="num">{clock(new Date(now).toISOString()).slice(11, 16)}</time>
      </header>
      {fault !== null && (
        <div className={classes.fault} role="alert" data-testid="wall-fault">
          <strong>{fault.title}</strong> {fault.text}
        </div>
      )}
      <h1 className={classes.headline} data-testid="wall-headline">
        {data?.headline ?? "Reading the site."}
      </h1>
      <main className={classes.page} data-page={page}>
        {data !== undefined && <Page page={page} overview={data} parts={parts} />}
      </main>
      <RotationBar pages={board.pages} seconds={board.seconds} rotation={rotation} />
    </div>
  );
}

interface AgeProps {
  updatedAt: number;
  now: number;
  isOld: boolean;
  connection: string;
}

function Age({ updatedAt, now, isOld, connection }: AgeProps) {
  const age = duration(Math.max(0, Math.round((now - updatedAt) / 1000)));
  return (
    <span className={classes.age} data-old={isOld} data-testid="wall-age" title={connection}>
      {isOld ? "not current" : connection}, data {age} old
    </span>
  );
}

interface PageProps {
  page: WallboardPage;
  overview: Overview;
  parts: WallboardParts;
}

const MOST_URGENT = 5;
const MOST_INCIDENTS = 9;

function Page({ page, overview, parts }: PageProps) {
  const site = overview.site.name;
  switch (page) {
    case "overview":
      return (
        <>
          <UrgentIncidents site={site} most={MOST_URGENT} />
          <div className={classes.scaled}>{parts.tiles(overview)}</div>
        </>
      );
    case "incidents":
      return <UrgentIncidents site={site} most={MOST_INCIDENTS} />;
    case "map":
      return <div className={classes.map}>{parts.map(site)}</div>;
    case "paths":
      return (
        <>
          <BadPaths overview={overview} />
          <div className={classes.scaled}>{parts.fallbacks(overview)}</div>
        </>
      );
    case "links":
      return <div className={classes.scaled}>{parts.links(site, overview.top_links)}</div>;
  }
}

const LABELS = new Map(wallboard.pages.map(({ value, label }) => [value, label]));

interface BarProps {
  pages: readonly WallboardPage[];
  seconds: number;
  rotation: Rotation;
}

/** The pages, the one that is shown, the time that is left, and the pause. */
function RotationBar({ pages, seconds, rotation: { index, paused, toggle } }: BarProps) {
  const rotates = pages.length > 1;
  return (
    <footer className={classes.foot}>
      <ol className={classes.pages}>
        {pages.map((page, at) => (
          <li key={page} aria-current={at === index ? "page" : undefined}>
            {LABELS.get(page)}
          </li>
        ))}
      </ol>
      {rotates && (
        <button type="button" className={classes.pause} aria-pressed={paused} onClick={toggle}>
          {paused ? "Paused: continue" : "Pause"} <kbd>space</kbd>
        </button>
      )}
      {rotates && (
        <div className={classes.track} aria-hidden="true">
          {!paused && (
            // A new element for each page: its animation begins again.
            <div key={index} className={classes.progress} style={{ animationDuration: `${seconds}s` }} />
          )}
        </div>
      )}
    </footer>
  );
}
