/** Headline and filters of the list of runs. */
import { isOpen, type TestPlan, type TestRun } from "@/api/throughput";
import { count } from "@/util/units";

export interface RunFilter {
  readonly q: string;
  /** A run's state, `current` for all open states, or empty. */
  readonly state: string;
  /** A source, `own` for all but papers, or empty. */
  readonly source: string;
  readonly verdict: string;
}

export function matches(run: TestRun, { q, state, source, verdict }: RunFilter): boolean {
  const text = `${run.name} ${run.plan} ${run.verdict?.sentence ?? run.state_text}`.toLowerCase();
  return (
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word)) &&
    (state === "" || (state === "current" ? isOpen(run) : run.state === state)) &&
    (source === "" || (source === "own" ? run.source !== "paper" : run.source === source)) &&
    (verdict === "" || run.verdict?.name === verdict)
  );
}

export function testsHeadline(runs: readonly TestRun[], plans: readonly TestPlan[]): string {
  const own = runs.filter(({ source }) => source !== "paper");
  const waiting = own.filter(({ state }) => state === "waiting" || state === "queued").length;
  const running = own.filter(({ state }) => state === "running").length;
  const slower = plans.filter(({ last_run }) => last_run?.regression?.outcome === "slower").length;
  const parts = [
    running > 0 ? `${count(running, "run")} running` : "",
    waiting > 0 ? `${count(waiting, "run")} waiting` : "",
    slower > 0 ? `${count(slower, "plan")} slower than before` : "",
  ].filter(Boolean);
  if (parts.length > 0) return `${parts.join(", ")}.`;
  if (own.length === 0) return `No runs of this site yet; ${runs.length} reference runs from papers.`;
  return `No test running; ${count(own.length, "run")} of ${count(plans.length, "plan")}.`;
}
