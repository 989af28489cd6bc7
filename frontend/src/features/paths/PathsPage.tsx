/** Observed failover: which gateway each node uses, in groups or node by node; failovers and their history. */
import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PATHS } from "@/api/models/list-pages";
import { pathGroupsList, pathQuery, type PathGroup } from "@/api/models/paths";
import { pathsList, policiesQuery } from "@/api/queries";
import { type Past, useParam, usePast } from "@/api/scope";
import { useListPage, usePages } from "@/api/useListPage";
import { GROUP_COLUMNS, NODE_COLUMNS, ofGroups, type PathColumn } from "./columns";
import { pathsHeadline, total, type Counted } from "./headline";
import { PathPanel } from "./PathPanel";
import classes from "./PathsPage.module.css";
import { GroupRows, LongPathTable, PathTable } from "./PathTable";
import { Failovers, History } from "./RecentFailovers";
import { ButtonLink } from "@/ui/ButtonLink";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { EmptyState } from "@/ui/ErrorState";
import { ColumnChooser } from "@/ui/table/ColumnChooser";
import type { Column } from "@/ui/table/columns";
import { CsvButton } from "@/ui/table/CsvButton";
import { arrange, parseLayout } from "@/ui/table/layout";
import { type ListState, ListTools, NoMatch } from "@/ui/table/ListTable";
import { LoadMore } from "@/ui/table/LoadMore";
import { PageHeader } from "@/ui/PageHeader";
import { count } from "@/util/units";

/** Paths of an open group that are loaded at once. */
const MOST_MEMBERS = 100;
const STATES = ["critical", "warning", "unknown", "ok"];

/** Lists of the moment at which the time range ends. */
const fixedTo = (past: Past | null) => (past === null ? {} : { fixed: { at: past.at } });

type View = "groups" | "nodes";

export function PathsPage() {
  const [view] = useParam<View>("view", "groups");
  return view === "nodes" ? <EachPath /> : <GroupedPaths />;
}

function GroupedPaths() {
  const past = usePast();
  const list = useListPage(pathGroupsList, { ...PATHS, columns: GROUP_COLUMNS, ...fixedTo(past) });
  const [open, setOpen] = useParam("open", "");
  const [selected, select] = useSelection();
  const columns = arrange(GROUP_COLUMNS, parseLayout(list.layout.text, GROUP_COLUMNS));
  const { q, policy, state } = list.values;
  // Without the placeholder of lists: the paths of another group are not those of this one.
  const { placeholderData: _, ...options } = pathsList(list.site ?? "", {
    group: open,
    sort: "node",
    limit: MOST_MEMBERS,
    ...(q === "" ? {} : { q }),
    ...(policy === "" ? {} : { policy }),
    ...(state === "" ? {} : { state: state as PathGroup["state"] }),
    ...(past === null ? {} : { at: past.at }),
  });
  const members = usePages(options, list.site !== undefined && open !== "");
  const isOpen = (group: PathGroup) => group.key === open;
  return (
    <Frame list={list} noun="group" columns={GROUP_COLUMNS} csv={ofGroups(columns)}>
      {(groups) => (
        <>
          <Split selected={selected} onClose={() => select(selected)}>
            <PathTable columns={columns} sort={list.values.sort} onSort={(sort) => list.set("sort", sort)}>
              <GroupRows
                columns={columns}
                groups={groups}
                open={open}
                onOpen={setOpen}
                members={members.query.data}
                rest={members.rest}
                error={members.query.error}
                selected={selected}
                onSelect={select}
              />
            </PathTable>
            <LoadMore rest={list.rest} />
          </Split>
          <Failovers site={list.site ?? ""} />
          <History
            site={list.site ?? ""}
            paths={[
              ...groups.flatMap(({ only }) => (only === null ? [] : [only])),
              ...(groups.some(isOpen) ? (members.query.data ?? []) : []),
            ]}
            hint={groups.some((group) => group.only === null && !isOpen(group))}
          />
        </>
      )}
    </Frame>
  );
}

