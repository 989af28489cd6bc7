/** Drift by node: intended, running and saved state side by side, and plans to restore or adopt. */
import { Button } from "@mantine/core";
import { useLocation, useNavigate } from "react-router";
import { usePropose } from "@/api/change-actions";
import { driftList } from "@/api/failover";
import { carry } from "@/api/scope";
import type { Drift, DriftItem } from "@/api/types";
import { useListPage } from "@/api/useListPage";
import classes from "./DriftPage.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { EmptyState } from "@/ui/ErrorState";
import type { Column } from "@/ui/table/columns";
import { CsvButton } from "@/ui/table/CsvButton";
import { ListTools, NoMatch } from "@/ui/table/ListTable";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

type Direction = "restore" | "adopt";
type Only = "" | "drift" | "reboot";

const CSV: readonly Column<Drift>[] = [
  { id: "node", header: "node", value: ({ node }) => node },
  { id: "engine", header: "engine", value: ({ engine }) => engine },
  { id: "state", header: "state", value: ({ state }) => state },
  { id: "since", header: "since", value: ({ since }) => since },
  { id: "running", header: "running differs", value: ({ running_differs }) => running_differs },
  { id: "saved", header: "saved differs", value: ({ saved_differs }) => saved_differs },
  { id: "reboot", header: "changes on reboot", value: ({ reboot }) => reboot },
  { id: "on_fallback", header: "on fallback", value: ({ on_fallback }) => on_fallback },
  { id: "intended_by", header: "change", value: ({ intended_by }) => intended_by },
  {
    id: "items",
    header: "items",
    value: ({ items }) => items.map(({ what, text }) => `${what} ${text}`).join("; "),
  },
];

const CHOICES: { value: Only; label: string }[] = [
  { value: "", label: "all" },
  { value: "drift", label: "drift" },
  { value: "reboot", label: "changes on reboot" },
];

export function DriftPage() {
  const list = useListPage(driftList, { sort: "urgency", filters: { only: "" }, names: { q: "node" } });
  return (
    <>
      <PageHeader title="Drift" headline={list.headline(driftHeadline)}>
        <ListTools
          list={list}
          search="Search by node"
          filters={[{ name: "only", label: "Show", choices: CHOICES }]}
        />
        <CsvButton
          label="drift"
          of="all matching nodes"
          columns={CSV}
          disabled={list.query.data === undefined || list.query.data.length === 0}
          read={list.all}
        />
      </PageHeader>
      <QueryBoundary query={list.query} what="the drift">
        {(rows) => <Lists site={list.site ?? ""} rows={rows} isFiltered={list.isFiltered} />}
      </QueryBoundary>
      <LoadMore rest={list.rest} />
    </>
  );
}

