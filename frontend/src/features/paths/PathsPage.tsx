/** Observed failover: active and standby gateways per node, switches and their outage. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { eventsQuery, pathsQuery, policiesQuery } from "@/api/queries";
import { useParam, useRange, useSite } from "@/api/scope";
import type { Path } from "@/api/types";
import { matrices, pathsHeadline, type Matrix } from "./matrix";
import { MatrixTable } from "./MatrixTable";
import { PathPanel } from "./PathPanel";
import classes from "./PathsPage.module.css";
import { Timeline } from "./Timeline";
import { track } from "./timeline";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { useClock } from "@/ui/useClock";
import { describe, span } from "@/util/time";

const EVENTS_READ = 200;

export function PathsPage() {
  const site = useSite();
  const enabled = site !== undefined;
  const name = site?.name ?? "";
  const [policy, setPolicy] = useParam("policy", "");
  const [node, setNode] = useParam("node", "");
  const [selected, setSelected] = useParam("sel", "");
  const paths = useQuery({ ...pathsQuery(name), enabled });
  const policies = useQuery({ ...policiesQuery(name), enabled });
  const isVisible = (path: Path) => (policy === "" || path.policy === policy) && path.node.includes(node);
  return (
    <>
      <PageHeader title="Paths" headline={paths.data === undefined ? "" : pathsHeadline(paths.data)}>
        <TextFilter label="Filter by node" value={node} onChange={setNode} />
        <ChoiceFilter
          label="Policy"
          value={policy}
          onChange={setPolicy}
          choices={[
            { value: "", label: "all policies" },
            ...(policies.data ?? []).map((one) => ({ value: one.name, label: one.name })),
          ]}
        />
      </PageHeader>
      <QueryBoundary query={paths} what="the paths">
        {(rows) => {
          const visible = rows.filter(isVisible);
          const chosen = rows.find(({ id }) => String(id) === selected);
          if (rows.length === 0)
            return (
              <EmptyState title="No failover policies defined.">
                Create one under Policies, or define it in the site file and import it.
              </EmptyState>
            );
          if (visible.length === 0)
            return (
              <EmptyState title="No paths match these filters.">
                Clear a filter to see all {rows.length}.
              </EmptyState>
            );
          return (
            <div className={classes.page}>
              <div className={classes.split} data-open={chosen !== undefined}>
                <div className={classes.page}>
                  {matrices(visible, policies.data ?? []).map((matrix) => (
                    <MatrixPanel
                      key={matrix.policy}
                      matrix={matrix}
                      selected={chosen?.id ?? null}
                      onSelect={(id) => setSelected(String(id) === selected ? "" : String(id))}
                    />
                  ))}
                </div>
                {chosen !== undefined && <PathPanel path={chosen} onClose={() => setSelected("")} />}
              </div>
              <Switches site={name} paths={visible} />
            </div>
          );
        }}
      </QueryBoundary>
    </>
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

function Switches({ site, paths }: { site: string; paths: readonly Path[] }) {
  const [range] = useRange();
  const now = useClock(2000) / 1000;
  const events = useInfiniteQuery(
    eventsQuery(site, { kind: "path.switched", start: range.from, end: range.to }, EVENTS_READ),
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
