/** One run of a site or a paper: verdict, matrix, chart and evidence. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useParams } from "react-router";
import { useParam } from "@/api/scope";
import { exportHref, isOpen, testRunQuery, useCancelRun, type TestRunDetail } from "@/api/throughput";
import { CellDetails } from "./CellDetails";
import { Conclusions } from "./Conclusions";
import { linesOf, MOST_LINES } from "./matrix";
import { matrixOf } from "./matrix";
import { MatrixPanel } from "./MatrixPanel";
import { runFacts } from "./runFacts";
import classes from "./Tests.module.css";
import { VerdictTable } from "./VerdictTable";
import { VerdictDetails } from "./VerdictDetails";
import { runTone, runLabel, describePoint } from "./labels";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { CurveChart, type CurveView } from "@/ui/chart/CurveChart";
import { EmptyState } from "@/ui/ErrorState";
import { Facts } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { duration, percent } from "@/util/units";

export function RunPage() {
  const id = useParams().id ?? "";
  const run = useQuery(testRunQuery(id));
  return (
    <QueryBoundary query={run} what="this run" page="Test run">
      {(data) => <Details run={data} />}
    </QueryBoundary>
  );
}

const titleOf = ({ source, plan, name }: TestRunDetail): string =>
  source === "paper" ? plan : `${name}: ${plan}`;

function Details({ run }: { run: TestRunDetail }) {
  const [cellText, setCell] = useParam("cell", "");
  const [view, setView] = useParam<CurveView>("lines", "chart");
  const matrix = useMemo(() => matrixOf(run.cells), [run.cells]);
  const curves = useMemo(() => linesOf(matrix), [matrix]);
  const cell = cellText === "" ? undefined : run.cells.find(({ index }) => index === Number(cellText));
  const toggle = useCallback(
    (index: string) => setCell(index === cellText ? "" : index),
    [setCell, cellText],
  );
  return (
    <>
      <PageHeader
        title={titleOf(run)}
        headline={run.verdict?.sentence ?? run.state_text}
        aside={
          <>
            <StateLabel state={runTone(run)} label={runLabel(run)} title={run.state_text} />
            {run.source === "paper" && (
              <StateLabel state="disabled" label="paper" title={run.citation?.cite ?? "Reference run"} />
            )}
            {run.used !== "" && <b className="num">{run.used}</b>}
          </>
        }
      >
        <Controls run={run} />
      </PageHeader>
      <div className={classes.page} data-testid="run" data-run-state={run.state}>
        {isOpen(run) && <Progress run={run} />}
        <Panel title="Test">
          <Facts facts={runFacts(run, matrix)} />
        </Panel>
        {run.cells.length === 0 ? (
          <EmptyState title="No cells yet.">Cells are created when the run starts.</EmptyState>
        ) : (
          <div className={classes.pair}>
            <MatrixPanel
              run={run}
              matrix={matrix}
              selected={cell === undefined ? "" : cellText}
              onSelect={toggle}
            />
            <div className={`${classes.page} ${classes.why}`}>
              {cell !== undefined && (
                <CellDetails run={run} cell={cell} full={matrix.full} onClose={() => setCell("")} />
              )}
              {run.verdict !== null && (
                <Panel title="Verdict">
                  <VerdictDetails verdict={run.verdict} isSentenceShown={false} />
                </Panel>
              )}
              {run.regression !== null && (
                <Panel title="Trend of this plan">
                  <p>{run.regression.sentence}</p>
                </Panel>
              )}
            </div>
            {curves !== null && (
              <Panel
                title={matrix.down === "" ? "Rate over the matrix" : `Lines by ${matrix.down}`}
                aside={
                  curves.lines.length === MOST_LINES && (
                    <span className="dim">{MOST_LINES} lines shown; see the matrix or the CSV for all</span>
                  )
                }
              >
                <CurveChart label={`Lines of ${run.name}`} curves={curves} view={view} onView={setView} />
              </Panel>
            )}
          </div>
        )}
        <VerdictTable run={run} />
        <Conclusions run={run} />
      </div>
    </>
  );
}

function Controls({ run }: { run: TestRunDetail }) {
  const cancel = useCancelRun();
  return (
    <div className={classes.row}>
      {run.may_cancel && (
        <ConfirmButton
          isBusy={cancel.isPending}
          title={`Cancel run ${run.name}?`}
          consequence="Running tests stop now and waiting cells are cancelled. Results so far are kept."
          action="Stop the tests"
          onConfirm={() => cancel.mutate(run.id)}
        >
          Cancel run
        </ConfirmButton>
      )}
      {run.plan_id !== null && <ButtonLink href={`/tests/plans/${run.plan_id}`}>Plan</ButtonLink>}
      <ButtonLink href={`/tests/compare?after=${encodeURIComponent(run.id)}`}>Compare</ButtonLink>
      <a href={exportHref(run.id, "csv")} download>
        CSV
      </a>
      <a href={exportHref(run.id, "json")} download>
        JSON
      </a>
    </div>
  );
}

/** Progress of a run, or what it waits for. */
function Progress({ run }: { run: TestRunDetail }) {
  const { state, waits_for, progress, remaining_s, cells_over, cells_total, cells } = run;
  const now = cells.find((cell) => cell.state === "running");
  const left = remaining_s === null ? "" : `, about ${duration(remaining_s)} left`;
  return (
    <Panel title={state === "running" ? "Running" : "Waiting"}>
      <div className={classes.progress} aria-live="polite">
        <p data-testid="progress">
          {state === "running"
            ? `${cells_over} of ${cells_total} cells done, ${percent(progress)}${left}.`
            : waits_for === ""
              ? "Starting."
              : `Waiting for ${waits_for.replace(/^waits for /, "").replace(/\.$/, "")}.`}
        </p>
        <div
          className={classes.bar}
          role="progressbar"
          aria-label="Cells done"
          aria-valuemin={0}
          aria-valuemax={cells_total}
          aria-valuenow={cells_over}
        >
          <span style={{ width: `${progress * 100}%` }} />
        </div>
        {now !== undefined && (
          <p className="dim">
            Now: {describePoint(now.parameters)}
            {now.flows[0] === undefined ? "" : `, ${now.flows[0].sender} → ${now.flows[0].receiver}`}
          </p>
        )}
      </div>
    </Panel>
  );
}
