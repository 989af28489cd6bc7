/** Observed failover: active and standby gateways per node, switches and their outage. */
import { useQuery } from "@tanstack/react-query";
import { pathHistoriesQuery } from "@/api/failover";
import { pathsList, policiesQuery, recentFailoversQuery } from "@/api/queries";
import { useParam, useRange } from "@/api/scope";
import type { Path } from "@/api/types";
import { useListPage } from "@/api/useListPage";
import { matrices, pathsHeadline, type Matrix } from "./matrix";
import { MatrixTable } from "./MatrixTable";
import { PathPanel } from "./PathPanel";
import classes from "./PathsPage.module.css";
import { Timeline } from "./Timeline";
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

/** Maximum number of path histories drawn at once. */
const MOST_HISTORIES = 200;
const SORTABLE = ["last_outage_ms"].map((id) => ({ id, sortable: true }));

export function PathsPage() {
  const list = useListPage(pathsList, { columns: SORTABLE, filters: { policy: "" }, names: { q: "node" } });
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
                      sort={list.values.sort}
                      onSort={(sort) => list.set("sort", sort)}
                      onSelect={(id) => setSelected(String(id) === selected ? "" : String(id))}
                    />
                  ))}
                  <LoadMore rest={list.rest} />
                </div>
                {chosen !== undefined && <PathPanel path={chosen} onClose={() => setSelected("")} />}
              </div>
              <Failovers site={site} />
              <History site={site} paths={rows} />
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
  sort: string;
  onSort: (sort: string) => void;
  onSelect: (id: number) => void;
}

function MatrixPanel({ matrix, ...rest }: MatrixProps) {
  const isDraft = matrix.rows.every(({ in_force }) => !in_force);
  return (
    <Panel
      title={`${matrix.policy}${isDraft ? " (draft, not deployed)" : ""}: to ${matrix.prefix} via ${matrix.gateways.join(", then ")}`}
      aside={
        <span className="dim">{matrix.detection === "" ? "" : `Failure detection: ${matrix.detection}`}</span>
      }
      flush
    >
      {matrix.note !== "" && <p className={classes.note}>{matrix.note}</p>}
      <MatrixTable matrix={matrix} {...rest} />
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

function History({ site, paths }: { site: string; paths: readonly Path[] }) {
  const [range] = useRange();
  const now = useClock(2000) / 1000;
  const shown = paths.slice(0, MOST_HISTORIES);
  const histories = useQuery(
    pathHistoriesQuery(
      site,
      shown.map(({ id }) => id),
      range,
    ),
  );
  const bounds = span(range, now);
  return (
    <Panel title={`Active gateway history, ${describe(range)}`} flush>
      {bounds === null ? (
        <EmptyState title="Invalid time range.">Select another range in the top bar.</EmptyState>
      ) : (
        <QueryBoundary query={histories} what="the path history">
          {(found) => (
            <Timeline
              tracks={shown.flatMap((path) => {
                const history = found.find(({ path_id }) => path_id === path.id);
                return history === undefined ? [] : [{ path, history }];
              })}
              start={Date.parse(found[0]?.since ?? "") / 1000 || bounds.start}
              end={Date.parse(found[0]?.until ?? "") / 1000 || bounds.end}
            />
          )}
        </QueryBoundary>
      )}
    </Panel>
  );
}
