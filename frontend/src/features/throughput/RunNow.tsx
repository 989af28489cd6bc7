/** Button that starts a plan as soon as its resources are free, and opens the run. */
import { Button } from "@mantine/core";
import { useLocation, useNavigate } from "react-router";
import { carry } from "@/api/scope";
import { useRunPlan, type TestPlan } from "@/api/throughput";
import { Anchor } from "@/ui/Anchor";

export function RunNow({ plan, size = "xs" }: { plan: TestPlan; size?: "xs" | "compact-xs" }) {
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
