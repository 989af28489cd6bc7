/** What a device counts and says of itself beyond traffic, and the past of the one that is looked at. */
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { figuresQuery, type FigureFilter } from "@/api/queries";
import { useParam } from "@/api/scope";
import type { Figure } from "@/api/types";
import { FigurePast } from "./FigurePast";
import { figureWords } from "./figure";
import classes from "./DevicePage.module.css";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { Panel } from "@/ui/Panel";
import { StateBadge } from "@/ui/StateBadge";
import { parseSort, type Column } from "@/ui/table";
import { duration } from "@/util/units";

const STATES = [
  { value: "", label: "all figures" },
  { value: "warning", label: "worth a look" },
  { value: "unknown", label: "not known" },
  { value: "ok", label: "well" },
] as const;
type Shown = (typeof STATES)[number]["value"];

/** Rows drawn at first. */
const ROWS = 25;

function columns(chosen: string, choose: (id: string) => void): readonly Column<Figure>[] {
  return [
    {
      id: "subject",
      header: "part",
      value: ({ subject }) => subject,
      cell: ({ subject }) => (subject === "" ? <span className="dim">the device</span> : subject),
    },
    {
      id: "name",
      header: "figure",
      value: ({ name }) => name,
      cell: (figure) =>
        figure.kind === "state" || figure.kind === "unknown" ? (
          <span title={figure.sentence}>{figure.name}</span>
        ) : (
          <button
            type="button"
            className={classes.pick}
            title={figure.sentence}
            aria-pressed={figure.id === chosen}
            onClick={() => choose(figure.id === chosen ? "" : figure.id)}
          >
            {figure.name}
          </button>
        ),
    },
    {
      id: "state",
      header: "state",
      value: ({ state }) => state,
      cell: ({ state }) => <StateBadge state={state} />,
    },
    {
      id: "value",
      header: "now",
      align: "right",
      value: ({ value, reported_state }) => reported_state ?? value,
      cell: (figure) => <span className="num">{figureWords(figure)}</span>,
    },
    {
      id: "sentence",
      header: "what it tells",
      value: ({ sentence }) => sentence,
      cell: ({ sentence }) => <span className={classes.sentence}>{sentence}</span>,
      wide: true,
    },
    {
      id: "age",
      header: "told",
      csvHeader: "age (s)",
      align: "right",
      value: ({ age_s }) => age_s,
      cell: ({ age_s }) => `${duration(age_s)} ago`,
      wide: true,
    },
  ];
}

/** Columns by which the server sorts. */
const SORTED_THERE: ReadonlySet<string> = new Set(["subject", "name", "state", "value", "age"]);

/** How many figures are not as they should be, wherever they stand in the table; a press shows only these. */
function WorthALook({
  node,
  shown,
  show,
}: {
  node: number;
  shown: boolean;
  show: (wanted: boolean) => void;
}) {
  const { data } = useInfiniteQuery(figuresQuery(node, { state: "warning" }));
  const number = data?.pages[0]?.items.length ?? 0;
  if (number === 0) return null;
  return (
    <button type="button" className={classes.pick} aria-pressed={shown} onClick={() => show(!shown)}>
      {number}
      {data?.pages[0]?.next === null ? "" : " or more"} worth a look
    </button>
  );
}

export function Figures({ node, name }: { node: number; name: string }) {
  const [q, setQ] = useParam("part", "");
  const [state, setState] = useParam<Shown>("figures", "");
  const [chosen, setChosen] = useParam("figure", "");
  const [sort, setSort] = useParam("figure_sort", "subject");
  // The server sorts, because not all rows are here.
  const filter: FigureFilter = {
    ...(q === "" ? {} : { q }),
    ...(state === "" ? {} : { state }),
    ...(SORTED_THERE.has(parseSort(sort).id) ? { sort } : {}),
  };
  const figures = useInfiniteQuery(figuresQuery(node, filter));
  return (
    <Panel
      title="Its own figures"
      aside={
        <WorthALook
          node={node}
          shown={state === "warning"}
          show={(wanted) => setState(wanted ? "warning" : "")}
        />
      }
      flush
    >
      <QueryBoundary query={figures} what="its figures">
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items);
          const past = rows.find(({ id }) => id === chosen);
          return (
            <>
              {past !== undefined && <FigurePast node={node} figure={past} />}
              <DataTable
                label={`Figures of ${name}`}
                noun={figures.hasNextPage ? "figures, and more" : "figures"}
                rows={rows}
                columns={columns(chosen, setChosen)}
                rowKey={({ id }) => id}
                sort={sort}
                onSort={setSort}
                step={ROWS}
                tools={
                  <>
                    <TextFilter label="Filter by part or figure" value={q} onChange={setQ} />
                    <ChoiceFilter
                      label="State of figures"
                      value={state}
                      choices={STATES}
                      onChange={setState}
                    />
                  </>
                }
                empty={
                  <EmptyState
                    title={
                      q === "" && state === ""
                        ? "It has told no figures beyond traffic."
                        : "No figure passes these filters."
                    }
                  />
                }
              />
              {figures.hasNextPage && (
                <Button
                  size="xs"
                  variant="default"
                  m={8}
                  loading={figures.isFetchingNextPage}
                  onClick={() => void figures.fetchNextPage()}
                >
                  Load more figures
                </Button>
              )}
            </>
          );
        }}
      </QueryBoundary>
    </Panel>
  );
}
