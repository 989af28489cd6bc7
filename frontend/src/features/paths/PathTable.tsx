/** Paths as one table: a row per path, or a row per group that opens into its paths. */
import { useRef, type ReactNode, type Ref } from "react";
import type { PathGroup } from "@/api/models/paths";
import type { Path } from "@/api/types";
import { marksOf, type PathColumn } from "./columns";
import classes from "./PathTable.module.css";
import { usePast } from "@/api/scope";
import { Anchor } from "@/ui/Anchor";
import type { Rest } from "@/ui/table/columns";
import { LoadMore } from "@/ui/table/LoadMore";
import { RowBlock } from "@/ui/table/RowBlock";
import { useVisibleRows } from "@/ui/table/useVisibleRows";
import { useClock } from "@/ui/useClock";
import { clock, shortClock } from "@/util/time";

/** Names first ascending, numbers first descending; then the other direction, then the list's own order. */
export function nextSort(sort: string, field: string, isNumber: boolean): string {
  const order = isNumber ? [`-${field}`, field] : [field, `-${field}`];
  return order[order.indexOf(sort) + 1] ?? "";
}

interface TableProps {
  columns: readonly PathColumn[];
  sort: string;
  onSort: (sort: string) => void;
  /** Rows with the header; -1: more can be loaded; undefined: all are rendered. */
  rowCount?: number | undefined;
  body?: Ref<HTMLTableSectionElement>;
  children: ReactNode;
}

export function PathTable({ columns, sort, onSort, rowCount, body, children }: TableProps) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label="Table of paths">
      <table className={classes.table} aria-label="Paths" aria-rowcount={rowCount}>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </div>
  );
}

function classesOf({ align, wide = false }: PathColumn): string {
  return [align === "right" ? classes.figure : "", wide ? classes.wide : ""].filter(Boolean).join(" ");
}

function HeaderCell({ column, sort, onSort }: { column: PathColumn } & Pick<TableProps, "sort" | "onSort">) {
  const { id, header, sortable = false, align } = column;
  const direction = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  return (
    <th scope="col" className={classesOf(column)} aria-sort={sortable ? direction : undefined}>
      {sortable ? (
        <button
          type="button"
          className={classes.sort}
          onClick={() => onSort(nextSort(sort, id, align === "right" || id === "paths"))}
        >
          {header}{" "}
          <span aria-hidden="true">
            {direction === undefined ? "" : direction === "ascending" ? "▲" : "▼"}
          </span>
        </button>
      ) : (
        header
      )}
    </th>
  );
}

/** The cells after the first. */
function Cells({
  columns,
  content,
}: {
  columns: readonly PathColumn[];
  content: (column: PathColumn) => ReactNode;
}) {
  return columns.slice(1).map((column) => (
    <td key={column.id} className={classesOf(column)}>
      {content(column)}
    </td>
  ));
}

interface RowsProps {
  columns: readonly PathColumn[];
  /** Id of the path whose panel is open. */
  selected: number | null;
  onSelect: (id: number) => void;
}

export function PathRows({
  paths,
  columns,
  selected,
  onSelect,
  isMember = false,
}: { paths: readonly Path[]; isMember?: boolean } & RowsProps) {
  return paths.map((path) => (
    <Row
      key={path.id}
      path={path}
      columns={columns}
      isMember={isMember}
      selected={path.id === selected}
      onSelect={() => onSelect(path.id)}
    />
  ));
}

/** Height of a mark of gateways where they are below each other, and of a row without them. */
const [GATEWAY_PX, ROW_PX] = [20, 33];

type LongTableProps = Omit<TableProps, "rowCount" | "body" | "children"> &
  RowsProps & { paths: readonly Path[]; rest: Rest | undefined };

/** A row per path; of a large site, only those near the viewport are rendered. */
export function LongPathTable({ paths, columns, selected, onSelect, rest, ...shared }: LongTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const { visible, above, below, isVirtual, measure } = useVisibleRows(
    paths.length,
    body,
    Math.max(ROW_PX, GATEWAY_PX * (paths[0] === undefined ? 0 : marksOf(paths[0].gateways).length)),
  );
  const rowCount = rest !== undefined ? -1 : isVirtual ? paths.length + 1 : undefined;
  return (
    <PathTable columns={columns} rowCount={rowCount} body={body} {...shared}>
      <RowBlock height={above} columns={columns.length} />
      {visible.map(({ index }) => {
        const path = paths[index];
        return (
          path !== undefined && (
            <Row
              key={path.id}
              path={path}
              columns={columns}
              isMember={false}
              selected={path.id === selected}
              onSelect={() => onSelect(path.id)}
              {...(isVirtual && { index, measure })}
            />
          )
        );
      })}
      <RowBlock height={below} columns={columns.length} />
    </PathTable>
  );
}

