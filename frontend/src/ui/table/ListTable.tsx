/** A paged list with search and filters, as a table or with custom rows. */
import type { ReactNode } from "react";
import { CsvButton } from "@/ui/table/CsvButton";
import { DataTable } from "@/ui/table/DataTable";
import classes from "@/ui/table/DataTable.module.css";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter, type Choice } from "@/ui/Filters";
import { QueryBoundary, type QueryState } from "@/ui/QueryBoundary";
import type { Column, Rest } from "@/ui/table/columns";
import type { Layout } from "@/ui/table/layout";
import { LoadMore } from "@/ui/table/LoadMore";
import { ViewMenu, type Views } from "@/ui/table/ViewMenu";

/** A list whose search, filters and sort the API applies. */
export interface ListState<Row, Filter extends string> {
  /** The rows loaded so far. */
  readonly query: QueryState<Row[]>;
  readonly rest: Rest | undefined;
  readonly all: () => Promise<Row[]>;
  readonly values: Readonly<Record<Filter | "q" | "sort", string>>;
  readonly set: (name: Filter | "q" | "sort", value: string) => void;
  /** A search or a filter hides rows. */
  readonly isFiltered: boolean;
  readonly layout: Layout;
  readonly views: Views;
}

interface FilterChoices<Filter extends string> {
  readonly name: Filter;
  readonly label: string;
  readonly choices: readonly Choice<string>[];
}

interface ToolsProps<Row, Filter extends string> {
  list: ListState<Row, Filter>;
  /** Label of the search; no search without. */
  search?: string | undefined;
  filters?: readonly FilterChoices<Filter>[] | undefined;
}

export function ListTools<Row, Filter extends string>({ list, search, filters }: ToolsProps<Row, Filter>) {
  return (
    <>
      {search !== undefined && (
        <TextFilter label={search} value={list.values.q} onChange={(value) => list.set("q", value)} />
      )}
      {filters?.map(({ name, label, choices }) => (
        <ChoiceFilter
          key={name}
          label={label}
          value={list.values[name]}
          choices={choices}
          onChange={(value) => list.set(name, value)}
        />
      ))}
      <ViewMenu views={list.views} />
    </>
  );
}

interface Props<Row, Filter extends string> extends ToolsProps<Row, Filter> {
  label: string;
  /** Plural noun of the rows: `links`. */
  noun: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  rowHref?: (row: Row) => string | undefined;
  /** More tools, after the filters. */
  tools?: ReactNode;
  /** Shown if there are no rows without any filter. */
  none: ReactNode;
}

export function ListTable<Row, Filter extends string>({
  list,
  search,
  filters,
  tools,
  none,
  ...table
}: Props<Row, Filter>) {
  const { query, rest, all, values, set, isFiltered, layout } = list;
  return (
    <QueryBoundary query={query} what={`the ${table.noun}`}>
      {(rows) => (
        <DataTable
          {...table}
          rows={rows}
          rest={rest}
          all={all}
          layout={layout}
          sort={values.sort}
          onSort={(sort) => set("sort", sort)}
          tools={
            <>
              <ListTools list={list} search={search} filters={filters} />
              {tools}
            </>
          }
          empty={isFiltered ? <NoMatch noun={table.noun} text={values.q} /> : none}
        />
      )}
    </QueryBoundary>
  );
}

interface FrameProps<Row> {
  list: Pick<ListState<Row, never>, "query" | "rest" | "all">;
  noun: string;
  tools: ReactNode;
  /** Columns of the CSV of all matching rows; none: there is no CSV. */
  csv?: readonly Column<Row>[];
  children: (rows: Row[]) => ReactNode;
}

/** A list with custom rows: tools above, loading of more rows below. */
export function ListFrame<Row>({ list, noun, tools, csv, children }: FrameProps<Row>) {
  const { query, rest, all } = list;
  return (
    <section className={classes.frame} aria-label={`List of ${noun}`}>
      <div className={classes.tools}>
        {tools}
        {csv !== undefined && (
          <CsvButton
            label={noun}
            of={`all matching ${noun}`}
            columns={csv}
            disabled={query.data === undefined || query.data.length === 0}
            read={all}
          />
        )}
      </div>
      <QueryBoundary query={query} what={`the ${noun}`}>
        {children}
      </QueryBoundary>
      <LoadMore rest={rest} />
    </section>
  );
}

/** `text`: the text of the search, if the list has one. */
export function NoMatch({ noun, text = "" }: { noun: string; text?: string }) {
  const about = text === "" ? "match these filters" : `match “${text}”`;
  return <EmptyState title={`No ${noun} ${about}.`}>Clear a filter to see all {noun}.</EmptyState>;
}
