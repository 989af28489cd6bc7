/** Events of the site, newest first; new ones appear live. */
import { Button } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { eventsQuery, nodesQuery, type EventFilter } from "@/api/queries";
import { useParam, useRange, useSite } from "@/api/scope";
import type { EventKind, NetworkEvent } from "@/api/types";
import classes from "./EventsPage.module.css";
import { byDay, KIND_LABELS } from "./kinds";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { EventList } from "@/ui/lists/EventList";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { useClock } from "@/ui/useClock";
import { clock, describe, PRESETS } from "@/util/time";
import { count } from "@/util/units";

const KIND_CHOICES = [
  { value: "" as const, label: "all kinds" },
  ...(Object.entries(KIND_LABELS) as [EventKind, string][]).map(([value, label]) => ({ value, label })),
];

function useFilter() {
  const [kind, setKind] = useParam<EventKind | "">("kind", "");
  const [node, setNode] = useParam("node", "");
  const [q, setQ] = useParam("q", "");
  const [range] = useRange();
  const filter: EventFilter = {
    start: range.from,
    end: range.to,
    ...(kind === "" ? {} : { kind }),
    ...(node === "" ? {} : { node }),
    ...(q === "" ? {} : { q }),
  };
  return { filter, range, kind, setKind, node, setNode, q, setQ };
}

export function EventsPage() {
  const site = useSite();
  const { filter, range, kind, setKind, node, setNode, q, setQ } = useFilter();
  const nodes = useQuery({ ...nodesQuery(site?.name ?? ""), enabled: site !== undefined });
  const events = useInfiniteQuery({ ...eventsQuery(site?.name ?? "", filter), enabled: site !== undefined });
  const items = events.data?.pages.flatMap((page) => page.items) ?? [];
  const total = `${count(items.length, "event")}${events.hasNextPage ? " and more" : ""}`;
  return (
    <>
      <PageHeader
        title="Events"
        headline={events.data === undefined ? "" : `${total} in the ${describe(range)}.`}
      />
      <section className={classes.frame} aria-label="List of events">
        <div className={classes.tools}>
          <TextFilter label="Search" value={q} onChange={setQ} />
          <ChoiceFilter label="Kind" value={kind} choices={KIND_CHOICES} onChange={setKind} />
          <ChoiceFilter
            label="Node"
            value={node}
            onChange={setNode}
            choices={[
              { value: "", label: "all nodes" },
              ...(nodes.data ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
          />
        </div>
        <QueryBoundary query={events} what="the events">
          {() =>
            items.length === 0 ? (
              <None isFiltered={kind !== "" || node !== "" || q !== ""} />
            ) : (
              <Days events={items} />
            )
          }
        </QueryBoundary>
        {events.hasNextPage && (
          <div className={classes.more}>
            <Button
              size="xs"
              variant="default"
              loading={events.isFetchingNextPage}
              onClick={() => void events.fetchNextPage()}
            >
              Load older events
            </Button>
          </div>
        )}
      </section>
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
