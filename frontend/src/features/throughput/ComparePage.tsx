/** Two runs side by side: which cells are faster or slower by more than chance. Both are named in the address. */
import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParam, useSite } from "@/api/scope";
import { comparisonQuery, testRunsQuery, type Comparison, type Difference, type TestRun } from "@/api/throughput";
import { changeWords, OUTCOMES } from "./compare";
import classes from "./Tests.module.css";
import { pointWords } from "./words";
import { Anchor } from "@/ui/Anchor";
import { Answer } from "@/ui/Answer";
import { DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/ErrorState";
import { ChoiceFilter } from "@/ui/Filters";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { Facts } from "@/ui/Facts";
import type { Column } from "@/ui/table";
import { clock } from "@/util/time";
import { count, rate } from "@/util/units";

const COLUMNS: readonly Column<Difference>[] = [
  { id: "cell", header: "cell", value: ({ parameters }) => pointWords(parameters) },
  { id: "before", header: "before", csvHeader: "before (bit/s)", align: "right", value: ({ before }) => before, cell: ({ before }) => rate(before) },
  { id: "after", header: "after", csvHeader: "after (bit/s)", align: "right", value: ({ after }) => after, cell: ({ after }) => rate(after) },
  { id: "change", header: "change", csvHeader: "change (share)", align: "right", value: ({ change }) => change, cell: (one) => <Change {...one} /> },
];

function Change({ change, outcome }: Pick<Difference, "change" | "outcome">) {
  const { glyph, word } = OUTCOMES[outcome];
  return (
    <span className={classes.change} data-outcome={outcome}>
      {changeWords(change)} <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}

export function ComparePage() {
  const site = useSite();
  const runs = useQuery({ ...testRunsQuery(site?.name ?? ""), enabled: site !== undefined });
  const [before, setBefore] = useParam("before", "");
  const [after, setAfter] = useParam("after", "");
  const told = useQuery({ ...comparisonQuery(before, after), enabled: before !== "" && after !== "" && before !== after });
  const isAsked = before !== "" && after !== "" && before !== after;
  return (
    <>
      <PageHeader title="Compare runs" headline={isAsked ? (told.data?.sentence ?? "") : "Choose the run before and the run after."} />
      <div className={classes.page}>
        <Answer asked={runs} what="the runs">
          {(rows) => (
            <div className={classes.fields}>
              <Pick label="Before" value={before} runs={rows} onChange={setBefore} />
              <Pick label="After" value={after} runs={rows} onChange={setAfter} />
            </div>
          )}
        </Answer>
        {isAsked ? <Answer asked={told} what="the comparison">{(data) => <Told told={data} />}</Answer> : <EmptyState title={before !== "" && before === after ? "A run is as fast as itself: choose another." : "Two runs are needed."}>Runs of one plan have the same cells; of two plans only those that both have are compared.</EmptyState>}
      </div>
    </>
  );
}

function Pick({ label, value, runs, onChange }: { label: string; value: string; runs: readonly TestRun[]; onChange: (id: string) => void }) {
  const options = runs.map(({ id, name, plan, ended_at, source }) => ({ value: id, label: source === "paper" ? plan : `${name} ${plan}, ${ended_at === null ? "not over" : clock(ended_at)}` }));
  return <NativeSelect size="xs" label={label} value={value} data={[{ value: "", label: "choose …" }, ...options]} onChange={(event) => onChange(event.currentTarget.value)} />;
}

const CHOICES = [{ value: "", label: "every cell" }, { value: "slower", label: "slower" }, { value: "faster", label: "faster" }, { value: "same", label: "the same" }] as const;

function Told({ told }: { told: Comparison }) {
  const [sort, setSort] = useParam("sort", "");
  const [only, setOnly] = useParam("only", "");
  const { before, after, differences, only_before, only_after, outcome, change } = told;
  const rows = differences.filter((one) => only === "" || one.outcome === only);
  const missing = only_before.length + only_after.length;
  return (
    <div className={classes.page} data-testid="comparison" data-outcome={outcome}>
      <Panel title="Side by side">
        <Facts facts={[
          ["before", <Anchor key="before" href={before.url}>{before.plan} {before.name}</Anchor>], ["its verdict", before.verdict?.sentence ?? before.state_text],
          ["after", <Anchor key="after" href={after.url}>{after.plan} {after.name}</Anchor>], ["its verdict then", after.verdict?.sentence ?? after.state_text],
          ["median change", <Change key="change" change={change} outcome={outcome} />],
        ]} />
      </Panel>
      <DataTable
        label="Differences" noun="cells" rows={rows} columns={COLUMNS} rowKey={(one) => differences.indexOf(one)} sort={sort} onSort={setSort} step={100}
        tools={<><ChoiceFilter label="Outcome" value={only} choices={CHOICES} onChange={setOnly} />{missing > 0 && <span className="dim">{count(missing, "cell")} in only one of them</span>}</>}
        empty={<EmptyState title="No cell changed so." />}
      />
    </div>
  );
}
