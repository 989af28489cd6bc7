/** Events, one line each: time, state, message and kind. */
import { Anchor } from "@/ui/Anchor";
import classes from "@/ui/lists/EventList.module.css";
import { StateGlyph, type StateName } from "@/ui/StateBadge";
import { clock, shortClock } from "@/util/time";

export interface EventLine {
  readonly id: number;
  readonly kind: string;
  readonly state: StateName;
  /** RFC 3339. */
  readonly since: string;
  readonly message: string;
  readonly url: string;
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
          <span className={`dim ${classes.kind}`}>{kind}</span>
        </li>
      ))}
    </ol>
  );
}
