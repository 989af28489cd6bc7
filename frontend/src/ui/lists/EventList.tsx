/** Events, one line each: time, state, message and kind. */
import type { ReactNode } from "react";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import classes from "@/ui/lists/EventList.module.css";
import { Panel } from "@/ui/Panel";
import { QueryBoundary, type QueryState } from "@/ui/QueryBoundary";
import { StateGlyph, type StateName } from "@/ui/StateBadge";
import { useClock } from "@/ui/useClock";
import { event_kinds } from "@/util/spec.json";
import { clock, shortClock } from "@/util/time";

interface EventLine {
  readonly id: number;
  readonly kind: string;
  readonly state: StateName;
  /** RFC 3339. */
  readonly since: string;
  readonly message: string;
  readonly url: string;
}

const LABELS: ReadonlyMap<string, string> = new Map(event_kinds.map(({ kind, label }) => [kind, label]));

/** `incident opened` of the kind `incident.opened`. */
export const eventLabel = (kind: string): string => LABELS.get(kind) ?? kind;

/** The newest events of one object. */
export function EventsPanel({
  query,
  most,
  label,
  aside,
}: {
  query: QueryState<EventLine[]>;
  most: number;
  label: string;
  aside?: ReactNode;
}) {
  const now = useClock(30_000) / 1000;
  return (
    <Panel title="Events" aside={aside} flush>
      <QueryBoundary query={query} what="the events">
        {(events) =>
          events.length === 0 ? (
            <EmptyState title="No events." />
          ) : (
            <EventList events={events.slice(0, most)} now={now} label={label} />
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

/** `now` in Unix seconds: events of today show only their time. */
export function EventList({
  events,
  now,
  label,
}: {
  events: readonly EventLine[];
  now: number;
  label: string;
}) {
  return (
    <ol className={classes.list} aria-label={label}>
      {events.map(({ id, kind, state, since, message, url }) => (
        <li key={id} className={classes.event} data-kind={kind} data-event-id={id}>
          <time className={`num dim ${classes.when}`} dateTime={since} title={clock(since)}>
            {shortClock(since, now)}
          </time>
          <span className={classes.state}>
            <StateGlyph state={state} />
            <span className="visually-hidden">{state}</span>
          </span>
          <Anchor href={url} className={classes.message}>
            {message}
          </Anchor>
          <span className={`dim ${classes.kind}`}>{eventLabel(kind)}</span>
        </li>
      ))}
    </ol>
  );
}
