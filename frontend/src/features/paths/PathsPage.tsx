/** Failover as it is observed: who carries whom, what stands ready, what moved and what it cost. */
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
import { useNow } from "@/ui/useNow";
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
  const isShown = (path: Path) => (policy === "" || path.policy === policy) && path.node.includes(node);
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
          const shown = rows.filter(isShown);
          const chosen = rows.find(({ id }) => String(id) === selected);
          if (rows.length === 0)
            return (
              <EmptyState title="No failover policy yet.">
                Make one under Policies: name nodes, a destination and gateways in order of preference. Or
                keep it in the site file, and import that.
              </EmptyState>
            );
          if (shown.length === 0)
            return (
              <EmptyState title="No path passes these filters.">
                Clear a filter to see more of the {rows.length}.
              </EmptyState>
            );
          return (
            <div className={classes.page}>
              <div className={classes.split} data-open={chosen !== undefined}>
                <div className={classes.page}>
                  {matrices(shown, policies.data ?? []).map((matrix) => (
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
              <Switches site={name} paths={shown} />
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
        <span className="dim">
          {matrix.detection === "" ? "" : `dead gateways noticed by ${matrix.detection}`}
        </span>
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
  const now = useNow(2000) / 1000;
  const events = useInfiniteQuery(
    eventsQuery(site, { kind: "path.switched", start: range.from, end: range.to }, EVENTS_READ),
  );
  const bounds = span(range, now);
  return (
    <Panel title={`Who carried, ${describe(range)}`} flush>
      <QueryBoundary query={events} what="the path switches">
        {({ pages }) => {
          if (bounds === null)
            return <EmptyState title="This is no range of time.">Choose another in the top bar.</EmptyState>;
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