interface GroupRowsProps extends RowsProps {
  groups: readonly PathGroup[];
  /** Key of the open group; empty: none. */
  open: string;
  onOpen: (key: string) => void;
  /** Paths of the open group; undefined while they load. */
  members: readonly Path[] | undefined;
  rest: Rest | undefined;
  /** Why the members are missing; null: they are not. */
  error: Error | null;
}

export function GroupRows({ groups, open, onOpen, members, rest, error, ...shared }: GroupRowsProps) {
  return groups.map((group) => {
    if (group.only !== null) return <PathRows key={group.key} paths={[group.only]} {...shared} />;
    const isOpen = group.key === open;
    return [
      <GroupRow
        key={group.key}
        group={group}
        columns={shared.columns}
        isOpen={isOpen}
        onToggle={() => onOpen(isOpen ? "" : group.key)}
      />,
      ...(isOpen ? membersOf(group, members, rest, error, shared) : []),
    ];
  });
}

function membersOf(
  group: PathGroup,
  members: readonly Path[] | undefined,
  rest: Rest | undefined,
  error: Error | null,
  shared: RowsProps,
): ReactNode[] {
  const wide = (key: string, content: ReactNode) => (
    <tr key={`${group.key} ${key}`}>
      <td colSpan={shared.columns.length}>{content}</td>
    </tr>
  );
  if (members === undefined)
    return [
      wide("status", <span role="status">{error === null ? "Loading the nodes …" : error.message}</span>),
    ];
  const rows = [<PathRows key={`${group.key} members`} paths={members} isMember {...shared} />];
  return rest === undefined ? rows : [...rows, wide("rest", <LoadMore rest={rest} />)];
}

interface GroupRowProps {
  group: PathGroup;
  columns: readonly PathColumn[];
  isOpen: boolean;
  onToggle: () => void;
}

function GroupRow({ group, columns, isOpen, onToggle }: GroupRowProps) {
  const now = useClock(60_000) / 1000;
  const { text, cause, moved_until, since } = group;
  return (
    <tr data-group={group.key} data-paths={group.paths} data-state={group.state} data-active={group.active}>
      <th scope="row" className={classes.sentence}>
        <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={onToggle}>
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          <span>
            {text}
            {moved_until !== null && since !== null && (
              <time dateTime={since} title={clock(since)}>
                {` at ${shortClock(since, now)}`}
              </time>
            )}
          </span>
        </button>
        {cause !== null && (
          <span className={classes.cause}>
            Root cause: <Anchor href={cause.url}>{cause.text}</Anchor>
          </span>
        )}
      </th>
      <Cells columns={columns} content={(column) => column.group.cell(group)} />
    </tr>
  );
}

interface RowProps {
  path: Path;
  columns: readonly PathColumn[];
  /** Of an open group. */
  isMember: boolean;
  selected: boolean;
  onSelect: () => void;
  /** Position in a table that renders some rows only. */
  index?: number;
  measure?: Ref<HTMLTableRowElement> | undefined;
}

function Row({ path, columns, isMember, selected, onSelect, index, measure }: RowProps) {
  const past = usePast();
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index === undefined ? undefined : index + 2}
      data-node={path.node}
      data-policy={path.policy}
      data-member={isMember}
      data-active={path.active}
      data-fallback={path.placement === "fallback"}
      data-end-to-end={path.end_to_end}
      data-standby={path.standby}
      data-saved={path.saved}
      data-selected={selected}
    >
      <th scope="row">
        <span className={classes.node}>
          <Anchor href={`/devices/${path.node_id}`}>{path.node}</Anchor>
          {past === null && (
            <button
              type="button"
              className={classes.more}
              aria-pressed={selected}
              aria-label={`Decisions, move and drill of ${path.node}`}
              onClick={onSelect}
            >
              ⋯
            </button>
          )}
        </span>
      </th>
      <Cells columns={columns} content={(column) => column.cell(path)} />
    </tr>
  );
}