function EachPath() {
  const list = useListPage(pathsList, { ...PATHS, columns: NODE_COLUMNS, ...fixedTo(usePast()) });
  const columns = arrange(NODE_COLUMNS, parseLayout(list.layout.text, NODE_COLUMNS));
  const [selected, select] = useSelection();
  return (
    <Frame list={list} noun="path" columns={NODE_COLUMNS} csv={columns}>
      {(paths) => (
        <>
          <Split selected={selected} onClose={() => select(selected)}>
            <LongPathTable
              columns={columns}
              sort={list.values.sort}
              onSort={(sort) => list.set("sort", sort)}
              paths={paths}
              rest={list.rest}
              selected={selected}
              onSelect={select}
            />
            <LoadMore rest={list.rest} />
          </Split>
          <Failovers site={list.site ?? ""} />
          <History site={list.site ?? ""} paths={paths} hint={false} />
        </>
      )}
    </Frame>
  );
}

/** Id of the path whose panel is open, in the URL; selecting it again closes the panel, which has no past. */
function useSelection(): [number | null, (id: number | null) => void] {
  const [text, setText] = useParam("sel", "");
  const past = usePast();
  const id = past === null && /^\d+$/.test(text) ? Number(text) : null;
  return [id, (next) => setText(next === id ? "" : String(next))];
}

type PathList<Row> = ListState<Row, keyof (typeof PATHS)["filters"]> & { readonly site: string | undefined };

interface FrameProps<Row> {
  list: PathList<Row>;
  /** What a row is. */
  noun: "group" | "path";
  /** All that can be shown. */
  columns: readonly PathColumn[];
  /** Those of the CSV. */
  csv: readonly Column<Row>[];
  children: (rows: Row[]) => ReactNode;
}

/** Headline and filters, which both views share. */
function Frame<Row extends Counted>({ list, noun, columns, csv, children }: FrameProps<Row>) {
  const [view, setView] = useParam<View>("view", "groups");
  const site = list.site ?? "";
  const policies = useQuery({ ...policiesQuery(site), enabled: site !== "" });
  const named = (any: string, values: readonly string[]) => [
    { value: "", label: any },
    ...values.map((value) => ({ value, label: value })),
  ];
  return (
    <>
      <PageHeader title="Paths" headline={headlineOf(list, noun)}>
        <ListTools
          list={list}
          search="Search by node"
          filters={[
            {
              name: "policy",
              label: "Policy",
              choices: named(
                "all policies",
                (policies.data ?? []).map(({ name }) => name),
              ),
            },
            { name: "state", label: "State", choices: named("any state", STATES) },
          ]}
        />
        <SegmentedControl
          size="xs"
          aria-label="Rows"
          value={view}
          onChange={(value) => setView(value as View)}
          data={[
            { value: "groups", label: "Groups" },
            { value: "nodes", label: "Nodes" },
          ]}
        />
        <ColumnChooser columns={columns} layout={list.layout} />
        <CsvButton
          label={`${noun}s of ${site}`}
          of={`all matching ${noun}s`}
          columns={csv}
          disabled={list.query.data === undefined || list.query.data.length === 0}
          read={list.all}
        />
        <ButtonLink href="/paths/between">Between two nodes</ButtonLink>
      </PageHeader>
      <QueryBoundary query={list.query} what="the paths">
        {(rows) =>
          rows.length === 0 ? (
            <None isFiltered={list.isFiltered} />
          ) : (
            <div className={classes.page}>{children(rows)}</div>
          )
        }
      </QueryBoundary>
    </>
  );
}

/** Of the loaded rows; of a filtered list only their number. */
function headlineOf<Row extends Counted>({ query, rest, isFiltered }: PathList<Row>, noun: string): string {
  const rows = query.data;
  if (rows === undefined) return "";
  const groups = noun === "group" ? ` in ${count(rows.length, "group")}` : "";
  const paths = count(total(rows), "path");
  if (isFiltered) return `${rest === undefined ? "" : "More than "}${paths}${groups}.`;
  return rest === undefined ? pathsHeadline(rows) : `Of the first ${paths}: ${pathsHeadline(rows)}`;
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

interface SplitProps {
  selected: number | null;
  onClose: () => void;
  children: ReactNode;
}

/** The table, and the panel of the selected path next to it. */
function Split({ selected, onClose, children }: SplitProps) {
  return (
    <div className={classes.split} data-open={selected !== null}>
      <div className={classes.page}>{children}</div>
      {selected !== null && <Selected id={selected} onClose={onClose} />}
    </div>
  );
}

function Selected({ id, onClose }: { id: number; onClose: () => void }) {
  const path = useQuery(pathQuery(id));
  return (
    <QueryBoundary query={path} what="the path">
      {(data) => <PathPanel path={data} onClose={onClose} />}
    </QueryBoundary>
  );
}
