/** The path between any two nodes: its hops, and the path under each single failure on it. */
import { useSearchParams } from "react-router";
import {
  useRoutes,
  type NodeRoute,
  type RouteEnds,
  type RouteHop,
  type RoutesBetween,
} from "@/api/models/paths";
import { asApiError } from "@/api/problem";
import { useSite } from "@/api/scope";
import { basisText, chosenRoute, failureText, mapHref, routeHeadline } from "./route";
import { RouteForm, Suggestions } from "./RouteForm";
import classes from "./RoutePage.module.css";
import { FailureTable } from "./FailureTable";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState, ErrorState } from "@/ui/ErrorState";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateBadge } from "@/ui/StateBadge";
import { rate } from "@/util/units";

// `from` and `to` are the time range of every page.
const NAMES = ["source", "destination", "without"] as const;
type Asked = Record<(typeof NAMES)[number], string>;

/** What the URL asks for, and its setter. */
function useAsked(): [Asked, (next: Partial<Asked>) => void] {
  const [params, setParams] = useSearchParams();
  const [source = "", destination = "", without = ""] = NAMES.map((name) => params.get(name) ?? "");
  const change = (next: Partial<Asked>) =>
    setParams((old) => {
      const fresh = new URLSearchParams(old);
      for (const [name, value] of Object.entries(next))
        if (value === "") fresh.delete(name);
        else fresh.set(name, value);
      return fresh;
    });
  return [{ source, destination, without }, change];
}

export function RoutePage() {
  const site = useSite()?.name ?? "";
  const [{ source, destination, without }, change] = useAsked();
  const ends = { source, destination };
  // A failure on another path says nothing about this one.
  const choose = (next: Partial<RouteEnds>) => change({ ...next, without: "" });
  const query = useRoutes(site, ends, without);
  // After an error, the former answer is not the answer to these ends.
  const answer = query.error === null ? query.data : undefined;
  const error = query.error === null ? undefined : asApiError(query.error);
  const isComplete = source !== "" && destination !== "";
  return (
    <>
      <PageHeader
        title="Path between two nodes"
        headline={answer === undefined ? "" : routeHeadline(answer, without)}
      >
        <Anchor href="/paths">All paths</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Ends">
          <RouteForm
            key={`${source} ${destination}`}
            site={site}
            ends={ends}
            unknown={error?.fields ?? {}}
            onChange={choose}
          />
        </Panel>
        {!isComplete && (
          <EmptyState title="Choose two nodes.">
            The address of this page then shows the path to others.
          </EmptyState>
        )}
        {isComplete && error !== undefined && error.status === 404 && (
          <ErrorState title="No such path" message={error.message}>
            {without !== "" && Object.keys(error.fields).length === 0 && (
              <button type="button" className={classes.plain} onClick={() => change({ without: "" })}>
                Show the path without a failure
              </button>
            )}
            <Suggestions site={site} ends={ends} unknown={error.fields} onPick={choose} />
          </ErrorState>
        )}
        {isComplete && error?.status !== 404 && (
          <QueryBoundary query={{ ...query, data: answer }} what="the path">
            {(data) => (
              <Answer answer={data} without={without} onWithout={(next) => change({ without: next })} />
            )}
          </QueryBoundary>
        )}
      </div>
    </>
  );
}

interface AnswerProps {
  answer: RoutesBetween;
  without: string;
  onWithout: (failed: string) => void;
}

function Answer({ answer, without, onWithout }: AnswerProps) {
  const { source, destination, routes } = answer;
  const route = chosenRoute(routes, without);
  const [intact, ...failures] = routes;
  if (route === undefined || intact === undefined) return null;
  return (
    <div className={classes.page}>
      <Panel
        title={failureText(route)}
        aside={
          <span className={classes.tools}>
            {route.failed !== null && (
              <button type="button" className={classes.plain} onClick={() => onWithout("")}>
                Show the path without a failure
              </button>
            )}
            <Anchor
              href={`/paths/between?source=${encodeURIComponent(destination)}&destination=${encodeURIComponent(source)}`}
            >
              Way back
            </Anchor>
            {route.hops.length > 0 && (
              <ButtonLink href={mapHref(answer, route.failed)}>Show on the map</ButtonLink>
            )}
          </span>
        }
      >
        <Summary route={route} />
        <HopList route={route} source={source} />
      </Panel>
      <Panel
        title="Under each single failure on the path"
        aside={<span className="dim">The way back may differ.</span>}
        flush
      >
        <FailureTable routes={failures} selected={route.failed} onSelect={onWithout} />
      </Panel>
    </div>
  );
}

/** Narrowest rate and MTU of the whole path, or why nothing arrives. */
function Summary({ route }: { route: NodeRoute }) {
  if (route.outcome !== "delivered")
    return (
      <p className={classes.lost} role="status" data-outcome={route.outcome}>
        {route.outcome === "loop" ? "Loop" : "No path"}: {route.reason}
      </p>
    );
  const { narrowest } = route;
  return (
    <div data-outcome={route.outcome}>
      <Facts
        facts={[
          ["narrowest rate", route.usable_rate === null ? "unknown" : rate(route.usable_rate)],
          [
            "narrowest link",
            narrowest === null ? (
              "unknown"
            ) : (
              <Anchor key="narrowest" href={`/links/${narrowest.link}`}>
                {narrowest.link_name}
              </Anchor>
            ),
          ],
          ["MTU", route.mtu === null ? "unknown" : `${route.mtu} bytes`],
          ["hops", String(route.hops.length)],
        ]}
      />
    </div>
  );
}

/** Nodes and media from top to bottom, and the link between each two. */
function HopList({ route, source }: { route: NodeRoute; source: string }) {
  const { hops, narrowest } = route;
  const first = hops[0];
  if (first === undefined)
    return route.outcome === "delivered" ? (
      <p className="dim">{source} sends to itself: no link is used.</p>
    ) : null;
  return (
    <ol className={classes.hops} aria-label="Hops">
      <Vertex end={first.start} />
      {hops.map((hop) => (
        <Hop key={hop.link} hop={hop} isNarrowest={hop.link === narrowest?.link} />
      ))}
    </ol>
  );
}

function Vertex({ end: { kind, id, name } }: { end: RouteHop["start"] }) {
  return (
    <li className={classes.vertex} data-vertex={name}>
      <Anchor href={kind === "fabric" ? `/fabrics/${id}` : `/devices/${id}`}>{name}</Anchor>
      {kind === "fabric" && <span className="dim"> shared medium</span>}
    </li>
  );
}

function Hop({ hop, isNarrowest }: { hop: RouteHop; isNarrowest: boolean }) {
  const ports = [hop.start.port, hop.end.port].filter((port) => port !== "");
  return (
    <>
      <li className={classes.hop} data-link={hop.link} data-narrowest={isNarrowest}>
        <span>
          <Anchor href={`/links/${hop.link}`} title={hop.link_name}>
            {ports.join(" → ")}
          </Anchor>{" "}
          <span className="dim">{hop.fabric}</span>
        </span>
        <span className="num">
          {hop.usable_rate === null ? "rate unknown" : rate(hop.usable_rate)}
          {isNarrowest && <b> narrowest</b>}
        </span>
        <span className="num">{hop.mtu === null ? "MTU unknown" : `MTU ${hop.mtu}`}</span>
        <span>ARP {hop.arp.replaceAll("_", " ")}</span>
        <StateBadge state={hop.state} text={hop.state_text} />
        <span className="dim">{basisText(hop)}</span>
      </li>
      <Vertex end={hop.end} />
    </>
  );
}
