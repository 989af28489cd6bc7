/** Events of the site, newest first: grouped by cause, or one by one. New ones appear live. */
import { SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { rowsOf } from "@/api/list-query";
import { eventGroupsList, eventsList, nodesList } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import type { EventGroup, EventKind, NetworkEvent } from "@/api/types";
import { useListPage } from "@/api/useListPage";
import { useNames } from "@/api/useNames";
import classes from "./EventsPage.module.css";
import { QueryBoundary, type QueryState } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { EventGroupList } from "@/ui/lists/EventGroupList";
import { EventList } from "@/ui/lists/EventList";
import { NamePicker } from "@/ui/NamePicker";
import { ListFrame, ListTools, type ListState } from "@/ui/table/ListTable";
import type { Column } from "@/ui/table/columns";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { useClock } from "@/ui/useClock";
import { event_kinds } from "@/util/spec.json";
import { clock, describe, PRESETS } from "@/util/time";
import { count } from "@/util/units";

const KIND_CHOICES = [
  { value: "" as const, label: "all kinds" },
  ...event_kinds.map(({ kind, label }) => ({ value: kind as EventKind, label })),
];
const VIEWS = [
  { value: "grouped", label: "Grouped" },
  { value: "flat", label: "All events" },
];
const OPENED = 200;

const EVENT_CSV: readonly Column<NetworkEvent>[] = [
  { id: "since", header: "time", value: ({ since }) => since },
  { id: "kind", header: "kind", value: ({ kind }) => kind },
  { id: "state", header: "state", value: ({ state }) => state },
  { id: "node", header: "node", value: ({ node }) => node },
  { id: "message", header: "message", value: ({ message }) => message },
  { id: "incident_id", header: "incident", value: ({ incident_id }) => incident_id },
];
const GROUP_CSV: readonly Column<EventGroup>[] = [
  { id: "first_at", header: "first", value: ({ first_at }) => first_at },
  { id: "last_at", header: "last", value: ({ last_at }) => last_at },
  { id: "title", header: "title", value: ({ title }) => title },
  { id: "detail", header: "detail", value: ({ detail }) => detail },
  { id: "state", header: "state", value: ({ state }) => state },
  { id: "events", header: "events", value: ({ events }) => events },
  { id: "paths", header: "paths", value: ({ paths }) => paths },
  { id: "rerouted", header: "rerouted", value: ({ rerouted }) => rerouted },
  { id: "dead", header: "dead", value: ({ dead }) => dead },
  {
    id: "outage",
    header: "outage",
    csvHeader: "outage (s)",
    value: ({ outage_ms }) => (outage_ms === null ? null : outage_ms / 1000),
  },
  { id: "incident_id", header: "incident", value: ({ incident_id }) => incident_id },
];

/** Rows by day (`2026-05-01`) in their order. */
function byDay<T>(rows: readonly T[], day: (row: T) => string): [string, T[]][] {
  return [...Map.groupBy(rows, day)];
}

type View = "grouped" | "flat";
type Filter = "kind" | "node";

export function EventsPage() {
  const [view, setView] = useParam<View>("view", "grouped");
  return view === "flat" ? <Flat onView={setView} /> : <Grouped onView={setView} />;
}

interface ViewProps {
  onView: (view: View) => void;
}

function useRangeOptions() {
  const [range] = useRange();
  return { filters: { kind: "", node: "" }, fixed: { start: range.from, end: range.to } };
}

function Grouped({ onView }: ViewProps) {
  const list = useListPage(eventGroupsList, useRangeOptions());
  const now = useClock(30_000) / 1000;
  const { values } = list;
  return (
    <Frame list={list} noun="group" csv={GROUP_CSV} view="grouped" onView={onView}>
      {(groups) =>
        byDay(groups, ({ last_at }) => clock(last_at).slice(0, 10)).map(([day, of]) => (
          <section key={day} aria-label={day}>
            <h2 className={`num ${classes.day}`}>{day}</h2>
            <EventGroupList
              groups={of}
              now={now}
              label={`Groups of events of ${day}`}
              renderEvents={(group) => <Members site={list.site ?? ""} group={group} filters={values} />}
            />
          </section>
        ))
      }
    </Frame>
  );
}

function Flat({ onView }: ViewProps) {
  const list = useListPage(eventsList, useRangeOptions());
  return (
    <Frame list={list} noun="event" csv={EVENT_CSV} view="flat" onView={onView}>
      {(events) => <Days events={events} />}
    </Frame>
  );
}

interface FrameProps<T> extends ViewProps {
  list: ListState<T, Filter> & { site: string | undefined; query: QueryState<T[]> };
  noun: string;
  csv: readonly Column<T>[];
  view: View;
  children: (rows: readonly T[]) => React.ReactNode;
}

function Frame<T>({ list, noun, csv, view, onView, children }: FrameProps<T>) {
  const [range] = useRange();
  const { names, search } = useNames(nodesList, list.site, ({ name }) => name);
  const { query, rest, isFiltered } = list;
  const total = `${count(query.data?.length ?? 0, noun)}${rest === undefined ? "" : " and more"}`;
  return (
    <>
      <PageHeader
        title="Events"
        headline={query.data === undefined ? "" : `${total} in the ${describe(range)}.`}
      />
      <ListFrame
        list={list}
        noun={noun === "event" ? "events" : "event groups"}
        csv={csv}
        tools={
          <>
            <SegmentedControl
              size="xs"
              aria-label="View"
              value={view}
              data={VIEWS}
              onChange={(value) => onView(value as View)}
            />
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
        {(rows) => (rows.length === 0 ? <None isFiltered={isFiltered} /> : children(rows))}
      </ListFrame>
    </>
  );
}

interface MembersProps {
  site: string;
  group: EventGroup;
  filters: Readonly<Record<Filter | "q" | "sort", string>>;
}

/** The events of one group, with the filters of the page. */
function Members({ site, group, filters: { q, kind, node } }: MembersProps) {
  const now = useClock(30_000) / 1000;
  const { key, first_at, last_at, title } = group;
  const events = useInfiniteQuery(
    eventsList(site, {
      group: key,
      start: first_at,
      end: last_at,
      limit: OPENED,
      ...(q === "" ? {} : { q }),
      ...(kind === "" ? {} : { kind: kind as EventKind }),
      ...(node === "" ? {} : { node }),
    }),
  );
  return (
    <QueryBoundary query={events} what="the events of the group">
      {(pages) => (
        <>
          <EventList events={rowsOf(pages)} now={now} label={`Events of ${title}`} />
          <LoadMore
            rest={
              events.hasNextPage
                ? {
                    isLoading: events.isFetchingNextPage,
                    isFailed: events.isFetchNextPageError,
                    load: () => void events.fetchNextPage(),
                  }
                : undefined
            }
          />
        </>
      )}
    </QueryBoundary>
  );
}

function Days({ events }: { events: readonly NetworkEvent[] }) {
  const now = useClock(30_000) / 1000;
  return byDay(events, ({ since }) => clock(since).slice(0, 10)).map(([day, of]) => (
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
