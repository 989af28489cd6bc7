/** Comparison of two runs by cell, with significant differences; both ids are in the URL. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useParam, useSite } from "@/api/scope";
import {
  comparisonQuery,
  testRunChoicesQuery,
  testRunQuery,
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
import { DataTable } from "@/ui/table/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter, TextFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { Facts } from "@/ui/Facts";
import type { Column } from "@/ui/table/columns";
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
    header: "reason",
    value: describeReason,
    cell: (pair) => <span className={classes.sentence}>{describeReason(pair)}</span>,
  },
];

function Change({ change, outcome }: Pick<Pair, "change" | "outcome">) {
  const { glyph, label } = OUTCOMES[outcome];
  return (
    <span className={classes.change} data-outcome={outcome}>
      {formatChange(change)} <span aria-hidden="true">{glyph}</span> {label}
    </span>
  );
}

export function ComparePage() {
  const site = useSite();
  const [plan, setPlan] = useState("");
  const runs = useQuery({ ...testRunChoicesQuery(site?.name ?? "", plan), enabled: site !== undefined });
  const [before, setBefore] = useParam("before", "");
  const [after, setAfter] = useParam("after", "");
  const comparison = useQuery({
    ...comparisonQuery(before, after),
    enabled: before !== "" && after !== "" && before !== after,
  });
  const isAsked = before !== "" && after !== "" && before !== after;
  return (
    <>
      <PageHeader
        title="Compare runs"
        headline={isAsked ? (comparison.data?.sentence ?? "") : "Select two runs."}
      />
      <div className={classes.page}>
        <div className={classes.fields}>
          <TextFilter label="Search by plan" value={plan} onChange={setPlan} />
        </div>
        <QueryBoundary query={runs} what="the runs">
          {(rows) => (
            <div className={classes.fields}>
              <Pick label="Before" value={before} runs={rows} onChange={setBefore} />
              <Pick label="After" value={after} runs={rows} onChange={setAfter} />
            </div>
          )}
        </QueryBoundary>
        {isAsked ? (
          <QueryBoundary query={comparison} what="the comparison">
            {(data) => <ComparisonDetails comparison={data} />}
          </QueryBoundary>
        ) : (
          <EmptyState
            title={before !== "" && before === after ? "Select two different runs." : "Select two runs."}
          >
            Only cells with the same parameters are compared. Runs of the same plan share all cells.
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
    label:
      source === "paper" ? plan : `${name} ${plan}, ${ended_at === null ? "in progress" : clock(ended_at)}`,
  }));
  // The selected run may not be among the newest that match.
  const selected = options.some((option) => option.value === value) ? [] : [value].filter(Boolean);
  return (
    <NativeSelect
      size="xs"
      label={label}
      value={value}
      data={[{ value: "", label: "Select a run" }, ...selected, ...options]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const CHOICES = [
  { value: "differ", label: "different cells" },
  { value: "", label: "all cells" },
  { value: "slower", label: "slower" },
  { value: "faster", label: "faster" },
  { value: "same", label: "unchanged" },
] as const;

function ComparisonDetails({ comparison }: { comparison: Comparison }) {
  const { before, after, outcome, change } = comparison;
  const [first, second] = [useQuery(testRunQuery(before.id)), useQuery(testRunQuery(after.id))];
  return (
    <div className={classes.page} data-testid="comparison" data-outcome={outcome}>
      <Panel title="Runs">
        <Facts
          facts={[
            [
              "before",
              <Anchor key="before" href={before.url}>
                {before.plan} {before.name}
              </Anchor>,
            ],
            ["verdict before", before.verdict?.sentence ?? before.state_text],
            [
              "after",
              <Anchor key="after" href={after.url}>
                {after.plan} {after.name}
              </Anchor>,
            ],
            ["verdict after", after.verdict?.sentence ?? after.state_text],
            ["median change", <Change key="change" change={change} outcome={outcome} />],
          ]}
        />
      </Panel>
      <QueryBoundary query={first} what="the run before">
        {(one) => (
          <QueryBoundary query={second} what="the run after">
            {(other) => <Cells comparison={comparison} before={one} after={other} />}
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

function Cells({
  comparison,
  before,
  after,
}: {
  comparison: Comparison;
  before: TestRunDetail;
  after: TestRunDetail;
}) {
  const [side, setSide] = useParam<Side>("side", "change");
  const [only, setOnly] = useParam("only", "differ");
  const [cell, setCell] = useParam("cell", "");
  const pairs = useMemo(
    () => pairsOfRuns(comparison, before.cells, after.cells),
    [comparison, before.cells, after.cells],
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
  const missing = comparison.only_before.length + comparison.only_after.length;
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
        title="Cells"
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
          <RampLegend title={`Colour (shared scale): % of ${rate(drawn.full)}`} />
        )}
      </Panel>
      <DataTable
        label="Differences"
        noun="cells"
        rows={rows}
        columns={columns}
        rowKey={({ before: { index } }) => index}
        tools={
          <>
            <ChoiceFilter label="Outcome" value={only} choices={CHOICES} onChange={setOnly} />
            {side === "change" && cell !== "" && (
              <button type="button" className={classes.all} onClick={() => setCell("")}>
                all cells{" "}
              </button>
            )}
            {missing > 0 && <span className="dim">{count(missing, "cell")} in only one run</span>}
          </>
        }
        empty={
          <EmptyState title={only === "differ" ? "No significant differences." : "No matching cells."} />
        }
      />
    </>
  );
}

const STEPS = [
  ["change-3", "≤ −30 %"],
  ["change-2", "−15 to −30 %"],
  ["change-1", "> −15 %"],
  ["change0", "not significant"],
  ["change1", "< +15 %"],
  ["change2", "+15 to +30 %"],
  ["change3", "≥ +30 %"],
] as const;

function ChangeLegend() {
  return (
    <div className={heat.legend}>
      <span>▼ slower</span>
      <ol className={heat.ramp} aria-label="Colours of a change">
        {STEPS.map(([tone, text]) => (
          <li key={tone} data-use={tone} className="num">
            {text}
          </li>
        ))}
      </ol>
      <span>faster ▲</span>
    </div>
  );
}
