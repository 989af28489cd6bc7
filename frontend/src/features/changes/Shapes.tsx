/** Routing changes: nodes with identical changes share an entry, with routes first and file diffs second. */
import { useParam } from "@/api/scope";
import type { Plan, PlanShape } from "@/api/types";
import classes from "./ChangePage.module.css";
import { namesOf } from "./labels";
import { DiffView } from "@/ui/DiffView";
import { Disclosure } from "@/ui/Disclosure";
import { EmptyState } from "@/ui/ErrorState";
import { Panel } from "@/ui/Panel";
import { count } from "@/util/units";
import { DataTable } from "@/ui/table/DataTable";
import type { Column } from "@/ui/table/columns";
import { engines } from "@/util/spec.json";

export function Shapes({ plan: { shapes, counts } }: { plan: Plan }) {
  const [open, setOpen] = useParam("diff", "");
  const opened = new Set(open.split(",").filter(Boolean));
  const toggle = (index: number, shown: boolean) => {
    const next = new Set(opened);
    if (shown) next.add(String(index));
    else next.delete(String(index));
    setOpen([...next].sort().join(","));
  };
  const nodes = counts.waves.reduce((sum, size) => sum + size, 0);
  return (
    <Panel
      title="Route changes"
      aside={
        <span className="dim">
          {count(nodes, "node")}, {count(counts.shapes, "shape")}
        </span>
      }
      flush
    >
      {shapes.length === 0 ? (
        <EmptyState title="No changes.">
          Every node already runs and has saved the intended routes.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label="Route changes">
          {shapes.map((shape, index) => (
            <li key={shape.nodes.join(" ")} className={classes.shape}>
              <Meaning shape={shape} />
              <OmittedFiles count={shape.files_omitted} />
              {shape.files.length > 0 && (
                <Disclosure
                  summary={<span>{shape.files.map(({ path }) => path).join(", ")}, diff</span>}
                  open={opened.has(String(index))}
                  onToggle={(shown) => toggle(index, shown)}
                >
                  {shape.files.map(({ path, diff }) => (
                    <DiffView key={path} path={path} diff={diff} />
                  ))}
                </Disclosure>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Notes files whose texts a large plan leaves out. */
export function OmittedFiles({ count: omitted = 0 }: { count: number | undefined }) {
  if (omitted === 0) return null;
  return <p className="dim">{count(omitted, "changed file")} not shown: the plan is too large.</p>;
}

const ROUTES: readonly Column<PlanShape["differences"][number]>[] = [
  {
    id: "prefix",
    header: "prefix",
    value: ({ prefix }) => prefix,
    cell: ({ prefix }) => <span className="mono">{prefix}</span>,
  },
  {
    id: "before",
    header: "now",
    value: ({ before }) => before.join("; "),
    cell: ({ before, after }) => <Hops hops={before} others={after} kind="removed" />,
  },
  {
    id: "after",
    header: "after, best first",
    value: ({ after }) => after.join("; "),
    cell: ({ before, after }) => <Hops hops={after} others={before} kind="added" />,
  },
];

function Meaning({ shape: { nodes, node_count, engine, differences } }: { shape: PlanShape }) {
  return (
    <>
      <p className={classes.summary}>
        <b>{count(node_count, "node")}</b>
        <span>{namesOf(nodes, node_count)}</span>
        <span className="dim">{engines[engine].label}</span>
      </p>
      {differences.length === 0 ? (
        <p className="dim">No route changes; only the boot file does.</p>
      ) : (
        <DataTable
          isPlain
          label={`Routes of ${nodes.join(", ")}`}
          noun="routes"
          rows={differences}
          columns={ROUTES}
          rowKey={({ prefix }) => prefix}
          empty={null}
        />
      )}
    </>
  );
}

const GLYPHS = { removed: "−", added: "+" } as const;
const SPOKEN = { removed: "removed: ", added: "added: " } as const;

function Hops({
  hops,
  others,
  kind,
}: {
  hops: readonly string[];
  others: readonly string[];
  kind: "removed" | "added";
}) {
  if (hops.length === 0) return <span className="dim">no route</span>;
  return (
    <ol>
      {hops.map((hop) => (
        <li key={hop} className={`mono ${others.includes(hop) ? "" : classes[kind]}`}>
          <span aria-hidden="true">{others.includes(hop) ? "  " : `${GLYPHS[kind]} `}</span>
          {!others.includes(hop) && <span className="visually-hidden">{SPOKEN[kind]}</span>}
          {hop}
        </li>
      ))}
    </ol>
  );
}
