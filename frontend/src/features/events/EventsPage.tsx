/** Events of the site, newest first; new ones appear live. */
import { eventsList, nodesList } from "@/api/queries";
import { useRange } from "@/api/scope";
import type { EventKind, NetworkEvent } from "@/api/types";
import { useListPage } from "@/api/useListPage";
import { useNames } from "@/api/useNames";
import classes from "./EventsPage.module.css";
import { byDay, KIND_LABELS } from "./kinds";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { NamePicker } from "@/ui/NamePicker";
import { ListFrame, ListTools } from "@/ui/table/ListTable";
import { PageHeader } from "@/ui/PageHeader";
import { useClock } from "@/ui/useClock";
import { clock, describe, PRESETS } from "@/util/time";
import { count } from "@/util/units";

const KIND_CHOICES = [
  { value: "" as const, label: "all kinds" },
  ...(Object.entries(KIND_LABELS) as [EventKind, string][]).map(([value, label]) => ({ value, label })),
];

export function EventsPage() {
  const [range] = useRange();
  const list = useListPage(eventsList, {
    filters: { kind: "", node: "" },
    fixed: { start: range.from, end: range.to },
  });
  const { names, search } = useNames(nodesList, list.site, ({ name }) => name);
  const { query, rest, isFiltered } = list;
  const total = `${count(query.data?.length ?? 0, "event")}${rest === undefined ? "" : " and more"}`;
  return (
    <>
      <PageHeader
        title="Events"
        headline={query.data === undefined ? "" : `${total} in the ${describe(range)}.`}
      />
      <ListFrame
        list={list}
        noun="events"
        tools={
          <>
            <ListTools
              list={list}
              search="Search"
              filters={[{ name: "kind", label: "Kind", choices: KIND_CHOICES }]}
            />
            <NamePicker
              aria-label="Node"
              placeholder="All nodes"
              value={list.values.node}
              names={names}
              onSearch={search}
              onPick={(name) => list.set("node", name)}
            />
          </>
        }
      >
        {(events) => (events.length === 0 ? <None isFiltered={isFiltered} /> : <Days events={events} />)}
      </ListFrame>
    </>
  );
}

function Days({ events }: { events: readonly NetworkEvent[] }) {
  const now = useClock(30_000) / 1000;
  return byDay(events, (since) => clock(since).slice(0, 10)).map(([day, of]) => (
    <section key={day} aria-label={day}>
      <h2 className={`num ${classes.day}`}>{day}</h2>
      <EventList events={of} now={now} label={`Events of ${day}`} />
    </section>
  ));
}

function None({ isFiltered }: { isFiltered: boolean }) {
  const longest = PRESETS.at(-1);
  return (
    <EmptyState title={isFiltered ? "No events match these filters." : "No events in this time range."}>
      {isFiltered
        ? "Clear a filter or select a longer time range in the top bar."
        : `Select a longer time range in the top bar, up to the ${longest?.text ?? "longest"}.`}
    </EmptyState>
  );
}
