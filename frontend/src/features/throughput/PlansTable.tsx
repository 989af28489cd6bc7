/** Test plans with their latest and next run. */
import { useLocation, useNavigate } from "react-router";
import { Button } from "@mantine/core";
import { carry } from "@/api/scope";
import { isOpen, testPlansList, type TestPlan, useRunPlan } from "@/api/throughput";
import { useListPage } from "@/api/useListPage";
import classes from "./Tests.module.css";
import { describeMatrix, SHAPE_LABELS } from "./labels";
import { Anchor } from "@/ui/Anchor";
import { ButtonLink } from "@/ui/ButtonLink";
import { ListTable } from "@/ui/table/ListTable";
import { EmptyState } from "@/ui/ErrorState";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";

const COLUMNS: readonly Column<TestPlan>[] = [
  { id: "name", sortable: true, header: "plan", value: ({ name }) => name },
  {
    id: "state",
    header: "state",
    value: ({ state }) => state,
    cell: (plan) => (
      <StateLabel
        state={isOpen(plan) ? (plan.state === "waiting" ? "warning" : "ok") : "disabled"}
        label={plan.state}
        title={plan.state_text}
      />
    ),
  },
  {
    id: "what",
    header: "parameters",
    value: ({ matrix }) => describeMatrix(matrix),
    cell: ({ matrix, shape }) => (
      <span className={classes.sentence}>
        {describeMatrix(matrix)}; {SHAPE_LABELS[shape]}
      </span>
    ),
    wide: true,
  },
  { id: "cells", header: "cells", align: "right", value: ({ cells }) => cells },
  {
    id: "last",
    header: "latest run",
    value: ({ last_run }) => last_run?.since ?? "",
    cell: ({ last_run }) =>
      last_run === null ? (
        <span className="dim">none</span>
      ) : (
        <Anchor href={last_run.url}>
          {last_run.name} {last_run.used}
        </Anchor>
      ),
  },
  {
    id: "next",
    header: "next run",
    value: ({ next_at }) => next_at,
    cell: ({ next_at, state_text }) =>
      next_at === null ? (
        <span className="dim">{state_text}</span>
      ) : (
        <span className="num">{clock(next_at)}</span>
      ),
  },
  {
    id: "run",
    header: "action",
    value: ({ may_run }) => String(may_run),
    cell: (plan) => <RunPlanButton plan={plan} size="compact-xs" />,
  },
];

export function PlansTable() {
  const list = useListPage(testPlansList, { columns: COLUMNS, sort: "name" });
  return (
    <ListTable
      list={list}
      label="Test plans"
      noun="plans"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ url }) => url}
      search="Search by name or note"
      none={
        <EmptyState title="No test plans.">
          A plan defines endpoints, parameters and schedule.{" "}
          <ButtonLink href="/tests/plans/new">New plan</ButtonLink>
        </EmptyState>
      }
    />
  );
}

/** Button that starts a plan as soon as its resources are free, and opens the run. */
export function RunPlanButton({ plan, size = "xs" }: { plan: TestPlan; size?: "xs" | "compact-xs" }) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const run = useRunPlan(
    ({ url }) => void navigate(carry(url, new URLSearchParams(search).get("site") === null ? "" : search)),
  );
  if (plan.may_run) {
    return (
      <Button size={size} variant="default" loading={run.isPending} onClick={() => run.mutate(plan.id)}>
        Run now<span className="visually-hidden"> {plan.name}</span>
      </Button>
    );
  }
  return plan.last_run !== null && plan.state !== "idle" && plan.state !== "disabled" ? (
    <Anchor href={plan.last_run.url}>{plan.last_run.name} in progress</Anchor>
  ) : null;
}
