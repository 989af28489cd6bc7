/** Groups of events, one line each: period, state, cause and effects; expands to its events. */
import { useState, type ReactNode } from "react";
import { Anchor } from "@/ui/Anchor";
import classes from "@/ui/lists/EventGroupList.module.css";
import { StateGlyph, type StateName } from "@/ui/StateBadge";
import { clock, period } from "@/util/time";
import { count } from "@/util/units";

export interface EventGroupLine {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly state: StateName;
  /** RFC 3339; no end: ongoing. */
  readonly start: string;
  readonly end: string | null;
  /** IDs of the oldest and the newest event. */
  readonly first_at: string;
  readonly last_at: string;
  readonly events: number;
  readonly url: string;
}

interface Props<T extends EventGroupLine> {
  groups: readonly T[];
  /** Unix seconds: groups of today show only their times. */
  now: number;
  label: string;
  /** Renders the events of an expanded group; without it, a link leads to the events of the period. */
  renderEvents?: (group: T) => ReactNode;
}

export function EventGroupList<T extends EventGroupLine>({ groups, now, label, renderEvents }: Props<T>) {
  return (
    <ol className={classes.list} aria-label={label}>
      {groups.map((group) => (
        <Group key={group.key} group={group} now={now} renderEvents={renderEvents} />
      ))}
    </ol>
  );
}

function Group<T extends EventGroupLine>({
  group,
  now,
  renderEvents,
}: {
  group: T;
  now: number;
  renderEvents: ((group: T) => ReactNode) | undefined;
}) {
  const [open, setOpen] = useState(false);
  const { key, title, detail, state, start, end, events: number, first_at, last_at, url } = group;
  return (
    <li data-group={key} data-state={state}>
      <div className={classes.line}>
        <time
          className={`num dim ${classes.when}`}
          dateTime={start}
          title={`${clock(start)} to ${end === null ? "now" : clock(end)}`}
        >
          {period(start, end, now)}
        </time>
        <span className={classes.state}>
          <StateGlyph state={state} />
          <span className="visually-hidden">{state}</span>
        </span>
        <span className={classes.message}>
          <Anchor href={url} className={classes.title}>
            {title}
          </Anchor>
          {detail !== "" && number > 1 && <span className={classes.detail}>: {detail}</span>}
        </span>
        {renderEvents === undefined ? (
          <Anchor
            href={`/events?view=flat&from=${encodeURIComponent(first_at)}&to=${encodeURIComponent(last_at)}`}
            className={classes.toggle}
          >
            {count(number, "event")}
          </Anchor>
        ) : number > 1 ? (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={open}
            aria-label={`${open ? "Hide" : "Show"} ${count(number, "event")} of ${title}`}
            onClick={() => setOpen(!open)}
          >
            {count(number, "event")} <span aria-hidden="true">{open ? "▴" : "▾"}</span>
          </button>
        ) : (
          <span className={`dim ${classes.single}`}>1 event</span>
        )}
      </div>
      {open && renderEvents !== undefined && <div className={classes.events}>{renderEvents(group)}</div>}
    </li>
  );
}