function Lists({ site, rows, isFiltered }: { site: string; rows: readonly Drift[]; isFiltered: boolean }) {
  const { reboot, other } = grouped(rows);
  if (rows.length === 0 && isFiltered) return <NoMatch noun="nodes" />;
  if (rows.length === 0) {
    return (
      <EmptyState title="No drift.">
        Nodes are compared after a change has deployed a policy on them.{" "}
        <ButtonLink href="/policies">Policies</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <div className={classes.page}>
      {reboot.length > 0 && <List title="Changes on reboot" site={site} rows={reboot} />}
      {other.length > 0 && <List title="Other differences" site={site} rows={other} />}
    </div>
  );
}

function List({ title, site, rows }: { title: string; site: string; rows: readonly Drift[] }) {
  const planned = rows.filter((row) => !isKnown(row));
  return (
    <Panel
      title={title}
      aside={
        planned.length > 1 ? (
          <PlanButtons site={site} nodes={planned.map(({ node }) => node)} which={`all ${planned.length}`} />
        ) : undefined
      }
      flush
    >
      <ul aria-label={title}>
        {rows.map((row) => (
          <li key={row.node} className={classes.node} data-node={row.node} data-reboot={row.reboot}>
            <Head site={site} row={row} />
            {row.items.map((item) => (
              <Item key={`${item.kind} ${item.what}`} item={item} />
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Head({ site, row }: { site: string; row: Drift }) {
  const { node, node_id, engine, since, intended_by } = row;
  const known = isKnown(row);
  return (
    <div className={classes.head}>
      <b>
        <Anchor href={`/devices/${node_id}`}>{node}</Anchor>
      </b>
      <span className="dim">{engine}</span>
      <StateLabel state={known ? "ok" : row.state} label={known ? "on fallback" : whatDiffers(row)} />
      <span>
        for <AgeStamp at={since} />
      </span>
      {intended_by !== null && <Anchor href={`/changes/${intended_by}`}>{`change #${intended_by}`}</Anchor>}
      {!known && (
        <span className={classes.acts}>
          <PlanButtons site={site} nodes={[node]} which={node} />
        </span>
      )}
    </div>
  );
}

const whatDiffers = ({ running_differs, saved_differs }: Drift): string =>
  [running_differs ? "running" : "", saved_differs ? "saved" : ""].filter(Boolean).join(" and ") + " differs";

function PlanButtons({ site, nodes, which }: { site: string; nodes: string[]; which: string }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const propose = usePropose((change) => void navigate(carry(`/changes/${change.id}`, search)));
  const plan = (kind: Direction) =>
    propose.mutate({ site, kind, policies: [], nodes, title: "", reason: "", ticket: "" });
  return (
    <>
      <Button size="compact-xs" variant="default" loading={propose.isPending} onClick={() => plan("restore")}>
        Plan restore<span className="visually-hidden"> ({which})</span>
      </Button>
      <Button size="compact-xs" variant="default" loading={propose.isPending} onClick={() => plan("adopt")}>
        Plan adoption<span className="visually-hidden"> ({which})</span>
      </Button>
    </>
  );
}

function Item({ item }: { item: DriftItem }) {
  const { what, text, reboot, on_fallback } = item;
  return (
    <div className={classes.item} data-what={what}>
      <p>
        <b className="mono">{what}</b> {text}{" "}
        {reboot && <StateLabel state={on_fallback ? "disabled" : "warning"} label="changes on reboot" />}
      </p>
      <div className={classes.sides}>
        {sides(item).map((side) => (
          <div key={side.name} className={classes.side} data-side={side.name} data-differs={side.differs}>
            <span className={classes.name}>
              {side.name} {side.differs && <span className={classes.differs}>≠ differs</span>}
            </span>
            <pre className="mono" role="region" aria-label={`${what}, ${side.name}`} tabIndex={0}>
              {side.text === "" ? "none" : side.text}
            </pre>
          </div>
        ))}
      </div>
    </div>
  );
}

interface DriftGroups {
  /** The running state changes on reboot. */
  readonly reboot: readonly Drift[];
  /** Differences that a reboot does not change. */
  readonly other: readonly Drift[];
}

export const grouped = (rows: readonly Drift[]): DriftGroups => ({
  reboot: rows.filter(({ reboot }) => reboot),
  other: rows.filter(({ reboot }) => !reboot),
});

/** Whether the node only uses a fallback for a known reason, so that no plan is needed. */
export const isKnown = ({ on_fallback, running_differs, saved_differs }: Drift): boolean =>
  on_fallback && !running_differs && !saved_differs;

export function driftHeadline(rows: readonly Drift[]): string {
  const drifted = rows.filter((row) => !isKnown(row)).length;
  const known = rows.length - drifted;
  const reboot = rows.filter((row) => row.reboot).length;
  if (rows.length === 0) return "Every managed node runs and has saved the intended state.";
  const parts = [
    drifted === 0
      ? "No drift"
      : `${count(drifted, "node")} ${drifted === 1 ? "differs" : "differ"} from the intended state`,
  ];
  if (reboot > 0) parts.push(`${reboot} ${reboot === 1 ? "changes" : "change"} on reboot`);
  if (known > 0) parts.push(`${known} on a fallback`);
  return `${parts.join(", ")}.`;
}

interface Column3 {
  readonly name: "intended" | "running" | "saved";
  readonly text: string;
  /** Differs from the intended state. */
  readonly differs: boolean;
}

/** The three sides of an item. A file has no running side; a checker on its fallback is no difference. */
export function sides({ kind, intended, running, saved, on_fallback }: DriftItem): Column3[] {
  const all: Column3[] = [
    { name: "intended", text: intended, differs: false },
    { name: "running", text: running, differs: running !== intended && !on_fallback },
    { name: "saved", text: saved, differs: saved !== intended },
  ];
  return kind === "file" ? all.filter(({ name }) => name !== "running") : all;
}
