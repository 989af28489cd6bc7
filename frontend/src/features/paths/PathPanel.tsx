/** Side panel of one path: facts, manual move, drill, and the decisions of its checker. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pathTimelineQuery } from "@/api/failover";
import type { Decision, Path, PathTimeline } from "@/api/types";
import { HistoryLegend, HistoryStrip } from "./HistoryStrip";
import { MovePath } from "./MovePath";
import classes from "./PathsPage.module.css";
import { REASONS } from "./standby";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { Facts, type Fact } from "@/ui/Facts";
import { Icon } from "@/ui/Icon";
import { Panel } from "@/ui/Panel";
import { clock } from "@/util/time";
import { count, duration, milliseconds } from "@/util/units";
import shell from "./PathTable.module.css";

const DAY_MS = 86_400_000;

export function PathPanel({ path, onClose }: { path: Path; onClose: () => void }) {
  return (
    <aside className={classes.panel} aria-label={`Path of ${path.node}`} data-testid="path-panel">
      <Panel
        title={`${path.node} to ${path.prefix}`}
        aside={
          <button type="button" className={shell.more} aria-label="Close" onClick={onClose}>
            <Icon name="close" size={14} />
          </button>
        }
      >
        <div className={classes.stack}>
          <p>{path.state_text}.</p>
          <Facts facts={factsOf(path)} />
          <MovePath key={path.id} path={path} />
          <ButtonLink href={`/drills?policy=${path.policy_id}&node=${encodeURIComponent(path.node)}`}>
            Run a drill
          </ButtonLink>
          <ButtonLink href={`/paths/between?source=${encodeURIComponent(path.node)}`}>
            Path to another node
          </ButtonLink>
          <History path={path} />
        </div>
      </Panel>
    </aside>
  );
}

function factsOf({
  policy,
  engine,
  managed,
  released,
  deployed,
  switches_24h,
  switches_7d,
  fallback_24h_s,
  failback,
  last_outage,
  detection,
}: Path): Fact[] {
  const facts: Fact[] = [
    ["policy", policy],
    ["engine", managed ? (engine ?? "unknown") : "not managed"],
    ...(released === "" ? [] : ([["released", released]] satisfies Fact[])),
    ["deployed", deployed ? "yes" : "no"],
    ["detection", detection],
    ["switches", `${switches_24h} in 24 h, ${switches_7d} in 7 d`],
    ["on fallback in 24 h", fallback_24h_s === 0 ? "never" : duration(fallback_24h_s)],
  ];
  if (last_outage !== null)
    facts.push(
      ["last outage", `${last_outage.text}, ${clock(last_outage.start)}`],
      ["outage cause", last_outage.cause_text],
      ["measured by", last_outage.measure_text],
    );
  if (failback !== null) facts.push(["failback", failback.text]);
  return facts;
}

function History({ path }: { path: Path }) {
  // The last day before the panel was opened; the live stream refetches it when the path moves.
  const [since] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  const history = useQuery(pathTimelineQuery(path.id, since));
  return (
    <QueryBoundary query={history} what="the path history">
      {(timeline) => (
        <>
          <Strip timeline={timeline} />
          <Decisions decisions={timeline.decisions} />
          {timeline.more_decisions && (
            <p className="dim">Older decisions are not listed: choose a later start.</p>
          )}
        </>
      )}
    </QueryBoundary>
  );
}

function Strip({ timeline }: { timeline: PathTimeline }) {
  return (
    <figure>
      <figcaption className="dim">
        last 24 h, {count(timeline.switches.length, "switch", "switches")}
      </figcaption>
      <HistoryStrip history={timeline} />
      <HistoryLegend />
    </figure>
  );
}

function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  if (decisions.length === 0) return <p className="dim">No checker decisions in this time range.</p>;
  return (
    <ol className={classes.log} aria-label="Checker decisions">
      {decisions.map(({ at, reason, from_gateway, to_gateway, evidence, took_ms, held_back }) => (
        <li key={`${at} ${to_gateway}`}>
          <time className="num dim" dateTime={at}>
            {clock(at)}
          </time>{" "}
          <b>{REASONS[reason]}</b>: {from_gateway || "no gateway"} to {to_gateway || "no gateway"} in{" "}
          {milliseconds(took_ms)}
          {held_back > 0 && `, ${count(held_back, "switch", "switches")} held back`}. {evidence}
        </li>
      ))}
    </ol>
  );
}
