/** Two runs side by side: which cells are faster or slower by more than chance. Both are named in the address. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useParam, useSite } from "@/api/scope";
import {
  comparisonQuery,
  testRunQuery,
  testRunsQuery,
  type Comparison,
  type TestRun,
  type TestRunDetail,
} from "@/api/throughput";
import {
  changeHeat,
  formatChange,
  fullOfBoth,
  isByEnds,
  OUTCOMES,
  pairsOfRuns,
  describePair,
  describeReason,
  type Pair,
} from "./compare";
import { heatOf } from "./heat";
import { HeatTable } from "./HeatTable";
import heat from "./HeatTable.module.css";
import { matrixOf, unitOf } from "./matrix";
import { RampLegend } from "./RampLegend";
import classes from "./Tests.module.css";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { Facts } from "@/ui/Facts";
import type { Column } from "@/ui/table";
import { clock } from "@/util/time";
import { count, rate } from "@/util/units";

const columnsOf = (withEnds: boolean): readonly Column<Pair>[] => [
  {
    id: "cell",
    header: "cell",
    value: (pair) => describePair(pair, withEnds),
    cell: (pair) => <span className={classes.place}>{describePair(pair, withEnds)}</span>,
  },
  {
    id: "before",
    header: "before",
    csvHeader: "before (bit/s)",
    align: "right",
    value: ({ was }) => was,
    cell: ({ was }) => rate(was),
  },
  {
    id: "after",
    header: "after",
    csvHeader: "after (bit/s)",
    align: "right",
    value: ({ is }) => is,
    cell: ({ is }) => rate(is),
  },
  {
    id: "change",
    header: "change",
    csvHeader: "change (share)",
    align: "right",
    value: ({ change }) => change,
    cell: (one) => <Change {...one} />,
  },
  {
    id: "why",
    header: "why",
    value: describeReason,
    cell: (pair) => <span className={classes.sentence}>{describeReason(pair)}</span>,
  },
];

function Change({ change, outcome }: Pick<Pair, "change" | "outcome">) {
  const { glyph, word } = OUTCOMES[outcome];
  return (
    <span className={classes.change} data-outcome={outcome}>
      {formatChange(change)} <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}

export function ComparePage() {
  const site = useSite();
  const runs = useQuery({ ...testRunsQuery(site?.name ?? ""), enabled: site !== undefined });
  const [before, setBefore] = useParam("before", "");
  const [after, setAfter] = useParam("after", "");
  const told = useQuery({
    ...comparisonQuery(before, after),
    enabled: before !== "" && after !== "" && before !== after,
  });
  const isAsked = before !== "" && after !== "" && before !== after;
  return (
    <>
      <PageHeader
        title="Compare runs"
        headline={isAsked ? (told.data?.sentence ?? "") : "Choose the run before and the run after."}
      />
      <div className={classes.page}>
        <QueryBoundary query={runs} what="the runs">
          {(rows) => (
            <div className={classes.fields}>
              <Pick label="Before" value={before} runs={rows} onChange={setBefore} />
              <Pick label="After" value={after} runs={rows} onChange={setAfter} />
            </div>
          )}
        </QueryBoundary>
        {isAsked ? (
          <QueryBoundary query={told} what="the comparison">
            {(data) => <ComparisonDetails told={data} />}
          </QueryBoundary>
        ) : (
          <EmptyState
            title={
              before !== "" && before === after
                ? "A run is as fast as itself: choose another."
                : "Two runs are needed."
            }
          >
            Runs of one plan have the same cells; of two plans only those that both have are compared.
          </EmptyState>
        )}
      </div>
    </>
  );
}

function Pick({
  label,
  value,
  runs,
  onChange,
}: {
  label: string;
  value: string;
  runs: readonly TestRun[];
  onChange: (id: string) => void;
}) {
  const options = runs.map(({ id, name, plan, ended_at, source }) => ({
    value: id,
    label: source === "paper" ? plan : `${name} ${plan}, ${ended_at === null ? "not over" : clock(ended_at)}`,
  }));
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={[{ value: "", label: "choose …" }, ...options]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const CHOICES = [
  { value: "differ", label: "cells that differ" },
  { value: "", label: "every cell" },
  { value: "slower", label: "slower" },
  { value: "faster", label: "faster" },
  { value: "same", label: "the same" },
] as const;

function ComparisonDetails({ told }: { told: Comparison }) {
  const { before, after, outcome, change } = told;
  const [first, second] = [useQuery(testRunQuery(before.id)), useQuery(testRunQuery(after.id))];
  return (
    <div className={classes.page} data-testid="comparison" data-outcome={outcome}>
      <Panel title="Both runs">
        <Facts
          facts={[
            [
              "before",
              <Anchor key="before" href={before.url}>
                {before.plan} {before.name}
              </Anchor>,
            ],
            ["its verdict", before.verdict?.sentence ?? before.state_text],
            [
              "after",
              <Anchor key="after" href={after.url}>
                {after.plan} {after.name}
              </Anchor>,
            ],
            ["its verdict then", after.verdict?.sentence ?? after.state_text],
            ["median change", <Change key="change" change={change} outcome={outcome} />],
          ]}
        />
      </Panel>
      <QueryBoundary query={first} what="the run before">
        {(one) => (
          <QueryBoundary query={second} what="the run after">
            {(other) => <Cells told={told} before={one} after={other} />}
          </QueryBoundary>
        )}
      </QueryBoundary>
    </div>
  );
}

type Side = "sides" | "before" | "after" | "change";
const SIDES: readonly { value: Side; label: string }[] = [
  { value: "sides", label: "side by side" },
  { value: "before", label: "before" },
  { value: "after", label: "after" },
  { value: "change", label: "change" },
];

function Cells({ told, before, after }: { told: Comparison; before: TestRunDetail; after: TestRunDetail }) {
  const [side, setSide] = useParam<Side>("side", "change");
  const [sort, setSort] = useParam("sort", "");
  const [only, setOnly] = useParam("only", "differ");
  const [cell, setCell] = useParam("cell", "");
  const pairs = useMemo(
    () => pairsOfRuns(told, before.cells, after.cells),
    [told, before.cells, after.cells],
  );
  const drawn = useMemo(() => {
    const [one, other] = [matrixOf(before.cells), matrixOf(after.cells)];
    const unit = unitOf([...before.cells, ...after.cells].map(({ rate: found }) => found));
    const full = fullOfBoth(one, other);
    return {
      before: heatOf(one, unit, "rate", full),
      after: heatOf(other, unit, "rate", full),
      change: changeHeat(pairs),
      full,
    };
  }, [before.cells, after.cells, pairs]);
  const toggle = useCallback((next: string) => setCell(next === cell ? "" : next), [setCell, cell]);
  const columns = useMemo(() => columnsOf(isByEnds(before.cells, after.cells)), [before.cells, after.cells]);
  const rows = pairs.filter((one) =>
    side === "change" && cell !== ""
      ? String(one.before.index) === cell
      : only === "" || (only === "differ" ? one.outcome !== "same" : one.outcome === only),
  );
  const missing = told.only_before.length + told.only_after.length;
  const own = (which: "before" | "after") => (
    <div className={classes.part}>
      <h3>
        {which === "before" ? "Before" : "After"}: {(which === "before" ? before : after).plan}
      </h3>
      <HeatTable
        label={`Matrix ${which}`}
        heat={drawn[which]}
        selected=""
        onSelect={() => setSide("change")}
      />
    </div>
  );
  return (
    <>
      <Panel
        title="Cell by cell"
        aside={<ChoiceFilter label="Show" value={side} choices={SIDES} onChange={setSide} />}
      >
        {side === "change" && (
          <HeatTable label="Matrix of the change" heat={drawn.change} selected={cell} onSelect={toggle} />
        )}
        {side === "sides" && (
          <div className={classes.sides}>
            {own("before")}
            {own("after")}
          </div>
        )}
        {(side === "before" || side === "after") && own(side)}
        {side === "change" ? (
          <ChangeLegend />
        ) : (
          <RampLegend words={`Colour, of both alike: % of ${rate(drawn.full)}`} />
        )}
      </Panel>
      <DataTable
        label="Differences"
        noun="cells"
        rows={rows}
        columns={columns}
        rowKey={({ before: { index } }) => index}
        sort={sort}
        onSort={setSort}
        step={100}
        tools={
          <>
            <ChoiceFilter label="Outcome" value={only} choices={CHOICES} onChange={setOnly} />
            {side === "change" && cell !== "" && (
              <button type="button" className={classes.all} onClick={() => setCell("")}>
                all cells
              </button>
            )}
            {missing > 0 && <span className="dim">{count(missing, "cell")} in only one of them</span>}
          </>
        }
        empty={
          <EmptyState
            title={only === "differ" ? "No cell differs by more than chance." : "No cell changed so."}
          />
        }
      />
    </>
  );
}

const STEPS = [
  ["change-3", "−30 % and more"],
  ["change-2", "−15 to −30 %"],
  ["change-1", "less"],
  ["change0", "the same, by chance"],
  ["change1", "less"],
  ["change2", "+15 to +30 %"],
  ["change3", "+30 % and more"],
] as const;

function ChangeLegend() {
  return (
    <div className={heat.legend}>
      <span>▼ slower</span>
      <ol className={heat.ramp} aria-label="Colours of a change">
        {STEPS.map(([tone, words]) => (
          <li key={tone} data-use={tone} className="num">
            {words}
          </li>
        ))}
      </ol>
      <span>faster ▲</span>
    </div>
  );
}
