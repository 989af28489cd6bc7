/** Observed failover: active and standby gateways per node, switches and their outage. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { eventsList, pathsList, policiesQuery, recentFailoversQuery } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import type { Path } from "@/api/types";
import { useListPage } from "@/api/useListPage";
import { matrices, pathsHeadline, type Matrix } from "./matrix";
import { MatrixTable } from "./MatrixTable";
import { PathPanel } from "./PathPanel";
import classes from "./PathsPage.module.css";
import { Timeline } from "./Timeline";
import { track } from "./timeline";
import { Anchor } from "@/ui/Anchor";
import { EventGroupList } from "@/ui/lists/EventGroupList";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { ListTools, NoMatch } from "@/ui/table/ListTable";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { describe, span } from "@/util/time";

const EVENTS_READ = 200;

export function PathsPage() {
  const list = useListPage(pathsList, { filters: { policy: "" }, names: { q: "node" } });
  const [selected, setSelected] = useParam("sel", "");
  const site = list.site ?? "";
  const policies = useQuery({ ...policiesQuery(site), enabled: site !== "" });
  const chosen = list.query.data?.find(({ id }) => String(id) === selected);
  return (
    <>
      <PageHeader title="Paths" headline={list.headline(pathsHeadline)}>
        <ListTools
          list={list}
          search="Search by node"
          filters={[
            {
              name: "policy",
              label: "Policy",
              choices: [
                { value: "", label: "all policies" },
                ...(policies.data ?? []).map(({ name }) => ({ value: name, label: name })),
              ],
            },
          ]}
        />
      </PageHeader>
      <QueryBoundary query={list.query} what="the paths">
        {(rows) =>
          rows.length === 0 ? (
            <None isFiltered={list.isFiltered} />
          ) : (
            <div className={classes.page}>
              <div className={classes.split} data-open={chosen !== undefined}>
                <div className={classes.page}>
                  {matrices(rows, policies.data ?? []).map((matrix) => (
                    <MatrixPanel
                      key={matrix.policy}
                      matrix={matrix}
                      selected={chosen?.id ?? null}
                      onSelect={(id) => setSelected(String(id) === selected ? "" : String(id))}
                    />
                  ))}
                  <LoadMore rest={list.rest} />
                </div>
                {chosen !== undefined && <PathPanel path={chosen} onClose={() => setSelected("")} />}
              </div>
              <Failovers site={site} />
              <Switches site={site} paths={rows} />
            </div>
          )
        }
      </QueryBoundary>
    </>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <NoMatch noun="paths" />
  ) : (
    <EmptyState title="No failover policies defined.">
      Create one under Policies, or define it in the site file and import it.
    </EmptyState>
  );
}

interface MatrixProps {
  matrix: Matrix;
  selected: number | null;
  onSelect: (id: number) => void;
}

function MatrixPanel({ matrix, selected, onSelect }: MatrixProps) {
  return (
    <Panel
      title={`${matrix.policy}: to ${matrix.prefix} via ${matrix.gateways.join(", then ")}`}
      aside={
        <span className="dim">{matrix.detection === "" ? "" : `Failure detection: ${matrix.detection}`}</span>
      }
      flush
    >
      {matrix.note !== "" && <p className={classes.note}>{matrix.note}</p>}
      <MatrixTable matrix={matrix} selected={selected} onSelect={onSelect} />
    </Panel>
  );
}

function Failovers({ site }: { site: string }) {
  const [range] = useRange();
  const now = useClock(30_000) / 1000;
  const groups = useQuery(recentFailoversQuery(site, range));
  return (
    <Panel title={`Failovers, ${describe(range)}`} aside={<Anchor href="/events">All events</Anchor>} flush>
      <QueryBoundary query={groups} what="the failovers">
        {({ items, total }) =>
          items.length === 0 ? (
            <p className={classes.none}>No path has moved, died or returned in the {describe(range)}.</p>
          ) : (
            <>
              <EventGroupList groups={items} now={now} label="Failovers by cause" />
              {total > items.length && (
                <p className={classes.none}>
                  <Anchor href="/events">and {total - items.length} more</Anchor>
                </p>
              )}
            </>
          )
        }
      </QueryBoundary>
    </Panel>
  );
}

function Switches({ site, paths }: { site: string; paths: readonly Path[] }) {
  const [range] = useRange();
  const now = useClock(2000) / 1000;
  const events = useInfiniteQuery(
    eventsList(site, { kind: "path.switched", start: range.from, end: range.to, limit: EVENTS_READ }),
  );
  const bounds = span(range, now);
  return (
    <Panel title={`Active gateway history, ${describe(range)}`} flush>
      <QueryBoundary query={events} what="the path switches">
        {({ pages }) => {
          if (bounds === null)
            return <EmptyState title="Invalid time range.">Select another range in the top bar.</EmptyState>;
          const items = pages.flatMap((page) => page.items);
          return (
            <Timeline
              tracks={paths.map((path) => track(path, items, bounds.start, bounds.end))}
              start={bounds.start}
              end={bounds.end}
            />
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}
