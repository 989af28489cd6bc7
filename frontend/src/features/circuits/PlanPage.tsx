/** Circuit planner: number of circuits, alternatives, and free labels. */
import { Button, Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { usePlan } from "@/api/circuits";
import { useSite } from "@/api/scope";
import { useSubmit } from "@/api/useSubmit";
import { EMPTY_PLAN, planOf, type PlanForm } from "./circuits";
import classes from "./Circuits.module.css";
import { PlanResult } from "./PlanResult";
import { Anchor } from "@/ui/Anchor";
import { FormError } from "@/ui/FormError";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";

const PATTERNS = [
  { value: "full", label: "full mesh" },
  { value: "between", label: "between groups" },
  { value: "hub", label: "hub and spoke" },
];

export function PlanPage() {
  const site = useSite();
  const form = useForm<PlanForm>({ initialValues: EMPTY_PLAN });
  const plan = usePlan();
  const bodyOf = (values: PlanForm) => planOf(site?.name ?? "", values);
  const { onSubmit, busy, error } = useSubmit(form, plan, bodyOf);
  return (
    <>
      <PageHeader
        title="Plan circuits"
        headline={
          plan.data === undefined
            ? "Calculates circuits and proposes labels. Nothing is stored or changed."
            : plan.data.advice
        }
      >
        <Anchor href="/circuits">All circuits</Anchor>
      </PageHeader>
      <div className={classes.page}>
        <Panel title="Connectivity">
          <form className={classes.stack} onSubmit={onSubmit}>
            <div className={classes.fields}>
              <Textarea
                size="xs"
                label="Hosts, one group per line"
                description="E.g. nodes 98, or atm: onyx1 origin1"
                autosize
                minRows={2}
                maxRows={8}
                {...form.getInputProps("groups")}
                classNames={{ input: "mono" }}
              />
              <NativeSelect size="xs" label="Pattern" {...form.getInputProps("pattern")} data={PATTERNS} />
              <TextInput
                size="xs"
                label="Hub"
                description="A host, or another router"
                {...form.getInputProps("hub")}
              />
              <TextInput
                size="xs"
                label="Switch hops"
                type="number"
                min={1}
                max={64}
                {...form.getInputProps("switches")}
              />
              <NativeSelect
                size="xs"
                label="Circuit type"
                {...form.getInputProps("kind")}
                data={[
                  { value: "pvc", label: "PVCs" },
                  { value: "vlan", label: "VLANs" },
                ]}
              />
              <div className={classes.checks}>
                <Checkbox
                  label="Switches support SVC signalling"
                  {...form.getInputProps("svc", { type: "checkbox" })}
                />
                <Checkbox label="Ethernet with VLANs" {...form.getInputProps("vlan", { type: "checkbox" })} />
              </div>
            </div>
            <FormError>{error}</FormError>
            <Button
              type="submit"
              size="xs"
              className={classes.button}
              disabled={bodyOf(form.values) === null}
              loading={busy}
            >
              Calculate
            </Button>
          </form>
        </Panel>
        {plan.data !== undefined && <PlanResult plan={plan.data} />}
      </div>
    </>
  );
}
